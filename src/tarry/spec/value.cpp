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

void append_json(std::string& out, double number) {
  fmt::format_to(std::back_inserter(out), "{}", number);
  if (number == 0 && std::signbit(number)) out += ".0";  // "-0" would be read back as the integer 0
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
