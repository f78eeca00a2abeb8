#include "tarry/spec/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "tarry/base/error.h"

namespace tarry::spec {
namespace {

constexpr int kMaxDepth = 100;    // nested tables and arrays; a spec needs six
constexpr int kMaxKeyParts = 16;  // toml++ limits brackets, but not the tables that a.b.c makes

[[noreturn]] void refuse(std::size_t line, std::string_view why) {
  throw Error(Code::kBadSpec, fmt::format("line {}: not valid TOML ({})", line, why));
}

// Where the string that begins at `at` ends: one past its last quote.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool many_lines = text.substr(at, 3) == std::string(3, quote);
  const std::string_view close = many_lines ? text.substr(at, 3) : text.substr(at, 1);
  for (std::size_t i = at + close.size(); i < text.size(); ++i) {
    if (text[i] == '\n' && !many_lines) return i;  // not closed: the parser will say so
    if (text[i] == '\\' && quote == '"')
      ++i;
    else if (text.substr(i, close.size()) == close)
      return i + close.size();
  }
  return text.size();
}

// Keys of very many parts would nest tables deeper than toml++ can free.
void refuse_long_keys(std::string_view text) {
  std::size_t line = 1;
  int parts = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_string(text, i);
      line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                  text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.' && ++parts > kMaxKeyParts) refuse(line, fmt::format("a key of more than {} parts", kMaxKeyParts));
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) parts = 1;
    line += c == '\n' ? 1 : 0;
    ++i;
  }
}

Value convert(const toml::node& node, int depth);

// Not toml::node::value<double>(), which gives nothing for whole numbers beyond 2^53.
double to_double(const toml::node& number) {
  if (const auto* i = number.as_integer()) return static_cast<double>(i->get());
  return number.as_floating_point()->get();
}

Value convert_array(const toml::array& array, int depth) {
  const bool all_numbers = std::all_of(array.begin(), array.end(), [](const toml::node& x) { return x.is_number(); });
  if (!all_numbers) {
    Array values;
    for (const toml::node& x : array) values.push_back(convert(x, depth));
    return {std::move(values)};
  }
  Numbers numbers;
  for (const toml::node& x : array) numbers.push_back(to_double(x));
  return {std::move(numbers)};
}

// Tables are kept sorted by toml++; the order of the file is what a reader of the report expects.
Value convert_table(const toml::table& table, int depth) {
  Object members;
  for (const auto& [key, node] : table) members.emplace_back(std::string(key.str()), convert(node, depth));
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.second.line < b.second.line; });
  return {std::move(members)};
}

Value convert_plain(const toml::node& node, int depth) {
  switch (node.type()) {
    case toml::node_type::table:
      return convert_table(*node.as_table(), depth);
    case toml::node_type::array:
      return convert_array(*node.as_array(), depth);
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

Value convert(const toml::node& node, int depth) {
  const auto line = node.source().begin.line;
  if (depth > kMaxDepth) refuse(line, fmt::format("nested more than {} deep", kMaxDepth));
  Value value = convert_plain(node, depth + 1);
  value.line = static_cast<std::uint32_t>(line);
  return value;
}

}  // namespace

Value parse_toml(std::string_view text) {
  refuse_long_keys(text);
  try {
    return convert(toml::parse(text), 0);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace(what.begin(), what.end(), '\n', ' ');
    refuse(error.source().begin.line, what);
  }
}

}  // namespace tarry::spec
