#include "tarry/data/text/json_rows.h"

#include <fmt/format.h>

#include <unordered_map>

#include "tarry/base/error.h"

namespace tarry::data {
namespace {

std::string text_of(const spec::Value& value) {
  if (std::holds_alternative<std::monostate>(value.as)) return {};
  if (const auto* text = std::get_if<std::string>(&value.as)) return *text;
  std::string joined;
  const auto add = [&](const std::string& text) { joined += (joined.empty() ? "" : "|") + text; };
  if (const auto* numbers = std::get_if<spec::Numbers>(&value.as)) {
    for (const double number : *numbers) add(spec::to_json({number}));
    return joined;
  }
  if (const auto* array = std::get_if<spec::Array>(&value.as)) {
    for (const spec::Value& each : *array) add(text_of(each));
    return joined;
  }
  return spec::to_json(value);
}

// Calls take(name, value) for each member, and for those of objects in it as outer.inner.
template <class Take>
void each_member(const spec::Object& object, const std::string& before, const Take& take) {
  for (const auto& [name, value] : object) {
    if (const auto* inner = std::get_if<spec::Object>(&value.as))
      each_member(*inner, before + name + ".", take);
    else
      take(before + name, value);
  }
}

// The next object; false at the end.
bool next_object(TextLines& lines, spec::JsonReader& reader, spec::Value& row) {
  std::string_view line;
  do {
    if (!lines.next(line)) return false;
    line = trimmed(line);
  } while (line.empty());
  if (line.starts_with('['))
    lines.fail_whole("is a JSON array: write one object a line, without commas between them (jq -c '.[]' does)");
  try {
    row = reader.read(line);
  } catch (const Error& error) {
    lines.place().fail(error.what());
  }
  if (!std::holds_alternative<spec::Object>(row.as)) lines.place().fail("must be a JSON object, as in the other lines");
  return true;
}

}  // namespace

std::vector<std::string> names_in_json_rows(const OpenLines& open) {
  TextLines lines = open();
  spec::JsonReader reader;
  spec::Value row;
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> known;
  while (next_object(lines, reader, row))
    each_member(std::get<spec::Object>(row.as), "", [&](const std::string& name, const spec::Value&) {
      if (known.emplace(name, names.size()).second) names.push_back(name);
    });
  if (names.empty()) lines.fail_whole("has no names in its JSON objects");
  return names;
}

JsonRows::JsonRows(TextLines& lines, const std::vector<std::string>& names)
    : lines_(&lines), names_(names), texts_(names.size()) {}

bool JsonRows::next(std::vector<std::string_view>& cells) {
  if (!begun_) {
    begun_ = true;
    cells.assign(names_.begin(), names_.end());
    return true;
  }
  spec::Value row;
  if (!next_object(*lines_, reader_, row)) return false;
  place_ = lines_->place();
  for (std::string& text : texts_) text.clear();
  std::size_t expected = 0;  // rows mostly have their names in the same order
  each_member(std::get<spec::Object>(row.as), "", [&](const std::string& name, const spec::Value& value) {
    for (std::size_t tried = 0; tried < names_.size(); ++tried, expected = (expected + 1) % names_.size())
      if (names_[expected] == name) {
        texts_[expected] = text_of(value);
        return;
      }
  });
  cells.assign(texts_.begin(), texts_.end());
  return true;
}

}  // namespace tarry::data
