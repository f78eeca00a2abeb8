#include "tarry/features/bends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr std::uint64_t kOften = 20;      // times that a number is seen before it bends: its deviation is known by then
constexpr double kCoarse = 4, kTile = 2;  // knots in a deviation
constexpr Index kFineHats = 2 * 6 * 16 + 1;  // the coarse ones come behind them
constexpr double kTileShare = 1.5;  // a tile says what no other feature does: it counts for more than a product
constexpr double kFarWord = 2.5;    // as of products
constexpr std::uint64_t kRanges = std::uint64_t{1} << 32;  // in the number of what was seen: ranges are there

// The nearest knots of a number, and how near: the one at or below it, and the next, unless it is on the first.
struct Hats {
  std::array<Index, 2> cell = {};
  std::array<double, 2> weight = {};
  std::size_t size = 1;

  Hats() = default;
  Hats(double z, double knots, double far) {
    const double at = (std::clamp(z, -far, far) + far) * knots, below = std::floor(at);
    cell = {static_cast<Index>(below), static_cast<Index>(below) + 1};
    weight = {1 - (at - below), at - below};
    if (weight[1] > 0) size = 2;
  }
};

constexpr std::size_t kHatsOf = 4;  // entries of a number, at most

}  // namespace

// Entries behind a row's others, written into memory that is there already.
class Bends::Behind {
 public:
  Behind(Row& wide, std::size_t most) : wide_(wide) {
    const std::size_t before = wide.indices.size();
    wide.indices.resize(before + most);
    wide.values.resize(before + most);
    index_ = wide.indices.data() + before;
    value_ = wide.values.data() + before;
  }
  void add(Index index, double value) {
    *index_++ = index;
    *value_++ = value;
  }
  // Of two numbers' hats, whose second cells are next to the first.
  void add_products(Index tiles, const Hats& one, const Hats& other) {
    Index* const index = index_;
    double* const value = value_;
    const Index first = tiles + one.cell[0] * kSide + other.cell[0];
    if (one.size == 2 && other.size == 2) [[likely]] {
      index[0] = first;
      index[1] = first + 1;
      index[2] = first + kSide;
      index[3] = first + kSide + 1;
      for (std::size_t k = 0; k < 4; ++k) value[k] = kTileShare * (one.weight[k / 2] * other.weight[k % 2]);
      index_ = index + 4;
      value_ = value + 4;
      return;
    }
    for (std::size_t i = 0; i < one.size; ++i)
      for (std::size_t j = 0; j < other.size; ++j)
        add(first + static_cast<Index>(i) * kSide + static_cast<Index>(j),
            kTileShare * (one.weight[i] * other.weight[j]));
  }
  void end() {
    const auto size = static_cast<std::size_t>(index_ - wide_.indices.data());
    ensure(size <= wide_.indices.size(), "a row's bends are no more than were thought");
    wide_.indices.resize(size);
    wide_.values.resize(size);
  }

 private:
  Row& wide_;
  Index* index_;
  double* value_;
};

void Bends::count(const RowView& row, std::uint64_t round) {
  if (of_ == 0) return;
  row.each([&](Index i, double value, bool number) {
    if (!number || i >= of_) return;
    Seen& x = seen_.at(i);
    if (x.count == 0) {
      x.first = x.second = x.least = x.largest = value;
      x.whole = true;
    }
    x.least = std::min(x.least, value);
    x.largest = std::max(x.largest, value);
    x.whole = x.whole && value == std::floor(value);
    if (x.from > 0) return;
    if (x.second == x.first) x.second = value;
    x.count += 1;
    if (x.count >= kOften && x.second != x.first && value != x.first && value != x.second) x.from = round + 1;
  });
}

void Bends::add_hats(Index slot, double z, Behind& out) const {
  const auto add = [&](const Hats& hats, Index begin) {
    for (std::size_t k = 0; k < hats.size; ++k) out.add(first_ + slot * kHats + begin + hats.cell[k], hats.weight[k]);
  };
  add(Hats(z, kFine, kFar), 0);
  add(Hats(z, kCoarse, kFar), kFineHats);
}

void Bends::add_tiles(const Covector& row, std::size_t known, const std::array<bool, kMostFeatures>& bent,
                      Behind& out) const {
  struct Number {
    Index slot;
    Hats hats;
  };
  std::array<Number, kMostTiled> numbers;
  std::size_t count = 0;
  const Index tiled = std::min(of_, kTiled), of_words = first_ + of_ * kHats;
  for (std::size_t a = 0; a < known && row.index(a) < kTiled; ++a)
    if (bent[a]) numbers[count++] = {row.index(a), Hats(row.values()[a], kTile, kFar)};
  for (std::size_t a = 0; a < count; ++a) {
    const auto& [slot, hats] = numbers[a];
    for (std::size_t b = 0; b < known; ++b) {
      if (bent[b]) continue;
      const Index tiles = of_words + (slot * of_ + row.index(b)) * kSide;
      const double value = std::clamp(row.values()[b], -kFarWord, kFarWord);
      for (std::size_t i = 0; i < hats.size; ++i) out.add(tiles + hats.cell[i], kTileShare * (hats.weight[i] * value));
    }
  }
  const Index of_numbers = of_words + tiled * of_ * kSide;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b)
      out.add_products(of_numbers + (numbers[a].slot * tiled + numbers[b].slot) * kSide * kSide, numbers[a].hats,
                       numbers[b].hats);
}

