#include "tarry/service/table_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "tarry/hosting/names.h"
#include "tarry/service/http/errors.h"
#include "tarry/service/http/query.h"
#include "tarry/spec/toml.h"

namespace tarry::service {
namespace {

using spec::Object, spec::Value;

constexpr std::array<std::string_view, 11> kTexts = {"label", "event_time", "feedback_time", "feedback",
                                                     "dates", "positive",   "blank",         "due",
                                                     "key",   "loss",       "delimiter"};
constexpr std::array<std::string_view, 3> kLists = {"ignore", "include", "categorical"};  // may come more than once

template <class List>
bool has(const List& list, std::string_view one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

Refusal bad_query(const std::string& message, const std::string& key) {
  return Refusal(400, "bad_query", message, key);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Value* find_in(Object& object, std::string_view key) {
  for (auto& [name, value] : object)
    if (name == key) return &value;
  return nullptr;
}

void add_once(Object& object, const std::string& key, Value value, const std::string& shown) {
  if (find_in(object, key) != nullptr) throw bad_query(fmt::format("{} must come once", shown), shown);
  object.push_back({key, std::move(value)});
}

void add(Object& keys, const std::string& key, std::string value) {
  if (has(kTexts, key)) return add_once(keys, key, Value{std::move(value)}, key);
  if (has(kLists, key)) {
    if (find_in(keys, key) == nullptr) keys.push_back({key, Value{spec::Array{}}});
    std::get<spec::Array>(find_in(keys, key)->as).push_back(Value{std::move(value)});
    return;
  }
  if (key == "expiry.days" || key == "expiry.label") {
    if (find_in(keys, "expiry") == nullptr) keys.push_back({"expiry", Value{Object{}}});
    Object& expiry = std::get<Object>(find_in(keys, "expiry")->as);
    if (key == "expiry.label") return add_once(expiry, "label", Value{std::move(value)}, key);
    double days = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, days);
    if (error != std::errc() || stop != end)
      throw bad_query(fmt::format("expiry.days must be a number ({} came)", spec::to_json(Value{value})), key);
    return add_once(expiry, "days", Value{days}, key);
  }
  throw bad_query(fmt::format("the query has no key {} (name, from, {}, {}, expiry.days, expiry.label)",
                              spec::to_json(Value{key}), fmt::join(kTexts, ", "), fmt::join(kLists, ", ")),
                  key);
}

void append_query(std::string& out, const std::string& key, const Value& value) {
  if (const auto* object = std::get_if<Object>(&value.as)) {
    for (const auto& [name, inner] : *object) append_query(out, key + "." + name, inner);
    return;
  }
  const auto* text = std::get_if<std::string>(&value.as);
  if (!out.empty()) out += '&';
  out += fmt::format("{}={}", key, escaped(text != nullptr ? *text : spec::to_json(value)));
}

}  // namespace

TableQuery read_table_query(const std::string& query) {
  TableQuery read{.name = {}, .keys = Value{Object{}}};
  std::optional<std::string> name, from;
  for (auto& [key, value] : read_query(query)) {
    if (auto* own = key == "name" ? &name : key == "from" ? &from : nullptr) {
      if (*own) throw bad_query(fmt::format("{} must come once", key), key);
      *own = std::move(value);
      continue;
    }
    add(std::get<Object>(read.keys.as), key, std::move(value));
  }
  if (from != "csv")
    throw bad_query(
        fmt::format("from must be csv ({})", from ? spec::to_json(Value{*from}) + " came" : "it is missing"), "from");
  if (!name || !hosting::is_name(*name))
    throw bad_query(fmt::format("name must be {} ({})", hosting::kNameRule,
                                name ? spec::to_json(Value{*name}) + " came" : "it is missing"),
                    "name");
  read.name = *std::move(name);
  return read;
}

std::string as_query(const std::string& line) {
  std::string out;
  const Value parsed = spec::parse_toml(line);
  for (const auto& [key, value] : std::get<Object>(parsed.as)) append_query(out, key, value);
  return out;
}

}  // namespace tarry::service
