#include "tarry/sets/bounds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr Index kShort = 1 << 14;

bool same_everywhere(const Vec& x) {  // bit for bit: 0 and −0 are two numbers
  const auto bits = [](double xi) { return std::bit_cast<std::uint64_t>(xi); };
  return std::all_of(x.begin(), x.end(), [&](double xi) { return bits(xi) == bits(x[0]); });
}

}  // namespace

Bounds::Bounds(Vec lower, Vec upper)
    : dimension_(static_cast<Index>(lower.size())), step_(1), lower_(std::move(lower)), upper_(std::move(upper)) {
  if (lower_.empty() || !same_everywhere(lower_) || !same_everywhere(upper_)) return;
  *this = everywhere(dimension_, lower_[0], upper_[0]);
}

Bounds Bounds::everywhere(Index dimension, double lower, double upper) {
  Bounds bounds;
  bounds.dimension_ = dimension;
  bounds.lower_ = {lower};
  bounds.upper_ = {upper};
  return bounds;
}

Start Bounds::middle() const {
  if (uniform()) return {dimension_, centre(0), {}};
  Vec x(lower_.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = centre(static_cast<Index>(i));
  return {dimension_, 0, std::move(x)};
}

// A short uniform box is summed up as any other: its last digit, which step sizes follow from, does not depend on how
// the bounds are kept.
double Bounds::diameter() const {
  if (uniform() && dimension_ > kShort) return width(0) * std::sqrt(static_cast<double>(dimension_));
  Vec widths(static_cast<std::size_t>(dimension_));
  for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = width(static_cast<Index>(i));
  return norm2(widths);
}

Bounds Bounds::times(double by) const {
  Bounds scaled = *this;
  for (Vec* side : {&scaled.lower_, &scaled.upper_})
    for (double& x : *side) x *= by;
  return scaled;
}

}  // namespace tarry
