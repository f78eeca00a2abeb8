#include "tarry/features/products.h"

#include <algorithm>

namespace tarry {
namespace {

constexpr double kFarProduct = 2.5;  // a product of standardised features is rarely larger, and then by chance
constexpr double kShare = 0.5;       // products are many: each counts for less than a feature

}  // namespace

Covector Products::widen(const Covector& row, Row& wide) const {
  const std::size_t size = row.stored();
  if (of_ == 0 || size > kMostFeatures) return row;
  wide.clear();
  wide.indices.reserve(size + size * (size + 1) / 2);
  wide.values.reserve(wide.indices.capacity());
  std::size_t multiplied = 0;
  row.each([&](Index i, double value) {
    wide.indices.push_back(i);
    wide.values.push_back(value);
    multiplied += i < of_ ? 1 : 0;
  });
  for (std::size_t a = 0; a < multiplied; ++a)
    for (std::size_t b = a; b < multiplied; ++b) {
      wide.indices.push_back(features_ + wide.indices[a] * of_ + wide.indices[b]);
      wide.values.push_back(kShare * std::clamp(wide.values[a] * wide.values[b], -kFarProduct, kFarProduct));
    }
  return Covector::sparse(wide.indices, wide.values);
}

}  // namespace tarry
