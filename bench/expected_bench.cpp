// How well the loss of decisions is known before their labels are there: predictions.csv files of `tarry run`, replayed
// by the times in them. When 10, 30 and 60 % of the labels of a span of time are in, the loss that its labels will have
// is estimated by quality/maturing.h and by the last spans whose labels are all there; both are compared with what
// came. Usage: expected_bench [--errors] [--notes FILE] NAME predictions.csv [NAME predictions.csv …]
//   --errors  yes/no labels by the share of wrong answers at 1/2 instead of log loss
//   --notes   also writes each estimate: stream, span, when it was made, what it said
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tarry/quality/maturing.h"

namespace {

using namespace tarry::quality;

struct Row {
  double prediction = 0, label = 0, seen = 0, known = 0;  // known: NaN where the label never came
};

std::vector<Row> rows_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (line.rfind("row,round,prediction,label,seen,known,feedback", 0) != 0) {
    fmt::print(stderr, "{}: not a predictions.csv with times\n", path);
    std::exit(2);
  }
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string> cell(7);
    for (std::string& each : cell) std::getline(cells, each, ',');
    const auto number = [](const std::string& text) {
      return text.empty() ? std::nan("") : std::strtod(text.c_str(), nullptr);
    };
    rows.push_back({number(cell[2]), number(cell[3]), number(cell[4]), number(cell[5])});
  }
  return rows;
}

double log_loss(double p, bool yes) { return -std::log(std::max(1e-12, yes ? p : 1 - p)); }

struct Setting {
  bool yes_no = false, errors = false;
  std::string name;
  std::FILE* notes = nullptr;
};

// Estimates that are new since the last look, each once; times as the table has them.
class Notes {
 public:
  Notes(const Setting& setting, double first, double unit) : setting_(setting), first_(first), unit_(unit) {}

  void look(const Maturing& maturing, double now) {
    if (setting_.notes == nullptr) return;
    for (const Noted& one : maturing.noted()) {
      if (!seen_.insert({one.from_ms, one.to_ms, one.share}).second) continue;
      fmt::print(setting_.notes, "{},{},{},{},{},{},{},{}\n", setting_.name, time_of(one.from_ms), time_of(one.to_ms),
                 now, one.share, one.expected, one.width, one.last_known);
    }
  }

 private:
  double time_of(std::int64_t ms) const { return first_ + static_cast<double>(ms - (std::int64_t{1} << 36)) / unit_; }

  const Setting& setting_;
  double first_, unit_;
  std::set<std::tuple<std::int64_t, std::int64_t, double>> seen_;
};

// In one unit of time for all: a stream takes 2^34 ms.
std::vector<Checks> play(const std::vector<Row>& rows, const Setting& setting) {
  const bool yes_no = setting.yes_no;
  double first = rows.front().seen, last = rows.back().seen;
  const double unit = std::ldexp(1, 34) / (last - first);
  const auto ms = [&](double t) { return static_cast<std::int64_t>((t - first) * unit) + (std::int64_t{1} << 36); };
  std::vector<std::pair<std::int64_t, std::size_t>> coming;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!std::isnan(rows[i].known) && rows[i].known <= last) coming.push_back({ms(rows[i].known), i});
  std::sort(coming.begin(), coming.end());
  Maturing maturing;
  double sum = 0, count = 0;
  std::size_t next = 0;
  const auto loss = [&](const Row& row, double prediction) {
    if (!yes_no) return (prediction - row.label) * (prediction - row.label);
    const bool yes = row.label > 0.5;
    return setting.errors ? static_cast<double>((prediction > 0.5) != yes) : log_loss(prediction, yes);
  };
  const auto stratum = [&](const Row& row) { return yes_no ? stratum_of(row.prediction) : 0; };
  const std::int64_t every = (std::int64_t{1} << 34) / 4000;
  std::int64_t reviewed = 0;
  Notes notes(setting, first, unit);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t now = ms(rows[i].seen);
    for (; next < coming.size() && coming[next].first <= now; ++next) {
      const Row& row = rows[coming[next].second];
      const double constant = count > 0 ? sum / count : 0.5;
      const double own = loss(row, row.prediction);
      maturing.answered(ms(row.seen), coming[next].first, stratum(row), {own, loss(row, constant) - own});
      sum += yes_no ? (row.label > 0.5) : row.label;
      ++count;
    }
    maturing.decided(now, stratum(rows[i]));
    if (now - reviewed < every) continue;
    maturing.review(now);
    notes.look(maturing, rows[i].seen);
    reviewed = now;
  }
  return maturing.checks();
}

}  // namespace

int main(int argc, char** argv) {
  Setting setting;
  int next = 1;
  for (; next < argc && argv[next][0] == '-'; ++next) {
    if (argv[next] == std::string("--errors")) {
      setting.errors = true;
    } else if (argv[next] == std::string("--notes") && next + 1 < argc && setting.notes == nullptr) {
      setting.notes = std::fopen(argv[++next], "w");
      if (setting.notes == nullptr) return std::perror(argv[next]), 1;
      fmt::print(setting.notes, "stream,from,to,at,share,expected,width,last_known\n");
    } else {
      fmt::print(stderr, "expected_bench [--errors] [--notes FILE] NAME predictions.csv …\n");
      return 2;
    }
  }
  fmt::print("{:<14}{:>7}{:>11}{:>11}{:>11}{:>9}{:>8}\n", "stream", "in", "estimates", "off", "last known", "ratio",
             "within");
  for (int i = next; i + 1 < argc; i += 2) {
    const std::vector<Row> rows = rows_of(argv[i + 1]);
    setting.name = argv[i];
    setting.yes_no = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
      return row.prediction >= 0 && row.prediction <= 1 && (std::isnan(row.label) || row.label == 0 || row.label == 1);
    });
    for (const Checks& checks : play(rows, setting)) {
      if (checks.estimates <= 0) {
        fmt::print("{:<14}{:>7.2f}{:>11}  too early: labels take longer than half of the stream, or hardly any time\n",
                   argv[i], checks.share, 0);
        continue;
      }
      fmt::print("{:<14}{:>7.2f}{:>11}{:>11.4g}{:>11.4g}{:>9.3f}{:>8.3f}\n", argv[i], checks.share, checks.estimates,
                 checks.off, checks.last_known_off, checks.off / checks.last_known_off, checks.within);
    }
  }
  if (setting.notes != nullptr) std::fclose(setting.notes);
}
