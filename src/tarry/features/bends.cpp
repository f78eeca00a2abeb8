#include "tarry/features/bends.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr std::uint64_t kOften = 20;  // times that a number is seen before it bends: its deviation is known by then
constexpr double kCoarse = 4, kFine = 16, kTile = 2;  // knots in a deviation
constexpr Index kFineHats = 2 * 6 * 16 + 1;           // the coarse ones come behind them
constexpr double kTileShare = 1.5;  // a tile says what no other feature does: it counts for more than a product
constexpr double kFarWord = 2.5;    // as of products

// The nearest knots of a number, and how near: the one at or below it, and the next, unless it lies on the first.
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

}  // namespace

void Bends::count(const RowView& row, std::uint64_t round) {
  if (of_ == 0) return;
  row.each([&](Index i, double value, bool number) {
    if (!number || i >= of_) return;
    Seen& x = seen_.at(i);
    if (x.from > 0) return;
    if (x.count == 0) x.first = x.second = value;
    if (x.second == x.first) x.second = value;
    x.count += 1;
    if (x.count >= kOften && x.second != x.first && value != x.first && value != x.second) x.from = round + 1;
  });
}

void Bends::add_hats(Index slot, double z, Row& wide) const {
  const auto add = [&](const Hats& hats, Index begin) {
    for (std::size_t k = 0; k < hats.size; ++k) {
      wide.indices.push_back(first_ + slot * kHats + begin + hats.cell[k]);
      wide.values.push_back(hats.weight[k]);
    }
  };
  add(Hats(z, kFine, kFar), 0);
  add(Hats(z, kCoarse, kFar), kFineHats);
}

// Of the row's first `known` features, which `wide` begins with.
void Bends::add_tiles(std::size_t known, const std::array<bool, kMostFeatures>& bent, Row& wide) const {
  std::array<Hats, kMostTiled> hats;
  const auto add = [&](Index at, double weight) {
    wide.indices.push_back(at);
    wide.values.push_back(kTileShare * weight);
  };
  const auto each_number = [&](auto use) {
    for (std::size_t a = 0; a < known && wide.indices[a] < kTiled; ++a)
      if (bent[a]) use(a);
  };
  const Index of_words = first_ + of_ * kHats, of_numbers = of_words + std::min(of_, kTiled) * of_ * kSide;
  each_number([&](std::size_t a) {
    hats[a] = Hats(wide.values[a], kTile, kFar);
    for (std::size_t b = 0; b < known; ++b) {
      if (bent[b]) continue;
      const Index tiles = of_words + (wide.indices[a] * of_ + wide.indices[b]) * kSide;
      const double value = std::clamp(wide.values[b], -kFarWord, kFarWord);
      for (std::size_t i = 0; i < hats[a].size; ++i) add(tiles + hats[a].cell[i], hats[a].weight[i] * value);
    }
  });
  each_number([&](std::size_t a) {
    each_number([&](std::size_t b) {
      if (b <= a) return;
      const Index tiles = of_numbers + (wide.indices[a] * std::min(of_, kTiled) + wide.indices[b]) * kSide * kSide;
      for (std::size_t i = 0; i < hats[a].size; ++i)
        for (std::size_t j = 0; j < hats[b].size; ++j)
          add(tiles + hats[a].cell[i] * kSide + hats[b].cell[j], hats[a].weight[i] * hats[b].weight[j]);
    });
  });
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
  for (std::size_t a = 0; a < known; ++a)
    if (bent[a]) add_hats(row.index(a), wide.values[a], wide);
  if (known <= kMostTiled) add_tiles(known, bent, wide);
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
  if (bends(slot)) add_hats(slot, deviations, wide);
  return Covector::sparse(wide.indices, wide.values);
}

void Bends::save(ByteWriter& out) const {
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
    out.f64(x.first);
    out.f64(x.second);
    out.u64(x.count);
    out.u64(x.from);
  });
}

void Bends::load(ByteReader& in) {
  Bends fresh(first_, of_);
  Index last = -1;
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const Index i = in.i64();
    Seen x;
    x.first = in.f64();
    x.second = in.f64();
    x.count = in.u64();
    x.from = in.u64();
    const bool sized = std::fabs(x.first) <= spec::kLargest && std::fabs(x.second) <= spec::kLargest;
    if (i <= last || i >= of_ || x.count == 0 || !sized || (x.from > 0 && (x.count < kOften || x.first == x.second)))
      throw Error(Code::kCorrupt, "snapshot: what numbers bend is impossible");
    fresh.seen_.at(i) = x;
    last = i;
  }
  *this = std::move(fresh);
}

}  // namespace tarry
