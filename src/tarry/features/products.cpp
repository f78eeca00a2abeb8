#include "tarry/features/products.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tarry/linalg/pair_kernel.h"

namespace tarry {
namespace {

constexpr double kFarProduct = 2.5;  // a product of standardised features is rarely larger, and then by chance
constexpr double kShare = 0.5;       // products are many: each counts for less than a feature

bool begins_with(const Row& wide, const Covector& row) {
  const std::size_t size = row.stored();
  return row.is_sparse() && row.offset() == 0 && wide.values.size() == wide.indices.size() &&
         std::memcmp(wide.indices.data(), row.indices().data(), size * sizeof(Index)) == 0 &&
         std::memcmp(wide.values.data(), row.values().data(), size * sizeof(double)) == 0;
}

}  // namespace

Covector Products::widen(const Covector& row, Row& wide) const {
  const std::size_t size = row.stored();
  if (of_ == 0 || size > kMostFeatures) return row;
  std::size_t multiplied = 0;
  row.each([&](Index i, double) { multiplied += i < of_ ? 1 : 0; });
  const std::size_t whole = size + multiplied * (multiplied + 1) / 2;
  if (multiplied > 0 && wide.indices.size() == whole && begins_with(wide, row) &&
      wide.indices[size] == slot(row.index(0), row.index(0)) &&
      wide.indices.back() == slot(row.index(multiplied - 1), row.index(multiplied - 1)))
    return Covector::sparse(wide.indices, wide.values);  // the row was the last one, too
  std::array<Index, kMostFeatures + kernels::kPairRoom> indices = {};
  std::array<double, kMostFeatures + kernels::kPairRoom> values = {};
  std::size_t at = 0;
  row.each([&](Index i, double value) {
    indices[at] = i;
    values[at++] = value;
  });
  wide.number.clear();
  wide.indices.resize(whole + kernels::kPairRoom);
  wide.values.resize(whole + kernels::kPairRoom);
  std::copy_n(indices.begin(), size, wide.indices.begin());
  std::copy_n(values.begin(), size, wide.values.begin());
  kernels::multiply_pairs(indices.data(), values.data(), multiplied, {features_, of_, kShare, kFarProduct},
                          wide.indices.data() + size, wide.values.data() + size);
  wide.indices.resize(whole);
  wide.values.resize(whole);
  return Covector::sparse(wide.indices, wide.values);
}

}  // namespace tarry
