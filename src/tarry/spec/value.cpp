#include "tarry/spec/value.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

namespace tarry::spec {
namespace {

constexpr std::size_t kBriefLength = 60;

struct JsonPrinter {
  std::string& out;

  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool x) const { out += x ? "true" : "false"; }
  void operator()(std::int64_t x) const { fmt::format_to(std::back_inserter(out), "{}", x); }
  void operator()(double x) const { append_json(out, x); }
  void operator()(const std::string& x) const { append_json(out, x); }
  void operator()(const Numbers& x) const { append_json(out, std::span<const double>(x)); }
  void operator()(const Array& x) const {
    out += '[';
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i > 0) out += ", ";
      std::visit(*this, x[i].as);
    }
    out += ']';
  }
  void operator()(const Object& x) const {
    out += '{';
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i > 0) out += ", ";
      append_json(out, x[i].first);
      out += ": ";
      std::visit(*this, x[i].second.as);
    }
    out += '}';
  }
};

}  // namespace

const Value* Value::find(const std::string& key) const {
  const auto* members = std::get_if<Object>(&as);
  if (members == nullptr) return nullptr;
  for (const auto& [name, value] : *members)
    if (name == key) return &value;
  return nullptr;
}

namespace {

template <class T>
const T* member_as(const Value& object, const std::string& key) {
  const Value* member = object.find(key);
  return member != nullptr ? std::get_if<T>(&member->as) : nullptr;
}

}  // namespace

std::string Value::text_at(const std::string& key) const {
  const auto* text = member_as<std::string>(*this, key);
  return text != nullptr ? *text : "";
}

std::int64_t Value::whole_at(const std::string& key, std::int64_t otherwise) const {
  const auto* whole = member_as<std::int64_t>(*this, key);
  return whole != nullptr ? *whole : otherwise;
}

double Value::number_at(const std::string& key) const {
  if (const auto* number = member_as<double>(*this, key)) return *number;
  return static_cast<double>(whole_at(key, 0));
}

bool Value::flag_at(const std::string& key) const {
  const auto* flag = member_as<bool>(*this, key);
  return flag != nullptr && *flag;
}

std::string to_json(const Value& value) {
  std::string out;
  std::visit(JsonPrinter{out}, value.as);
  return out;
}

std::string brief(const Value& value) {
  if (const auto* numbers = std::get_if<Numbers>(&value.as); numbers != nullptr && numbers->size() > kBriefLength)
    return fmt::format("{} numbers", numbers->size());
  std::string out = to_json(value);
  if (out.size() <= kBriefLength) return out;
  std::size_t cut = kBriefLength - 3;
  while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut;  // not inside a UTF-8 character
  return out.substr(0, cut) + "...";
}

// "-0" would read back as the whole number 0.
void append_json(std::string& out, double number) {
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (number == 0 && std::signbit(number)) out += ".0";
}

void append_json(std::string& out, std::span<const double> numbers) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ", ";
    append_json(out, numbers[i]);
  }
  out += ']';
}

void append_json(std::string& out, const std::string& text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace tarry::spec
