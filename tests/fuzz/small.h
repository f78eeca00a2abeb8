// Keeps fuzz inputs cheap: a spec that honestly asks for a large set is a large set, not a bug.
#pragma once

#include <string>

#include "tarry/spec/value.h"

namespace tarry::fuzz {

inline constexpr double kSmall = 64;

// Whether no set is wrapped in another: a small set moved by 1e100 has no digits left to be inside of.
inline bool is_plain(const spec::Value& value) {
  const spec::Value* set = value.find("set");
  const spec::Value& own = set != nullptr ? *set : value;
  return own.find("set") == nullptr && own.find("parts") == nullptr;
}

// Whether the numbers that sizes are read from are small, wherever they stand in the tree.
inline bool is_small(const spec::Value& value) {
  if (const auto* members = std::get_if<spec::Object>(&value.as)) {
    for (const auto& [key, member] : *members) {
      const bool is_size = key == "dimension" || key == "nodes" || key == "size" || key == "rows" || key == "cols" ||
                           key == "k" || key == "delay" || key == "block" || key == "oracle_calls" || key == "batch";
      if (const auto* i = std::get_if<std::int64_t>(&member.as); is_size && i != nullptr && *i > kSmall) return false;
      if (const auto* d = std::get_if<double>(&member.as); is_size && d != nullptr && *d > kSmall) return false;
      if (!is_small(member)) return false;
    }
  }
  if (const auto* values = std::get_if<spec::Array>(&value.as))
    for (const spec::Value& x : *values)
      if (!is_small(x)) return false;
  return true;
}

}  // namespace tarry::fuzz
