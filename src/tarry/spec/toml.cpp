#include "tarry/spec/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "tarry/error.h"

namespace tarry::spec {
namespace {

Value convert(const toml::node& node);

// Not node.value<double>(), which has no answer for integers beyond 2^53.
double to_double(const toml::node& number) {
  return number.is_integer() ? static_cast<double>(number.as_integer()->get()) : number.as_floating_point()->get();
}

Value convert_array(const toml::array& array) {
  const bool all_numbers = std::all_of(array.begin(), array.end(), [](const toml::node& x) { return x.is_number(); });
  if (!all_numbers) {
    Array values;
    for (const toml::node& x : array) values.push_back(convert(x));
    return {std::move(values)};
  }
  Numbers numbers;
  for (const toml::node& x : array) numbers.push_back(to_double(x));
  return {std::move(numbers)};
}

// Tables are kept sorted by toml++; the order of the file is what a reader of the report expects.
Value convert_table(const toml::table& table) {
  Object members;
  for (const auto& [key, node] : table) members.emplace_back(std::string(key.str()), convert(node));
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.second.line < b.second.line; });
  return {std::move(members)};
}

Value convert_plain(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return convert_table(*node.as_table());
    case toml::node_type::array:
      return convert_array(*node.as_array());
    case toml::node_type::integer:
      return {node.as_integer()->get()};
    case toml::node_type::floating_point:
      return {node.as_floating_point()->get()};
    case toml::node_type::boolean:
      return {node.as_boolean()->get()};
    case toml::node_type::string:
      return {node.as_string()->get()};
    default: {  // dates and times: kept as the text they are
      std::ostringstream text;
      node.visit([&](const auto& x) {
        if constexpr (toml::is_date<decltype(x)> || toml::is_time<decltype(x)> || toml::is_date_time<decltype(x)>)
          text << x;
      });
      return {text.str()};
    }
  }
}

Value convert(const toml::node& node) {
  Value value = convert_plain(node);
  value.line = static_cast<std::uint32_t>(node.source().begin.line);
  return value;
}

}  // namespace

Value parse_toml(std::string_view text) {
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw Error(Code::kBadSpec, fmt::format("line {}: not valid TOML ({})", error.source().begin.line, what));
  }
}

}  // namespace tarry::spec
