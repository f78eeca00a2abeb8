#include "tarry/lab/play/predictions.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tarry::lab {
namespace {

// A cell of comma-separated text.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string class_name(const std::vector<std::string>& names, double number) {
  if (number < 0) return "";  // none was known yet
  const auto n = static_cast<std::size_t>(number);
  return n < names.size() ? cell(names[n]) : fmt::format("{}", number);
}

void add_number(std::string& line, double number) {
  std::array<char, 32> text;  // the longest double has 24
  line.append(text.data(), fmt::format_to(text.data(), FMT_COMPILE("{}"), number));
}

void add_count(std::string& line, std::uint64_t count) {
  const fmt::format_int text(count);
  line.append(text.data(), text.size());
}

void add_time(std::string& line, const Vec& times, std::size_t row) {
  line += ',';
  if (!times.empty() && std::isfinite(times[row])) add_number(line, times[row]);
}

}  // namespace

// The probability of each class of the data; 0 of one that the model had not met yet.
void Predictions::add_probabilities(const RoundPlayed& round) {
  const std::vector<std::string>& classes = table_.data->classes;
  if (!shows_classes()) return;
  const Vec p = model_.probabilities(round.scores);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::size_t at = c;
    if (model_.names_classes()) {
      const auto& known = model_.class_names();
      at = static_cast<std::size_t>(std::find(known.begin(), known.end(), classes[c]) - known.begin());
    }
    chances_ += ',';
    add_number(chances_, at < p.size() ? p[at] : 0.0);
  }
}

bool Predictions::shows_classes() const {
  return table_.loss.outputs() > 1 && !table_.data->classes.empty() && table_.data->classes.size() <= kMostClasses;
}

void Predictions::add(const RoundPlayed& round) {
  const Dataset& data = *table_.data;
  const std::size_t row = round.round - 1;
  const std::size_t origin = data.origin.empty() ? row : data.origin[row];
  const bool classes = table_.loss.outputs() > 1;
  // A model of named classes numbers them as they come; any other as the data does.
  const auto& known = model_.names_classes() ? model_.class_names() : data.classes;
  add_count(lines_, origin + 1);
  lines_ += ',';
  add_count(lines_, round.round);
  lines_ += ',';
  if (classes)
    lines_ += class_name(known, round.prediction);
  else
    add_number(lines_, model_.shown(round.prediction));
  lines_ += ',';
  if (const double given = data.labels[row]; !std::isnan(given)) {
    if (classes)
      lines_ += class_name(data.classes, table_.loss.label(given));
    else if (margins_)
      lines_ += round.label > 0 ? '1' : '0';
    else
      add_number(lines_, round.label);
  }
  add_time(lines_, data.event_time, row);
  add_time(lines_, data.feedback_time, row);
  ends_.push_back(lines_.size());
  add_probabilities(round);
  chance_ends_.push_back(chances_.size());
}

std::string Predictions::csv(const std::function<bool(Round)>& never) const {
  std::string text = "row,round,prediction,label,seen,known,feedback";
  if (shows_classes())
    for (const std::string& name : table_.data->classes) text += "," + cell("p " + name);
  text += '\n';
  text.reserve(lines_.size() + 16 * ends_.size());
  std::size_t begin = 0, chance = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const Round round = i + 1;
    text.append(lines_, begin, ends_[i] - begin);
    text += never(round)                          ? ",lost"
            : model_.ledger().is_untracked(round) ? ",untracked"
            : model_.ledger().is_settled(round)   ? ",came"
                                                  : ",on its way";
    text.append(chances_, chance, chance_ends_[i] - chance);
    text += '\n';
    begin = ends_[i];
    chance = chance_ends_[i];
  }
  return text;
}

}  // namespace tarry::lab
