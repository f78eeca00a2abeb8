#include "tarry/features/standardiser.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr double kStillFrequent = 0.4;  // the share of rows down to which a frequent feature stays one
constexpr double kSmallest = 1e-140;    // smaller values count as 0: their squares vanish
constexpr double kRounding = 1e-14;     // of a variance, beside the squares that it is the difference of
constexpr std::uint64_t kSettled = 20;  // values after which one can be far beyond all others
constexpr double kFar = 5;              // deviations
constexpr int kExponents = 1024;

// Elements of one page lie side by side.
constexpr std::uint64_t page_of(Index i) { return static_cast<std::uint64_t>(i) / Paged<int>::kPage; }

// ldexp and frexp where nothing is subnormal or infinite, without a call.
inline double power_of_two(int exponent) {
  if (exponent < -1022 || exponent > 1023) [[unlikely]]
    return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

inline int exponent_above(double off) {  // off < 2^exponent
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(off) >> 52);
  if (biased > 0 && biased < 2047) [[likely]]
    return biased - 1022;
  int exponent = 0;
  std::frexp(off, &exponent);
  return exponent;
}

}  // namespace

// Two thresholds: at one, a feature near it would change its meaning again and again.
bool Standardiser::is_frequent(const Seen& x) const {
  const auto count = static_cast<double>(x.count);
  return x.frequent ? count >= kStillFrequent * rows_ : count > rows_ / 2;
}

// No farther from `first` than so many times the largest so far, or five deviations from there.
[[gnu::always_inline]] inline double Standardiser::within(const Seen& x, double value, double times) {
  if (x.count < kSettled || x.size == 0) return value;
  const double largest = times * power_of_two(static_cast<int>(x.size) - kExponents);
  const double off = value - x.first;
  return std::fabs(off) <= largest ? value : brought_within(x, value, largest);
}

double Standardiser::brought_within(const Seen& x, double value, double largest) {
  const double off = value - x.first;
  const double limit = std::max(largest, kFar * std::sqrt(x.squares / static_cast<double>(x.count)));
  return std::fabs(off) <= limit ? value : x.first + std::copysign(limit, off);
}

[[gnu::always_inline]] inline void Standardiser::grow(Seen& x, double value) {
  const double off = std::fabs(value - x.first);
  if (off == 0) return;
  const int exponent = exponent_above(off);
  x.size = std::max<std::uint64_t>(x.size, static_cast<std::uint64_t>(std::max(1, exponent + kExponents)));
}

