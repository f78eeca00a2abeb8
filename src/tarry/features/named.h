// Features as a caller has them: values under names, {"age": 31, "city": "Paris", "new": true, "tags": ["a", "b"]}.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tarry/spec/value.h"

namespace tarry {

inline constexpr std::size_t kLongestName = 1024;  // bytes
inline constexpr std::size_t kLongestWord = 4096;

// A number is itself; a text, true, false and each element of a list are words; null (monostate) is missing.
using FeatureValue = std::variant<std::monostate, double, bool, std::string, std::vector<std::string>>;

struct NamedFeature {
  std::string name;
  FeatureValue value;

  bool operator==(const NamedFeature&) const = default;
};

using NamedFeatures = std::vector<NamedFeature>;  // in any order, each name once

// Stands for the names of rows and their order: rows that have the same one have the same names.
enum class NamesId : std::uint64_t { kUnknown = 0 };
NamesId new_names_id();

// From a JSON object. Throws Error{kBadInput}: "features.age must be … (an object came)".
NamedFeatures read_named(const spec::Value& value);

// As JSON again: names ascending, each list ascending without repetitions.
spec::Value to_value(const NamedFeatures& features);
std::string to_json(const NamedFeatures& features);

// Throws Error{kBadInput} for a name or a word of an impossible length, or a number that is not finite or too large.
void check(const NamedFeature& feature);

// A name as messages show it: cut short, on one line.
std::string shown(const std::string& name);

}  // namespace tarry
