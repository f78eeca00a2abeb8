#include "tarry/linalg/covector.h"

#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/norms.h"

namespace tarry {

double Covector::norm() const { return norm2(values_); }

void Covector::add_to(Vec& x, double factor) const {
  if (!sparse_) return kernels::blend(x, 1, values_, factor);
  each([&](Index i, double value) { x[static_cast<std::size_t>(i)] += factor * value; });
}

double Covector::dot(std::span<const double> x) const {
  if (!sparse_) return kernels::dot(values_, x);
  double sum = 0;
  each([&](Index i, double value) { sum += value * x[static_cast<std::size_t>(i)]; });
  return sum;
}

Covector Covector::with_outputs(std::size_t outputs) const {
  Covector same = *this;
  same.outputs_ = outputs;
  return same;
}

Covector Covector::output(std::size_t k) const {
  if (outputs_ == 1) return *this;
  const std::size_t length = stored() / outputs_;
  ensure(k < outputs_ && length * outputs_ == stored(), "every output has the same features");
  Covector part = sparse(indices_.subspan(k * length, length), values_.subspan(k * length, length));
  part.offset_ = offset_;
  return part;
}

Covector Covector::times(double factor, Vec& values) const {
  values.assign(values_.begin(), values_.end());
  for (double& x : values) x *= factor;
  Covector product = *this;
  product.values_ = values;
  return product;
}

Covector Covector::slice(Index begin, Index end) const {
  ensure(begin >= 0 && begin <= end, "a slice has a beginning before its end");
  const auto length = static_cast<std::size_t>(end - begin);
  if (!sparse_) return dense(values_.subspan(static_cast<std::size_t>(begin), length));
  const auto first = std::lower_bound(indices_.begin(), indices_.end(), begin + offset_) - indices_.begin();
  const auto last = std::lower_bound(indices_.begin(), indices_.end(), end + offset_) - indices_.begin();
  const auto at = static_cast<std::size_t>(first), count = static_cast<std::size_t>(last - first);
  Covector part = sparse(indices_.subspan(at, count), values_.subspan(at, count));
  part.offset_ = offset_ + begin;
  return part;
}

}  // namespace tarry
