// A parsed specification: the same small tree whether it came from JSON, TOML or Python.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tarry::spec {

struct Value;
struct Member;
using Numbers = std::vector<double>;  // an array in which every element is a number, kept flat
using Array = std::vector<Value>;     // any other array
using Object = std::vector<Member>;   // in the order of the file

struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Numbers, Array, Object> as;
  std::uint32_t line = 0;  // where it stood in its file; 0 when that is not known

  const Value* find(const std::string& key) const;  // a member of an object, or null; lives as long as this value

  // What a member says, for those who look at a specification that others read: no complaint where it is missing or of
  // another kind.
  std::string text_at(const std::string& key) const;  // ""
  std::int64_t whole_at(const std::string& key, std::int64_t otherwise) const;
  double number_at(const std::string& key) const;  // 0
  bool flag_at(const std::string& key) const;      // false
};

// A key and its value. Not a std::pair: Clang asks for the pair's constructors before Value is complete.
struct Member {
  std::string first;
  Value second;

  Member(std::string key, Value value) : first(std::move(key)), second(std::move(value)) {}
};

// As JSON on one line, numbers at full precision.
std::string to_json(const Value& value);
// The same, cut short with an ellipsis: for error messages.
std::string brief(const Value& value);

// Appends numbers as a JSON array at full precision: each reads back to the same bits.
void append_json(std::string& out, std::span<const double> numbers);
void append_json(std::string& out, double number);
void append_json(std::string& out, const std::string& text);

}  // namespace tarry::spec
