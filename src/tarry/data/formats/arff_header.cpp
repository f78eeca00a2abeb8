#include "tarry/data/formats/arff_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tarry/spec/node.h"

namespace tarry::data {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_quote(char c) { return c == '\'' || c == '"'; }

// Cuts a quoted text off the front of `rest`, without its quotes.
std::string take_quoted(std::string_view& rest, const Place& place) {
  const char quote = rest[0];
  std::string text;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == quote) {
      rest.remove_prefix(at + 1);
      return text;
    }
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    text += rest[at];
  }
  place.fail("a quote is never closed");
}

std::string take_name(std::string_view& rest, const Place& place) {
  rest = trimmed(rest);
  if (!rest.empty() && is_quote(rest[0])) return take_quoted(rest, place);
  const std::string name(rest.substr(0, rest.find_first_of(" \t{")));
  rest.remove_prefix(name.size());
  return name;
}

ArffAttribute read_attribute(std::string_view rest, const Place& place) {
  ArffAttribute attribute;
  attribute.name = take_name(rest, place);
  rest = trimmed(rest);
  if (attribute.name.empty() || rest.empty()) place.fail("an attribute needs a name and a type");
  if (rest[0] != '{') {
    const std::string type = lower(rest);
    attribute.numeric = type == "numeric" || type == "real" || type == "integer";
    if (!attribute.numeric && type != "string" && !type.starts_with("date"))
      place.fail_cell("the type of " + attribute.name, "numeric, real, integer, string, date or {…}", rest);
    return attribute;
  }
  if (rest.back() != '}') place.fail("the words of an attribute must end with }");
  attribute.nominal = true;
  split_arff_cells(rest.substr(1, rest.size() - 2), place, attribute.words);
  for (const std::string& word : attribute.words)
    if (!attribute.place.emplace(word, static_cast<int>(attribute.place.size())).second)
      place.fail(fmt::format("attribute {} lists {} twice", attribute.name, spec::brief({word})));
  return attribute;
}

}  // namespace

bool next_arff_line(TextLines& lines, std::string_view& line) {
  while (lines.next(line)) {
    line = trimmed(line);
    if (!line.empty() && line[0] != '%') return true;
  }
  return false;
}

void split_arff_cells(std::string_view line, const Place& place, std::vector<std::string>& cells) {
  cells.clear();
  while (true) {
    line = trimmed(line);
    if (!line.empty() && is_quote(line[0])) {
      cells.push_back(take_quoted(line, place));
      line = trimmed(line);
      if (!line.empty() && line[0] != ',') place.fail("a cell goes on after its closing quote");
    } else {
      const std::size_t stop = std::min(line.find(','), line.size());
      cells.emplace_back(trimmed(line.substr(0, stop)));
      line.remove_prefix(stop);
    }
    if (line.empty()) return;
    line.remove_prefix(1);
  }
}

std::vector<ArffAttribute> read_arff_header(TextLines& lines) {
  std::vector<ArffAttribute> attributes;
  std::string_view line;
  bool empty = true;
  while (next_arff_line(lines, line)) {
    empty = false;
    const Place place = lines.place();
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    const std::string keyword = lower(word);
    if (keyword == "@data") {
      if (attributes.empty()) place.fail("no attribute was declared before @data");
      return attributes;
    }
    if (keyword == "@relation") continue;
    if (keyword != "@attribute") place.fail_cell("a line before @data", "@relation or @attribute", word);
    ArffAttribute attribute = read_attribute(line.substr(word.size()), place);
    for (const ArffAttribute& other : attributes)
      if (other.name == attribute.name) place.fail(fmt::format("attribute {} comes twice", attribute.name));
    attributes.push_back(std::move(attribute));
  }
  lines.fail_whole(empty ? "is empty" : "has no @data line");
}

}  // namespace tarry::data
