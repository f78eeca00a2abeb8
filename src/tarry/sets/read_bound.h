// How specifications write a bound: an array, or one number that holds for each of `dimension` coordinates.
#pragma once

#include <string>

#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry {

inline Vec read_bound(const spec::Node& node, const std::string& key) {
  const spec::Node bound = node.at(key, "a number or an array of numbers");
  if (!bound.is_number()) return bound.numbers();
  return Vec(static_cast<std::size_t>(node.dimension()), bound.number());
}

}  // namespace tarry
