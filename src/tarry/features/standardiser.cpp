#include "tarry/features/standardiser.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/linalg/standard_kernel.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr double kStillFrequent = 0.4;  // the share of rows down to which a frequent feature stays one
constexpr double kSmallest = 1e-140;    // smaller values count as 0: their squares vanish
constexpr double kRounding = kernels::kStandardRounding;
constexpr std::uint64_t kSettled = 20;  // values after which one can be far beyond all others
constexpr double kFar = kernels::kStandardFar;
constexpr int kExponents = 1024;

// ldexp and frexp where nothing is subnormal or infinite, without a call.
double power_of_two(int exponent) {
  if (exponent < -1022 || exponent > 1023) return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

int exponent_above(double off) {  // off < 2^exponent
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(off) >> 52);
  if (biased > 0 && biased < 2047) return biased - 1022;
  int exponent = 0;
  std::frexp(off, &exponent);
  return exponent;
}

}  // namespace

// Two thresholds: at one, a feature near it would change its meaning again and again.
bool Standardiser::is_frequent(const Seen& x) const {
  const auto count = static_cast<double>(x.count());
  return x.frequent() ? count >= kStillFrequent * rows_ : count > rows_ / 2;
}

// What is prepared of a row, and the first of the frequent features that it has not come to. Numbers and frequent
// features are put off, to be counted and standardised together.
struct Standardiser::Prepared {
  Index* indices;
  double* values;
  std::size_t size = 0, next = 0;
  Index coming;
  bool zeros = false;  // whether some of the others came to 0

  void add(Index i, double value) {
    indices[size] = i;
    values[size] = value;
    size += value != 0 ? 1 : 0;
  }
  void put_off(Index i) { indices[size++] = i; }
  void leave_out_zeros() {
    std::size_t kept = 0;
    for (std::size_t j = 0; j < size; ++j) {
      indices[kept] = indices[j];
      values[kept] = values[j];
      kept += values[j] != 0 ? 1 : 0;
    }
    size = kept;
  }
};

// What is nearer to `first` than the largest so far neither is taken as less nor grows that.
inline void Standardiser::Together::add(Seen& x, double value, bool number, double rows, std::size_t place) {
  if (features.empty()) [[unlikely]] {
    blocks.resize(kMost / kernels::kStandardLanes);
    features.resize(kMost);
  }
  kernels::StandardBlock& block = blocks[size / kernels::kStandardLanes];
  const std::size_t lane = size % kernels::kStandardLanes;
  const auto count = static_cast<double>(static_cast<std::int64_t>(x.count()) + 1);
  block.value[lane] = value;
  block.first[lane] = x.first;
  block.sum[lane] = x.sum;
  block.squares[lane] = x.squares;
  block.count[lane] = count;
  block.rows[lane] = number ? count : rows;
  block.limit[lane] = x.size() == 0 ? 0 : std::bit_cast<double>((x.size() - 1) << 52);
  block.says_one[lane] = number ? std::numeric_limits<double>::quiet_NaN() : 1;
  features[size++] = {&x, place};
}

inline Index Standardiser::frequent_at(std::size_t next) const {
  return next < frequent_.size() ? frequent_[next] : dimension_;
}

// The frequent ones that the row does not have; some may have become rare.
void Standardiser::add_absent(Index end, Prepared& to) {
  while (to.coming < end) {
    Seen& x = *seen_.find(to.coming);
    if (is_frequent(x)) {
      to.add(to.coming, standardised(x, 0));
      ++to.next;
    } else {
      x.set_frequent(false);
      frequent_.erase(frequent_.begin() + static_cast<std::ptrdiff_t>(to.next));
    }
    to.coming = frequent_at(to.next);
  }
}