void Standardiser::count(const RowView& row) {
  rows_ += 1;
  counted_.resize(row.entries().stored());
  std::size_t next = 0;
  Index last = -1;
  row.entries().each([&](Index i, double) {  // all at once: rare features are far apart in memory
    const bool near = next > 0 && page_of(i) == page_of(last) && counted_[next - 1] != nullptr;  // as in dense rows
    Seen* const at = near ? counted_[next - 1] + (i - last) : seen_.find(i);
    __builtin_prefetch(at);
    counted_[next++] = at;
    last = i;
  });
  next = 0;
  std::size_t frequent = 0;  // of this row
  row.each([&](Index i, double value, bool number) {
    Seen*& at = counted_[next++];
    if (!number && std::fabs(value) < kSmallest) return;
    if (at == nullptr) at = &seen_.at(i);
    Seen x = *at;  // in registers
    if (x.count == 0) x.first = value;
    value = within(x, value, 2);
    grow(x, value);
    x.count += 1;
    x.sum += value - x.first;
    x.squares += (value - x.first) * (value - x.first);
    *at = x;
    frequent += x.frequent;
    if (number || x.frequent || !is_frequent(x)) return;
    at->frequent = 1;
    frequent_.insert(std::lower_bound(frequent_.begin(), frequent_.end(), i), i);
    ++frequent;
  });
  if (frequent == frequent_.size()) return;  // those that a row has stay frequent
  std::erase_if(frequent_, [&](Index i) {
    Seen& x = *seen_.find(i);
    x.frequent = is_frequent(x);
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
  const double z = (value - x.first - mean) / std::sqrt(variance);
  return x.squares == 0 ? std::clamp(z, -kFar, kFar) : z;  // the rare absence of an indicator
}

// The same over the rows that had it.
[[gnu::always_inline]] inline double Standardiser::standardised_number(const Seen& x, double value) {
  const auto count = static_cast<double>(x.count);
  const double mean = x.sum / count, square = x.squares / count;
  const double variance = square - mean * mean;
  return variance > kRounding * square ? (value - x.first - mean) / std::sqrt(variance) : 0;
}

Standardiser::Spread Standardiser::spread(Index slot) const {
  const Seen* x = seen_.find(slot);
  if (x == nullptr || x->count == 0) return {};
  const auto count = static_cast<double>(x->count);
  const double mean = x->sum / count, square = x->squares / count, variance = square - mean * mean;
  return {x->first + mean, variance > kRounding * square ? std::sqrt(variance) : 0};
}

double Standardiser::scaled(const Seen& x, double value) {
  if (x.squares == 0 && x.first != 0) return value / std::fabs(x.first);  // an indicator
  const auto count = static_cast<double>(x.count);
  const double square = x.squares / count + 2 * x.first * x.sum / count + x.first * x.first;
  return square > 0 ? value / std::sqrt(square) : value;
}

// `seen_at(i, j)`: what was seen of the row's entry j, feature i.
template <class Find>
void Standardiser::view(const RowView& row, Find seen_at, std::vector<Index>& indices, Vec& values) const {
  const std::size_t most = row.entries().stored() + frequent_.size();
  indices.resize(most);
  values.resize(most);
  std::size_t size = 0;
  const auto add = [&](Index i, double value) {
    indices[size] = i;
    values[size] = value;
    size += value != 0 ? 1 : 0;
  };
  auto next = frequent_.begin();  // the row and the frequent features, both ascending, as one
  const auto frequent_below = [&](Index end) {
    for (; next != frequent_.end() && *next < end; ++next) add(*next, standardised(*seen_.find(*next), 0));
  };
  std::size_t entry = 0;
  row.each([&](Index i, double value, bool number) {
    frequent_below(i);
    const Seen* x = seen_at(i, entry++);
    if (x == nullptr || x->count == 0) return;
    if (x->frequent) ++next;
    if (number) return add(i, standardised_number(*x, within(*x, value, 1)));
    const bool present = std::fabs(value) >= kSmallest;
    if (present) value = within(*x, value, 1);
    if (x->frequent)
      add(i, standardised(*x, present ? value : 0));
    else if (present)
      add(i, scaled(*x, value));
  });
  frequent_below(dimension_);
  indices.resize(size);
  values.resize(size);
}

void Standardiser::view(const RowView& row, std::vector<Index>& indices, Vec& values) const {
  view(
      row, [&](Index i, std::size_t) { return seen_.find(i); }, indices, values);
}

void Standardiser::prepare(const RowView& row, std::vector<Index>& indices, Vec& values) {
  count(row);
  view(
      row, [&](Index, std::size_t entry) { return static_cast<const Seen*>(counted_[entry]); }, indices, values);
}

void Standardiser::save(ByteWriter& out) const {
  out.f64(rows_);
  std::uint64_t count = 0;
  const auto each = [&](auto f) {
    seen_.each([&](Index i, const Seen& x) {
      if (x.count > 0) f(i, x);
    });
  };
  each([&](Index, const Seen&) { ++count; });
  out.u64(count);
  each([&](Index i, const Seen& x) {
    out.i64(i);
    out.u64(std::uint64_t{x.count} << 13 | std::uint64_t{x.size} << 1 | x.frequent);
    out.f64(x.first);
    out.f64(x.sum);
    out.f64(x.squares);
  });
}

void Standardiser::load(ByteReader& in) {
  const auto corrupt = [] { throw Error(Code::kCorrupt, "snapshot: the sizes of the features are impossible"); };
  Standardiser fresh(dimension_);
  fresh.rows_ = in.f64();
  if (!(fresh.rows_ >= 0 && fresh.rows_ <= 0x1p53 && fresh.rows_ == std::floor(fresh.rows_))) corrupt();
  Index last = -1;
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const Index i = in.i64();
    const std::uint64_t counted = in.u64();
    Seen x;
    x.count = counted >> 13;
    x.size = counted >> 1;
    x.frequent = counted & 1;
    x.first = in.f64();
    x.sum = in.f64();
    x.squares = in.f64();
    const bool possible = x.count > 0 && static_cast<double>(x.count) <= fresh.rows_ &&
                          std::fabs(x.first) <= spec::kLargest && std::isfinite(x.sum) && std::isfinite(x.squares) &&
                          x.squares >= 0;
    if (i <= last || i >= dimension_ || !possible || (x.frequent && !fresh.is_frequent(x))) corrupt();
    fresh.seen_.at(i) = x;
    if (x.frequent) fresh.frequent_.push_back(i);
    last = i;
  }
  *this = std::move(fresh);
}

}  // namespace tarry
