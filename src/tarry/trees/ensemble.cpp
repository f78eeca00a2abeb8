#include "tarry/trees/ensemble.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/trees/bins.h"

namespace tarry::trees {
namespace {

[[noreturn]] void refuse_ensemble() { throw Error(Code::kCorrupt, "snapshot: a tree is impossible"); }

}  // namespace

// A slot that a row lacks counts as 0, which is where standardised numbers have their mean.
double Ensemble::predict(std::span<const std::int64_t> slots, std::span<const double> values) const {
  std::array<float, Bins::kMostColumns> row = {};
  constexpr double kMost = std::numeric_limits<float>::max();
  for (std::size_t i = 0, c = 0; i < slots.size() && c < slots_.size();) {
    if (slots[i] < static_cast<std::int64_t>(slots_[c])) {
      ++i;
    } else if (slots[i] > static_cast<std::int64_t>(slots_[c])) {
      ++c;
    } else {
      row[c++] = static_cast<float>(std::clamp(values[i++], -kMost, kMost));
    }
  }
  return exits_->sum(start_, row);
}

void Ensemble::save(ByteWriter& out) const {
  out.u64(slots_.size());
  for (std::uint32_t slot : slots_) out.u64(slot);
  out.f64(start_);
  out.u64(trees_.size());
  for (const Tree& tree : trees_) {
    out.u64(tree.branches.size());
    for (const Branch& branch : tree.branches) {
      out.u64(branch.column);
      out.f64(static_cast<double>(branch.cut));
      out.i64(branch.low);
      out.i64(branch.high);
    }
    out.reals(tree.leaves);
  }
}

void Ensemble::load(ByteReader& in) {
  Ensemble fresh;
  for (std::uint64_t left = in.count(); left > 0; --left) {
    const std::uint64_t slot = in.u64();
    if (slot >> 32 != 0 || (!fresh.slots_.empty() && slot <= fresh.slots_.back())) refuse_ensemble();
    fresh.slots_.push_back(static_cast<std::uint32_t>(slot));
  }
  if (fresh.slots_.size() > Bins::kMostColumns) refuse_ensemble();
  fresh.start_ = in.finite();
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    Tree tree;
    const std::uint64_t count = in.count(32);
    if (count >= Exits::kMostLeaves) refuse_ensemble();
    std::array<bool, 2 * Exits::kMostLeaves> reached = {};
    const auto way = [&](std::uint64_t from) {  // never back to where it came from, nor where another one leads
      const std::int64_t to = in.i64(), most = static_cast<std::int64_t>(count);
      if (to >= most || to < -1 - most || (to >= 0 && to <= static_cast<std::int64_t>(from))) refuse_ensemble();
      if (std::exchange(reached[static_cast<std::size_t>(to + Exits::kMostLeaves)], true)) refuse_ensemble();
      return static_cast<std::int32_t>(to);
    };
    for (std::uint64_t i = 0; i < count; ++i) {
      Branch branch;
      const std::uint64_t column = in.u64();
      if (column >= fresh.slots_.size()) refuse_ensemble();
      branch.column = static_cast<std::uint32_t>(column);
      branch.cut = static_cast<float>(in.finite());
      branch.low = way(i);
      branch.high = way(i);
      tree.branches.push_back(branch);
    }
    tree.leaves = in.reals(count + 1);
    fresh.trees_.push_back(std::move(tree));
  }
  fresh.done();
  *this = std::move(fresh);
}

}  // namespace tarry::trees