// One pass counts and prepares each feature: what becomes of it depends on itself and on how many rows there were. The
// row and the frequent features, both ascending, are gone through as one. Flat: what the loop changes is in registers.
[[gnu::flatten]] void Standardiser::prepare(const RowView& row, std::vector<Index>& indices, Vec& values) {
  seen_.find_row(row.entries(), at_);
  indices.resize(row.entries().stored() + frequent_.size() + 1);
  values.resize(indices.size());
  rows_ += 1;
  const auto half = static_cast<std::uint64_t>(rows_) / 2;
  together_.size = 0;
  Prepared to{indices.data(), values.data(), 0, 0, frequent_at(0)};
  Seen* const* at = at_.data();
  std::size_t size = 0;
  Index coming = to.coming;
  const auto by_itself = [&](auto prepare) {
    to.size = size;
    prepare();
    size = to.size;
    coming = to.coming;
  };
  row.each([&](Index i, double value, bool number) {
    Seen* x = *at++;
    if (coming < i) [[unlikely]]
      by_itself([&] { add_absent(i, to); });
    if (!number) {
      if (std::fabs(value) < kSmallest) return;  // as if it were not there
      // A rare indicator, as most are: it has had this value alone, in at most half of the rows with this one.
      if (x != nullptr && value == x->first && x->squares == 0 && x->counts < half) [[likely]] {
        x->counts += 1;
        to.indices[size] = i;
        to.values[size++] = std::copysign(1.0, value);
        return;
      }
    }
    by_itself([&] { prepare_one(i, value, number, x, to); });
  });
  to.size = size;
  add_absent(dimension_, to);
  if (together_.size > 0) settle(to);
  if (to.zeros) to.leave_out_zeros();
  indices.resize(to.size);
  values.resize(to.size);
}

// Any feature that is there; `x` is null where it was never seen.
[[gnu::noinline]] void Standardiser::prepare_one(Index i, double value, bool number, Seen* x, Prepared& to) {
  if (x != nullptr && x->count() > 0 && (number || x->frequent())) {
    if (x->frequent()) to.coming = frequent_at(++to.next);
    together_.add(*x, value, number, rows_, to.size);
    to.put_off(i);
    if (together_.size == Together::kMost) settle(to);
    return;
  }
  if (x == nullptr) x = &seen_.at(i);
  if (x->counts == 0 && !number && rows_ >= 2) {  // new, and in one row of several: an indicator, for all that is known
    x->first = value;
    x->counts = 1;
    return to.add(i, std::copysign(1.0, value));
  }
  count(*x, value);
  if (!number && !x->frequent() && is_frequent(*x)) {
    x->set_frequent(true);
    frequent_.insert(frequent_.begin() + static_cast<std::ptrdiff_t>(to.next), i);
  }
  if (x->frequent()) to.coming = frequent_at(++to.next);
  to.add(i, prepared(*x, value, number));
}

// The ones that were put off get their values.
void Standardiser::settle(Prepared& to) {
  kernels::standardise(together_.blocks.data(), together_.size);
  for (std::size_t k = 0; k < together_.size; ++k) {
    const auto [x, place] = together_.features[k];
    const kernels::StandardBlock& block = together_.blocks[k / kernels::kStandardLanes];
    const std::size_t lane = k % kernels::kStandardLanes;
    double z = block.standard[lane];
    if (std::isnan(z)) [[unlikely]] {
      count(*x, block.value[lane]);
      z = prepared(*x, block.value[lane], std::isnan(block.says_one[lane]));
    } else {
      x->sum = block.sum[lane];
      x->squares = block.squares[lane];
      x->counts += 1;
    }
    to.values[place] = z;
    to.zeros = to.zeros || z == 0;
  }
  together_.size = 0;
}

void Standardiser::count(Seen& x, double value) {
  if (x.count() == 0) x.first = value;
  if (value != x.first) {  // indicators always have the same
    value = within(x, value, 2);
    grow(x, value);
    x.sum += value - x.first;
    x.squares += (value - x.first) * (value - x.first);
  }
  x.counts += 1;
}

// One that is there, or a number, counted.
double Standardiser::prepared(const Seen& x, double value, bool number) const {
  if (value != x.first) value = within(x, value, 1);
  if (number) return standardised_number(x, value);
  return x.frequent() ? standardised(x, value) : scaled(x, value);
}

// No farther from `first` than so many times the largest so far, or five deviations from there.
double Standardiser::within(const Seen& x, double value, double times) {
  if (x.count() < kSettled || x.size() == 0) return value;
  const double largest = times * power_of_two(static_cast<int>(x.size()) - kExponents);
  const double off = value - x.first;
  if (std::fabs(off) <= largest) return value;
  const double limit = std::max(largest, kFar * std::sqrt(x.squares / static_cast<double>(x.count())));
  return std::fabs(off) <= limit ? value : x.first + std::copysign(limit, off);
}

