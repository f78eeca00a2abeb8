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
  std::size_t multiplied = 0;
  row.each([&](Index i, double) { multiplied += i < of_ ? 1 : 0; });
  wide.indices.resize(size + multiplied * (multiplied + 1) / 2);
  wide.values.resize(wide.indices.size());
  Index* const indices = wide.indices.data();
  double* const values = wide.values.data();
  std::size_t at = 0;
  row.each([&](Index i, double value) {
    indices[at] = i;
    values[at++] = value;
  });
  for (std::size_t a = 0; a < multiplied; ++a) {
    const Index first = features_ + indices[a] * of_;
    const double value = values[a];
    for (std::size_t b = a; b < multiplied; ++b, ++at) {
      indices[at] = first + indices[b];
      values[at] = kShare * std::clamp(value * values[b], -kFarProduct, kFarProduct);
    }
  }
  return Covector::sparse(wide.indices, wide.values);
}

}  // namespace tarry
