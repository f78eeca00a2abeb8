#include "tarry/data/formats/reader_options.h"

#include <fmt/format.h>

#include <unordered_set>

namespace tarry::data {

double checked_label(const AsLabel& as_label, const LabelValue& label, const Place& place) {
  if (!as_label) return std::get<double>(label);
  try {
    return as_label(label);
  } catch (const Error& error) {
    place.fail(error.what());
  }
}

double cell_label(const AsLabel& as_label, std::string_view column, std::string_view cell, double divisor,
                  const Place& place) {
  double number = 0;
  if (!as_label || trimmed(cell).empty() || read_number(cell, number))
    return checked_label(as_label, place.number(column, cell, divisor), place);
  return checked_label(as_label, std::string(cell), place);
}

bool flag_or(const spec::Node& node, const std::string& key, bool fallback) {
  const auto member = node.find(key);
  return member ? member->flag() : fallback;
}

std::vector<std::string> names_or_none(const spec::Node& node, const std::string& key) {
  std::vector<std::string> names;
  const auto member = node.find(key);
  if (!member) return names;
  std::unordered_set<std::string> seen;
  for (const spec::Node& name : member->list("an array of column names")) {
    if (!seen.insert(name.text()).second) name.fail("listed once");
    names.push_back(name.text());
  }
  return names;
}

Divisors divisors_or_none(const spec::Node& node) {
  Divisors divisors;
  const auto table = node.find("divide");
  if (!table) return divisors;
  const auto* members = std::get_if<spec::Object>(&table->value().as);
  if (members == nullptr) table->fail("a table of columns and positive numbers");
  for (const auto& [column, value] : *members) divisors[column] = table->positive(column);
  return divisors;
}

char delimiter_or(const spec::Node& node, char fallback) {
  const auto member = node.find("delimiter");
  if (!member) return fallback;
  const std::string& text = member->text();
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") member->fail("one character");
  return text[0];
}

DateOrder date_order_or_none(const spec::Node& node) {
  const auto member = node.find("dates");
  if (!member) return DateOrder::kNone;
  if (member->text() == "day/month/year") return DateOrder::kDayFirst;
  if (member->text() != "month/day/year") member->fail("\"day/month/year\" or \"month/day/year\"");
  return DateOrder::kMonthFirst;
}

std::size_t limit_or_all(const spec::Node& node) {
  return node.has("limit") ? static_cast<std::size_t>(node.count("limit", 1, spec::Index{1} << 40)) : 0;
}

}  // namespace tarry::data