void Standardiser::grow(Seen& x, double value) {
  const double off = std::fabs(value - x.first);
  if (off == 0) return;
  const int exponent = exponent_above(off);
  x.set_size(std::max<std::uint64_t>(x.size(), static_cast<std::uint64_t>(std::max(1, exponent + kExponents))));
}

// (value − mean)/deviation over all rows; those without it have 0, which is −first away from `first`.
double Standardiser::standardised(const Seen& x, double value) const {
  const double absent = rows_ - static_cast<double>(x.count());
  const double mean = (x.sum - absent * x.first) / rows_;  // of value − first
  const double square = (x.squares + absent * x.first * x.first) / rows_;
  const double variance = square - mean * mean;
  if (!(variance > kRounding * square)) return absent == 0 && value == 1 ? 1 : 0;
  const double z = (value - x.first - mean) / std::sqrt(variance);
  return x.squares == 0 ? std::clamp(z, -kFar, kFar) : z;  // the rare absence of an indicator
}

// The same over the rows that had it.
double Standardiser::standardised_number(const Seen& x, double value) {
  const auto count = static_cast<double>(x.count());
  const double mean = x.sum / count, square = x.squares / count;
  const double variance = square - mean * mean;
  return variance > kRounding * square ? (value - x.first - mean) / std::sqrt(variance) : 0;
}

Standardiser::Spread Standardiser::spread(Index slot) const {
  const Seen* x = seen_.find(slot);
  if (x == nullptr || x->count() == 0) return {};
  const auto count = static_cast<double>(x->count());
  const double mean = x->sum / count, square = x->squares / count, variance = square - mean * mean;
  return {x->first + mean, variance > kRounding * square ? std::sqrt(variance) : 0};
}

double Standardiser::scaled(const Seen& x, double value) {
  if (x.squares == 0 && x.first != 0)  // an indicator
    return value == x.first ? std::copysign(1.0, value) : value / std::fabs(x.first);
  const auto count = static_cast<double>(x.count());
  const double square = x.squares / count + 2 * x.first * x.sum / count + x.first * x.first;
  return square > 0 ? value / std::sqrt(square) : value;
}

void Standardiser::view(const RowView& row, std::vector<Index>& indices, Vec& values) const {
  indices.clear();
  values.clear();
  indices.reserve(row.entries().stored() + frequent_.size());
  values.reserve(indices.capacity());
  const auto add = [&](Index i, double value) {
    if (value == 0) return;
    indices.push_back(i);
    values.push_back(value);
  };
  auto next = frequent_.begin();  // the row and the frequent features, both ascending, as one
  const auto frequent_below = [&](Index end) {
    for (; next != frequent_.end() && *next < end; ++next) add(*next, standardised(*seen_.find(*next), 0));
  };
  row.each([&](Index i, double value, bool number) {
    frequent_below(i);
    const Seen* x = seen_.find(i);
    if (x == nullptr || x->count() == 0) return;
    if (x->frequent()) ++next;
    if (number || std::fabs(value) >= kSmallest)
      add(i, prepared(*x, value, number));
    else if (x->frequent())
      add(i, standardised(*x, 0));
  });
  frequent_below(dimension_);
}

void Standardiser::save(ByteWriter& out) const {
  out.f64(rows_);
  std::uint64_t count = 0;
  const auto each = [&](auto f) {
    seen_.each([&](Index i, const Seen& x) {
      if (x.count() > 0) f(i, x);
    });
  };
  each([&](Index, const Seen&) { ++count; });
  out.u64(count);
  each([&](Index i, const Seen& x) {
    out.i64(i);
    out.u64(x.count() << 13 | x.size() << 1 | (x.frequent() ? 1 : 0));
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
    x.counts = counted >> 13;
    x.set_size(counted >> 1 & 0xFFF);
    x.set_frequent(counted & 1);
    x.first = in.f64();
    x.sum = in.f64();
    x.squares = in.f64();
    const bool possible = x.count() > 0 && static_cast<double>(x.count()) <= fresh.rows_ &&
                          std::fabs(x.first) <= spec::kLargest && std::isfinite(x.sum) && std::isfinite(x.squares) &&
                          x.squares >= 0;
    if (i <= last || i >= dimension_ || !possible || (x.frequent() && !fresh.is_frequent(x))) corrupt();
    fresh.seen_.at(i) = x;
    if (x.frequent()) fresh.frequent_.push_back(i);
    last = i;
  }
  *this = std::move(fresh);
}

}  // namespace tarry
