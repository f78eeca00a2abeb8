#include "tarry/model/standardiser.h"

#include <algorithm>
#include <cmath>

namespace tarry {
namespace {

constexpr double kRounding = 1e-14;  // of a variance, beside the squares that it is the difference of

}  // namespace

void Standardiser::count(const Covector& row) {
  rows_ += 1;
  row.each([&](Index i, double value) {
    if (value == 0) return;
    Seen& x = seen_[static_cast<std::size_t>(i)];
    if (x.count == 0) x.first = value;
    x.count += 1;
    x.sum += value - x.first;
    x.squares += (value - x.first) * (value - x.first);
    x.now = value;
    if (!x.frequent && x.count > rows_ / 2) {
      x.frequent = true;
      frequent_.push_back(i);
    }
  });
  std::erase_if(frequent_, [&](Index i) {
    Seen& x = seen_[static_cast<std::size_t>(i)];
    x.frequent = x.count > rows_ / 2;
    return !x.frequent;
  });
}

// (value − mean)/deviation over all rows; those without it have 0, which is −first away from `first`.
double Standardiser::standardised(const Seen& x) const {
  const double absent = rows_ - x.count;
  const double mean = (x.sum - absent * x.first) / rows_;  // of value − first
  const double square = (x.squares + absent * x.first * x.first) / rows_;
  const double variance = square - mean * mean;
  if (!(variance > kRounding * square)) return absent == 0 && x.now == 1 ? 1 : 0;
  return (x.now - x.first - mean) / std::sqrt(variance);
}

double Standardiser::scaled(const Seen& x, double value) {
  const double square = x.squares / x.count + 2 * x.first * x.sum / x.count + x.first * x.first;
  return square > 0 ? value / std::sqrt(square) : value;
}

void Standardiser::prepare(const Covector& row, std::vector<Index>& indices, Vec& values) {
  for (Index i : frequent_) seen_[static_cast<std::size_t>(i)].now = 0;
  count(row);
  std::vector<std::pair<Index, double>> entries;
  row.each([&](Index i, double value) {
    const Seen& x = seen_[static_cast<std::size_t>(i)];
    if (!x.frequent && value != 0) entries.emplace_back(i, scaled(x, value));
  });
  for (Index i : frequent_) entries.emplace_back(i, standardised(seen_[static_cast<std::size_t>(i)]));
  std::sort(entries.begin(), entries.end());
  indices.clear();
  values.clear();
  for (const auto& [i, value] : entries) {
    if (value == 0) continue;
    indices.push_back(i);
    values.push_back(value);
  }
}

}  // namespace tarry
