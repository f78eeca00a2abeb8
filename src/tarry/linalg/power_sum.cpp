#include "tarry/linalg/power_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr Index kBlock = 1024;
constexpr double kTolerance = 2e-10;   // of the mass: its q-th root is better still
constexpr double kLeastMass = 1e-280;  // below, single powers leave the range of numbers: the scale is too large
constexpr double kLeastScale = 0x1p-1000;
constexpr double kHeadroom = 16;  // a new scale leaves the largest power at 2^−16 or more

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

PowerSum::PowerSum(Index dimension, double q)
    : dimension_(dimension), q_(q), rounding_((4 + q) * kEpsilon), scale_(kLeastScale) {}

template <class F>
void PowerSum::each_block(F f) {
  blocks_.each([&](Index b, const Part& part) {
    if (part.mass != 0 || part.error != 0) f(b, blocks_.at(b));
  });
}

void PowerSum::Part::change(double by, double error_of_it) {
  mass += by;
  error += error_of_it + kEpsilon * std::fabs(mass);
}

void PowerSum::Part::rescale(double factor, double rounding) {
  mass *= factor;
  error = error * factor + rounding * std::fabs(mass);
}

double PowerSum::power_of(double x) const {
  if (x == 0) return 0;
  return q_ == 2 ? x / scale_ : std::copysign(tarry::pow(std::fabs(x) / scale_, q_ - 1), x);
}

double PowerSum::norm() const { return scale_ * tarry::pow(std::max(0.0, whole_.mass), 1 / q_); }

double PowerSum::power_factor() const {
  if (non_zeros_ == 0 || !(whole_.mass > 0)) return 0;
  return tarry::pow(whole_.mass, -(q_ - 1) / q_);
}

void PowerSum::raise_scale(double size) {
  const double raised = size * tarry::exp2(std::min(1.0, kHeadroom / q_));
  const double shrink = tarry::pow(scale_ / raised, q_);
  whole_.rescale(shrink, rounding_);
  each_block([&](Index, Part& block) { block.rescale(shrink, rounding_); });
  scale_ = raised;
}

void PowerSum::change(Index i, double by) {
  double& x = x_.at(i);
  const double before = x, after = before + by;
  if (std::fabs(after) > scale_) raise_scale(std::fabs(after));
  const double was = power_of(before) * (before / scale_), is = power_of(after) * (after / scale_);
  const double error = rounding_ * (was + is);
  whole_.change(is - was, error);
  blocks_.at(i / kBlock).change(is - was, error);
  non_zeros_ += (after != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
  x = after;
}

void PowerSum::add(const Covector& change) {
  change.each([&](Index i, double by) {
    if (by != 0) this->change(i, by);
  });
  if (whole_.is_blunt(kTolerance)) sharpen();
}

void PowerSum::sum_anew(Index block, Part& part) const {
  double mass = 0;
  for (Index begin = block * kBlock; begin < (block + 1) * kBlock; begin += Paged<double>::kPage) {
    const double* page = x_.find(begin);
    if (page == nullptr) continue;
    for (double x : std::span(page, Paged<double>::kPage))
      if (x != 0) mass += power_of(x) * (x / scale_);
  }
  part = {mass, rounding_ * mass};
}

// Each block good to its own digits, so their sum is.
void PowerSum::sharpen() {
  whole_ = {};
  each_block([&](Index b, Part& block) {
    if (block.is_blunt(kTolerance / 2)) sum_anew(b, block);
    whole_.mass += block.mass;
    whole_.error += block.error;
  });
  if (non_zeros_ > 0 && whole_.mass < kLeastMass) rebuild();
}

void PowerSum::rebuild() {
  double most = 0;
  x_.each_page([&](Index, std::span<const double> page) { most = std::max(most, max_abs(page)); });
  scale_ = std::max(kLeastScale, most * tarry::exp2(std::min(1.0, kHeadroom / q_)));
  whole_ = {};
  blocks_.each([&](Index b, const Part&) {
    Part& block = blocks_.at(b);
    sum_anew(b, block);
    whole_.mass += block.mass;
    whole_.error += block.error;
  });
}

void PowerSum::save(ByteWriter& out) const {
  std::vector<Index> at;
  Vec values;
  x_.each([&](Index i, double x) {
    if (x == 0) return;
    at.push_back(i);
    values.push_back(x);
  });
  out.i64(dimension_);
  out.integers(at);
  out.reals(values);
  std::vector<Index> blocks;
  Vec parts = {scale_, whole_.mass, whole_.error};
  blocks_.each([&](Index b, const Part& block) {
    if (block.mass == 0 && block.error == 0) return;
    blocks.push_back(b);
    parts.insert(parts.end(), {block.mass, block.error});
  });
  out.integers(blocks);
  out.reals(parts);
}

void PowerSum::load(ByteReader& in) {
  const auto check = [](bool good) {
    if (!good) throw Error(Code::kCorrupt, "snapshot: its sum does not fit the set's dimension");
  };
  const auto ascending_below = [&](const std::vector<Index>& at, Index end) {
    for (std::size_t j = 0; j < at.size(); ++j) check(at[j] >= 0 && at[j] < end && (j == 0 || at[j] > at[j - 1]));
  };
  check(in.i64() == dimension_);
  const std::vector<Index> at = in.integers();
  const Vec values = in.reals();
  const std::vector<Index> blocks = in.integers();
  const Vec parts = in.reals();
  check(values.size() == at.size() && parts.size() == 3 + 2 * blocks.size());
  ascending_below(at, dimension_);
  ascending_below(blocks, (dimension_ + kBlock - 1) / kBlock);
  x_ = {};
  blocks_ = {};
  for (std::size_t j = 0; j < at.size(); ++j) x_.at(at[j]) = values[j];
  for (std::size_t j = 0; j < blocks.size(); ++j) blocks_.at(blocks[j]) = {parts[3 + 2 * j], parts[4 + 2 * j]};
  scale_ = parts[0];
  whole_ = {parts[1], parts[2]};
  non_zeros_ = static_cast<double>(std::count_if(values.begin(), values.end(), [](double x) { return x != 0; }));
}

}  // namespace tarry
