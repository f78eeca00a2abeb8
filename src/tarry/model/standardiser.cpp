#include "tarry/model/standardiser.h"

#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

constexpr double kStillFrequent = 0.4;  // the share of rows down to which a frequent feature stays one
constexpr double kSmallest = 1e-140;    // smaller values count as 0: their squares vanish
constexpr double kRounding = 1e-14;     // of a variance, beside the squares that it is the difference of

}  // namespace

void Standardiser::count(const Covector& row) {
  rows_ += 1;
  for (Index i : row.indices()) __builtin_prefetch(&at(i));  // all at once: rare features are far apart in memory
  row.each([&](Index i, double value) {
    if (std::fabs(value) < kSmallest) return;
    Seen& x = at(i);
    if (x.count == 0) x.first = value;
    x.count += 1;
    x.sum += value - x.first;
    x.squares += (value - x.first) * (value - x.first);
    if (x.frequent || !(static_cast<double>(x.count) > rows_ / 2)) return;
    x.frequent = 1;
    frequent_.insert(std::lower_bound(frequent_.begin(), frequent_.end(), i), i);
  });
  std::erase_if(frequent_, [&](Index i) {
    Seen& x = at(i);
    x.frequent = static_cast<double>(x.count) >= kStillFrequent * rows_;
    return !x.frequent;
  });
}

// (value − mean)/deviation over all rows; those without it have 0, which is −first away from `first`.
double Standardiser::standardised(const Seen& x, double value) const {
  const double absent = rows_ - static_cast<double>(x.count);
  const double mean = (x.sum - absent * x.first) / rows_;  // of value − first
  const double square = (x.squares + absent * x.first * x.first) / rows_;
  const double variance = square - mean * mean;
  if (!(variance > kRounding * square)) return absent == 0 && value == 1 ? 1 : 0;
  return (value - x.first - mean) / std::sqrt(variance);
}

double Standardiser::scaled(const Seen& x, double value) {
  if (x.squares == 0) return value / std::fabs(x.first);  // an indicator
  const auto count = static_cast<double>(x.count);
  const double square = x.squares / count + 2 * x.first * x.sum / count + x.first * x.first;
  return square > 0 ? value / std::sqrt(square) : value;
}

void Standardiser::prepare(const Covector& row, std::vector<Index>& indices, Vec& values) {
  count(row);
  indices.clear();
  values.clear();
  const auto add = [&](Index i, double value) {
    if (value == 0) return;
    indices.push_back(i);
    values.push_back(value);
  };
  auto next = frequent_.begin();  // the row and the frequent features, both ascending, as one
  const auto frequent_below = [&](Index end) {
    for (; next != frequent_.end() && *next < end; ++next) add(*next, standardised(at(*next), 0));
  };
  row.each([&](Index i, double value) {
    frequent_below(i);
    const Seen& x = at(i);
    const bool present = std::fabs(value) >= kSmallest;
    if (x.frequent)
      add(*next++, standardised(x, present ? value : 0));
    else if (present)
      add(i, scaled(x, value));
  });
  frequent_below(static_cast<Index>(seen_.size()));
}

}  // namespace tarry
