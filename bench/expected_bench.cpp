// How well the loss of decisions is known before their labels are there: predictions.csv files of `tarry run`, replayed
// by the times in them. When a tenth, a third and two thirds of the labels of a span of time are in, the loss that its
// labels will have is estimated by quality/maturing.h and by the last spans whose labels are all there; both are
// compared with what came. Usage: expected_bench NAME predictions.csv [NAME predictions.csv …]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
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

// In one unit of time for all: a stream takes 2^34 ms.
std::vector<Checks> play(const std::vector<Row>& rows, bool yes_no) {
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
    return yes_no ? log_loss(prediction, row.label > 0.5) : (prediction - row.label) * (prediction - row.label);
  };
  const auto stratum = [&](const Row& row) { return yes_no ? stratum_of(row.prediction) : 0; };
  const std::int64_t every = (std::int64_t{1} << 34) / 4000;
  std::int64_t reviewed = 0;
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
    reviewed = now;
  }
  return maturing.checks();
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("{:<14}{:>7}{:>11}{:>11}{:>11}{:>9}{:>8}\n", "stream", "in", "estimates", "off", "last known", "ratio",
             "within");
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::vector<Row> rows = rows_of(argv[i + 1]);
    const bool yes_no = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
      return row.prediction >= 0 && row.prediction <= 1 && (std::isnan(row.label) || row.label == 0 || row.label == 1);
    });
    for (const Checks& checks : play(rows, yes_no)) {
      if (checks.estimates <= 0) {
        fmt::print("{:<14}{:>7.2f}{:>11}  too early: labels take longer than half of the stream, or hardly any time\n",
                   argv[i], checks.share, 0);
        continue;
      }
      fmt::print("{:<14}{:>7.2f}{:>11}{:>11.4g}{:>11.4g}{:>9.3f}{:>8.3f}\n", argv[i], checks.share, checks.estimates,
                 checks.off, checks.last_known_off, checks.off / checks.last_known_off, checks.within);
    }
  }
}
