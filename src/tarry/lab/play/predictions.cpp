#include "tarry/lab/play/predictions.h"

#include <fmt/format.h>

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

std::string time_cell(const Vec& times, std::size_t row) {
  return times.empty() || !std::isfinite(times[row]) ? "" : fmt::format("{}", times[row]);
}

}  // namespace

void Predictions::add(const RoundPlayed& round) {
  const Dataset& data = *stream_.data;
  const std::size_t row = round.round - 1;
  const std::size_t origin = data.origin.empty() ? row : data.origin[row];
  const bool classes = stream_.loss->outputs() > 1;
  const bool margins = stream_.loss_name == "logistic" || stream_.loss_name == "hinge";
  // A model of named classes numbers them as they come; any other as the data does.
  const auto& known = model_.names_classes() ? model_.class_names() : data.classes;
  const std::string prediction =
      classes ? class_name(known, round.prediction) : fmt::format("{}", model_.shown(round.prediction));
  std::string label;
  if (const double given = data.labels[row]; !std::isnan(given))
    label = classes ? class_name(data.classes, stream_.loss->label(given))
                    : fmt::format("{}", margins ? (round.label > 0 ? 1.0 : 0.0) : round.label);
  lines_ += fmt::format("{},{},{},{},{},{}\n", origin + 1, round.round, prediction, label,
                        time_cell(data.event_time, row), time_cell(data.feedback_time, row));
}

}  // namespace tarry::lab
