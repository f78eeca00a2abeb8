// Choosing the k best coordinates, ties to the lowest index.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

// The k indices of 0 .. n − 1 with the largest key(i), ascending.
template <class Key>
std::vector<Index> choose_largest(Index n, Index k, Key key) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto better = [&](Index a, Index b) {
    const double ka = key(a), kb = key(b);
    return ka > kb || (ka == kb && a < b);
  };
  if (k < n) std::nth_element(order.begin(), order.begin() + k, order.end(), better);
  order.resize(static_cast<std::size_t>(k));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace tarry
