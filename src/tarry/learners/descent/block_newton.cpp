#include "tarry/learners/descent/block_newton.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/quadratic_kernel.h"

namespace tarry {
namespace {

constexpr std::size_t kFirstStride = 8;
static_assert(BlockNewton::kDense <= kernels::kMostQuadratic);

}  // namespace

BlockNewton::Run BlockNewton::run(const Covector& row) const {
  if (!row.is_sparse() || row.stored() == 0) return {};
  const auto [feature, local] = address(row.index(0));
  const auto found = blocks_.find(feature);
  if (found == blocks_.end()) return {};
  const Block& block = found->second;
  const auto& place_of = block.place_of;
  const auto begin = static_cast<std::size_t>(local);
  const std::size_t first = begin < place_of.size() ? place_of[begin] : 0, size = row.stored();
  if (first == 0 || first - 1 + size > block.dense) return {};
  const Index own = features_ + feature * of_ - 1;  // from here on its products are numbered
  const std::size_t most = std::min(place_of.size(), static_cast<std::size_t>(of_) + 1);
  for (std::size_t i = 1; i < size; ++i) {
    const auto at = static_cast<std::size_t>(row.index(i) - own);
    if (at >= most || at == 0 || place_of[at] != first + i) return {};
  }
  return {&block, first - 1};
}

double BlockNewton::predict(const Covector& row) const {
  double sum = 0;
  if (const auto [own, first] = run(row); own != nullptr) {
    for (std::size_t i = 0; i < row.stored(); ++i) sum += own->weights[first + i] * row.values()[i];
    return sum;
  }
  Address at_hand{-1, 0};
  const Block* block = nullptr;
  row.each([&](Index i, double value) {
    const Index last = at_hand.block;
    at_hand = address(i, at_hand);
    const auto [feature, local] = at_hand;
    if (feature != last) {
      const auto found = blocks_.find(feature);
      block = found == blocks_.end() ? nullptr : &found->second;
    }
    if (block == nullptr || static_cast<std::size_t>(local) >= block->place_of.size()) return;
    if (const std::uint32_t at = block->place_of[static_cast<std::size_t>(local)]; at > 0)
      sum += block->weights[at - 1] * value;
  });
  return sum;
}

double BlockNewton::variance(const Covector& row) const {
  if (const auto [own, first] = run(row); own != nullptr) {
    const double* of = own->matrix.data() + first * (own->stride + 1);
    return std::max(kernels::add_quadratic(0, {of, own->stride, own->stride - first}, row.values()), 0.0);
  }
  struct Known {
    const Block* block;
    std::size_t place;
    double value;
  };
  thread_local std::vector<Known> known;
  known.clear();
  double sum = 0;
  Address at_hand{-1, 0};
  const Block* block = nullptr;
  row.each([&](Index i, double value) {
    const Index last = at_hand.block;
    at_hand = address(i, at_hand);
    const auto [feature, local] = at_hand;
    if (feature != last) {
      const auto found = blocks_.find(feature);
      block = found == blocks_.end() ? nullptr : &found->second;
    }
    const auto at = static_cast<std::size_t>(local);
    const std::uint32_t place = block != nullptr && at < block->place_of.size() ? block->place_of[at] : 0;
    if (place == 0)
      sum += kPrior * value * value;
    else if (place - 1 >= block->dense)
      sum += variance_at(*block, place - 1) * value * value;
    else
      known.push_back({block, place - 1, value});
  });
  // As add_quadratic does it.
  thread_local Vec before;
  before.assign(known.size(), 0.0);
  for (std::size_t j = 0; j < known.size(); ++j) {
    const auto [own, place, value] = known[j];
    const double* of_row = own->matrix.data() + place * own->stride;
    double* sums = before.data() + j;
    const std::size_t rest = known.size() - j;
    for (std::size_t i = 1; i < rest; ++i)
      if (known[j + i].block == own) sums[i] += of_row[known[j + i].place] * value;
    sum += value * (2 * before[j] + of_row[place] * value);
  }
  return std::max(sum, 0.0);
}

void BlockNewton::write(std::span<double> x) const {
  std::fill(x.begin(), x.end(), 0.0);
  for (const auto& [feature, block] : blocks_)
    for (std::size_t p = 0; p < block.weights.size(); ++p)
      x[static_cast<std::size_t>(index(feature, block.locals[p]))] = block.weights[p];
}

// A weight that was never touched is certain of nothing, and goes with no other.
std::size_t BlockNewton::place(Block& block, Index local) {
  const auto at = static_cast<std::size_t>(local);
  if (at >= block.place_of.size()) block.place_of.resize(at + 1, 0);
  if (block.place_of[at] > 0) return block.place_of[at] - 1;
  const std::size_t place = block.weights.size();
  block.place_of[at] = static_cast<std::uint32_t>(place + 1);
  block.locals.push_back(local);
  block.weights.push_back(0);
  if (block.variances.empty() && block.dense == block.stride) widen(block);
  if (block.variances.empty() && block.dense < block.stride)
    block.matrix[block.dense * block.stride + block.dense] = kPrior, ++block.dense;
  else
    block.variances.push_back(kPrior);
  return place;
}

void BlockNewton::widen(Block& block) {
  const std::size_t stride = block.stride == 0 ? kFirstStride : 2 * block.stride, size = stride * stride;
  if (stride > kDense || numbers_ + size - block.matrix.size() > kMostNumbers) return;
  Vec matrix(size, 0.0);
  for (std::size_t i = 0; i < block.dense; ++i)
    std::copy_n(block.matrix.begin() + static_cast<std::ptrdiff_t>(i * block.stride), block.dense,
                matrix.begin() + static_cast<std::ptrdiff_t>(i * stride));
  numbers_ += size - block.matrix.size();
  block.matrix = std::move(matrix);
  block.stride = stride;
}

// Pa of one block, and its part of q.
double BlockNewton::reach(Part& part) const {
  const Block& block = *part.block;
  part.reach.assign(block.dense, 0.0);
  double sum = 0;
  for (const auto& [place, value] : part.entries) {
    if (place < block.dense) {
      const double* of_row = block.matrix.data() + place * block.stride;
      for (std::size_t i = 0; i < block.dense; ++i) part.reach[i] += value * of_row[i];
    } else {
      sum += value * value * block.variances[place - block.dense];
    }
  }
  for (const auto& [place, value] : part.entries)
    if (place < block.dense) sum += value * part.reach[place];
  return sum;
}

BlockNewton::Look BlockNewton::look(const Covector& row) {
  used_ = 0;
  Address at_hand{-1, 0};
  row.each([&](Index i, double value) {
    at_hand = address(i, at_hand);
    const auto [feature, local] = at_hand;
    std::size_t at = 0;
    while (at < used_ && parts_[at].feature != feature) ++at;
    if (at == used_) {
      if (++used_ > parts_.size()) parts_.emplace_back();
      parts_[at].block = &blocks_[feature];
      parts_[at].feature = feature;
      parts_[at].entries.clear();
    }
    parts_[at].entries.push_back({place(*parts_[at].block, local), value});
  });
  Look seen{0, 0};
  for (std::size_t at = 0; at < used_; ++at) {
    for (const auto& [place, value] : parts_[at].entries) seen.prediction += parts_[at].block->weights[place] * value;
    seen.variance += reach(parts_[at]);
  }
  seen.variance = std::max(seen.variance, 0.0);
  variance_ = seen.variance;
  return seen;
}

void BlockNewton::step(double slope) {
  if (slope == 0) return;
  const auto move = [&](const Part& part, std::size_t place, double reach) {
    double& x = part.block->weights[place];
    const Index i = index(part.feature, part.block->locals[place]);
    x = std::clamp(x - slope * reach, box_.lower(i), box_.upper(i));
  };
  for (std::size_t at = 0; at < used_; ++at) {
    const Part& part = parts_[at];
    for (std::size_t i = 0; i < part.reach.size(); ++i) move(part, i, part.reach[i]);
    for (const auto& [place, value] : part.entries)
      if (place >= part.block->dense) move(part, place, value * part.block->variances[place - part.block->dense]);
  }
}

void BlockNewton::shrink(double curvature) {
  if (!(curvature > 0)) return;
  const double by = curvature / (1 + curvature * variance_);
  for (std::size_t at = 0; at < used_; ++at) {
    Part& part = parts_[at];
    Block& block = *part.block;
    for (std::size_t i = 0; i < block.dense; ++i) {
      const double own = by * part.reach[i];
      double* of_row = block.matrix.data() + i * block.stride;
      for (std::size_t j = 0; j <= i; ++j)  // both halves have the same bits: a snapshot keeps one
        block.matrix[j * block.stride + i] = of_row[j] -= own * part.reach[j];
      of_row[i] = std::max(of_row[i], kLeast);
    }
    for (const auto& [place, value] : part.entries) {
      if (place < block.dense) continue;
      double& variance = block.variances[place - block.dense];
      variance = std::max(variance - by * value * value * variance * variance, kLeast);
    }
  }
}

void BlockNewton::save(ByteWriter& out) const {
  out.u64(blocks_.size());
  for (const auto& [feature, block] : blocks_) {
    out.i64(feature);
    out.u64(block.locals.size());
    out.u64(block.dense);
    for (std::size_t p = 0; p < block.locals.size(); ++p) {
      out.i64(block.locals[p]);
      out.f64(block.weights[p]);
    }
    for (std::size_t i = 0; i < block.dense; ++i)
      for (std::size_t j = 0; j <= i; ++j) out.f64(block.matrix[i * block.stride + j]);
    for (double variance : block.variances) out.f64(variance);
  }
}

void BlockNewton::load(ByteReader& in) {
  const auto corrupt = [] { throw Error(Code::kCorrupt, "snapshot: the covariances of a learner are impossible"); };
  BlockNewton fresh(box_, features_, of_);
  Index last = -1;
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const Index feature = in.i64();
    if (feature <= last || feature >= features_) corrupt();
    last = feature;
    const std::uint64_t count = in.u64(), dense = in.u64();
    if (dense > count || count > static_cast<std::uint64_t>(of_) + 1 || dense > kDense) corrupt();
    Block& block = fresh.blocks_[feature];
    for (std::uint64_t p = 0; p < count; ++p) {
      const Index local = in.i64();
      if (local < 0 || local > of_ || (local > 0 && feature >= of_)) corrupt();
      if (fresh.place(block, local) != p) corrupt();
      block.weights[p] = in.f64();
      const Index i = index(feature, local);
      if (!(block.weights[p] >= box_.lower(i) && block.weights[p] <= box_.upper(i))) corrupt();
    }
    if (block.dense != dense) corrupt();
    for (std::size_t i = 0; i < dense; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        block.matrix[i * block.stride + j] = block.matrix[j * block.stride + i] = in.f64();
    for (double& variance : block.variances) variance = in.f64();
    for (std::size_t p = 0; p < count; ++p)
      if (!(variance_at(block, p) > 0 && variance_at(block, p) <= kPrior)) corrupt();
  }
  *this = std::move(fresh);
}

}  // namespace tarry
