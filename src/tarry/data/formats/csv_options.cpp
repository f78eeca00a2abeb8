#include "tarry/data/formats/csv_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tarry::data {
namespace {

void refuse_contradictions(const CsvOptions& options, const spec::Node& node) {
  if (options.features.empty() && options.categorical.empty()) node.fail_whole("give features or categorical");
  for (const auto& [column, divisor] : options.divide)
    if (std::find(options.features.begin(), options.features.end(), column) == options.features.end())
      node.at("divide").fail(fmt::format("about columns among the features, which {} is not", column));
  for (const auto* columns : {&options.features, &options.categorical})
    if (std::find(columns->begin(), columns->end(), options.label) != columns->end())
      node.at("label").fail("no feature: it is what is predicted");
  if (!options.classes.empty() && (options.positive || node.has("label_divide")))
    node.fail_whole("give classes alone, without positive or label_divide");
  if (options.positive && node.has("label_divide")) node.fail_whole("give positive or label_divide, not both");
  if (options.event_time.empty() && !options.feedback_time.empty()) node.fail_whole("feedback_time needs event_time");
  if (options.feedback_time.empty() && !options.due.empty()) node.fail_whole("due needs event_time and feedback_time");
  if (options.feedback_time.empty() && !options.key.empty()) node.fail_whole("key needs event_time and feedback_time");
  if (options.event_time.empty() && options.sort) node.fail_whole("sort needs event_time");
}

// A day that no one expects to see, as programs write it for "never": 9999-12-31, 31.12.9999.
bool is_never(std::string_view cell) {
  static constexpr std::array<std::string_view, 7> kNever = {"12/31/9999", "31/12/9999", "31.12.9999", "31-12-9999",
                                                             "12-31-9999", "9999/12/31", "31-Dec-9999"};
  const auto digit = [&](std::size_t at) { return cell[at] >= '0' && cell[at] <= '9'; };
  const bool iso = cell[0] == '9' && digit(1) && digit(2) && digit(3) && cell[4] == '-' && digit(5) && digit(6) &&
                   cell[7] == '-' && digit(8) && digit(9);
  return iso || std::any_of(kNever.begin(), kNever.end(), [&](std::string_view day) { return cell.starts_with(day); });
}

}  // namespace

bool means_missing(std::string_view cell) {
  cell = trimmed(cell);
  static constexpr std::array<std::string_view, 24> kNothing = {
      "NA",   "N/A",     "n/a",    "NaN", "nan",  "NAN",  "NaT",        "null",
      "NULL", "Null",    "None",   "?",   "<NA>", "#N/A", "n.a.",       "N.A.",
      "\\N",  "(blank)", "(null)", "nil", "-",    "--",   "0000-00-00", "0000-00-00 00:00:00"};
  if (cell.empty()) return true;
  constexpr std::string_view kFirst = "NnA?<#\\(-0";
  if ((cell[0] == '9' || cell[0] == '3' || cell[0] == '1') && cell.size() >= 10) return is_never(cell);
  if (cell.size() > 19 || kFirst.find(cell.front()) == std::string_view::npos) return false;
  return std::find(kNothing.begin(), kNothing.end(), cell) != kNothing.end();
}

bool CsvOptions::is_empty(std::string_view cell) const { return lenient ? means_missing(cell) : trimmed(cell).empty(); }

CsvOptions csv_options(const spec::Node& node, bool found) {
  CsvOptions options;
  options.label = found ? node.text_or("label", "") : node.text("label");
  options.label_divide = node.positive_or("label_divide", 1);
  if (node.has("positive")) options.positive = node.text("positive");
  options.classes = names_or_none(node, "classes");
  if (!found) options.features = names_or_none(node, "features");
  options.divide = divisors_or_none(node);
  options.categorical = names_or_none(node, "categorical");
  if (node.has("hash_dimension")) options.hash_dimension = node.count("hash_dimension", 1, spec::kMaxDimension / 2);
  options.intercept = flag_or(node, "intercept", true);
  options.event_time = node.text_or("event_time", "");
  options.feedback_time = node.text_or("feedback_time", "");
  options.due = node.text_or("due", "");
  options.key = node.text_or("key", "");
  options.sort = flag_or(node, "sort", false);
  options.names = flag_or(node, "names", false);
  const std::string missing = node.text_or("missing", "error");
  if (missing != "error" && missing != "zero" && missing != "absent")
    node.at("missing").fail("\"error\", \"zero\" or \"absent\"");
  options.missing = missing == "zero" ? Missing::kZero : missing == "absent" ? Missing::kAbsent : Missing::kError;
  options.dates = date_order_or_none(node);
  options.delimiter = delimiter_or(node, ',');
  options.limit = limit_or_all(node);
  if (!found) refuse_contradictions(options, node);
  return options;
}

}  // namespace tarry::data