Covector Bends::widen(const Covector& row, const Covector& with_products, std::uint64_t round, Row& wide) const {
  const std::size_t size = row.stored();
  if (of_ == 0 || size > kMostFeatures) return with_products;
  std::array<bool, kMostFeatures> bent = {};
  std::size_t known = 0;  // features that may meet in a tile: the first ones
  for (std::size_t a = 0; a < size; ++a) {
    bent[a] = bends(row.index(a), round);
    known += row.index(a) < of_ ? 1 : 0;
  }
  if (std::find(bent.begin(), bent.end(), true) == bent.end()) return with_products;
  if (with_products.stored() == size) {  // it is the row itself
    wide.clear();
    row.each([&](Index i, double value) {
      wide.indices.push_back(i);
      wide.values.push_back(value);
    });
  }
  const bool tiles = known <= kMostTiled;
  Behind out(wide, known * (kHatsOf + (tiles ? 2 * known : 0)));
  for (std::size_t a = 0; a < known; ++a)
    if (bent[a]) add_hats(row.index(a), row.values()[a], out);
  if (tiles) add_tiles(row, known, bent, out);
  out.end();
  return Covector::sparse(wide.indices, wide.values);
}

std::pair<Index, Index> Bends::features_of(Index entry) const {
  const Index tiled = std::min(of_, kTiled);
  Index at = entry - first_;
  if (at < of_ * kHats) return {at / kHats, at / kHats};
  at -= of_ * kHats;
  if (at < tiled * of_ * kSide) return {at / kSide / of_, at / kSide % of_};
  at = (at - tiled * of_ * kSide) / (kSide * kSide);
  return {at / tiled, at % tiled};
}

Covector Bends::alone(Index slot, double deviations, Row& wide) const {
  wide.clear();
  wide.indices.push_back(slot);
  wide.values.push_back(deviations);
  Behind out(wide, kHatsOf);
  if (bends(slot)) add_hats(slot, deviations, out);
  out.end();
  return Covector::sparse(wide.indices, wide.values);
}

Covector Bends::finest(Index slot, double deviations, Row& wide) const {
  wide.clear();
  const Hats hats(deviations, kFine, kFar);
  for (std::size_t k = 0; k < hats.size; ++k) wide.add(first_ + slot * kHats + hats.cell[k], hats.weight[k], false);
  return Covector::sparse(wide.indices, wide.values);
}

Bends::Range Bends::range(Index slot) const {
  const Seen* x = slot < of_ ? seen_.find(slot) : nullptr;
  return x == nullptr ? Range{} : Range{x->least, x->largest, x->whole};
}

void Bends::save(ByteWriter& out) const {
  std::uint64_t count = 0;
  const auto each = [&](auto f) {
    seen_.each([&](Index i, const Seen& x) {
      if (x.count > 0) f(i, x);
    });
  };
  each([&](Index, const Seen&) { ++count; });
  out.u64(kRanges + count);
  each([&](Index i, const Seen& x) {
    out.i64(i);
    out.f64(x.first);
    out.f64(x.second);
    out.u64(x.count);
    out.u64(x.from);
    out.f64(x.least);
    out.f64(x.largest);
    out.u64(x.whole ? 1 : 0);
  });
}

void Bends::load(ByteReader& in) {
  Bends fresh(first_, of_);
  Index last = -1;
  std::uint64_t left = in.u64();
  const bool ranges = left >= kRanges;  // before, nothing was known of them
  for (left %= kRanges; left > 0; --left) {
    const Index i = in.i64();
    Seen x;
    x.first = in.f64();
    x.second = in.f64();
    x.count = in.u64();
    x.from = in.u64();
    x.least = ranges ? in.f64() : -spec::kLargest;
    x.largest = ranges ? in.f64() : spec::kLargest;
    x.whole = ranges && in.flag();
    const bool within = -spec::kLargest <= x.least && x.least <= std::min(x.first, x.second) &&
                        std::max(x.first, x.second) <= x.largest && x.largest <= spec::kLargest;
    const bool sized = within && std::fabs(x.first) <= spec::kLargest && std::fabs(x.second) <= spec::kLargest;
    if (i <= last || i >= of_ || x.count == 0 || !sized || (x.from > 0 && (x.count < kOften || x.first == x.second)))
      throw Error(Code::kCorrupt, "snapshot: what numbers bend is impossible");
    fresh.seen_.at(i) = x;
    last = i;
  }
  *this = std::move(fresh);
}

}  // namespace tarry
