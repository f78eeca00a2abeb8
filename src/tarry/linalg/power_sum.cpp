#include "tarry/linalg/power_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/norms.h"

namespace tarry {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr double kTolerance = 2e-10;   // of the mass: its q-th root is better still
constexpr double kLeastMass = 1e-280;  // below, single powers leave the range of numbers: the scale is too large
constexpr double kLeastScale = 0x1p-1000;
constexpr double kHeadroom = 16;  // a new scale leaves the largest power at 2^−16 or more

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

PowerSum::PowerSum(Index dimension, double q)
    : q_(q),
      x_(static_cast<std::size_t>(dimension), 0.0),
      rounding_((4 + q) * kEpsilon),
      scale_(kLeastScale),
      blocks_((x_.size() + kBlock - 1) / kBlock) {}

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
  for (Part& block : blocks_) block.rescale(shrink, rounding_);
  scale_ = raised;
}

void PowerSum::change(std::size_t i, double by) {
  const double before = x_[i], after = before + by;
  if (std::fabs(after) > scale_) raise_scale(std::fabs(after));
  const double was = power_of(before) * (before / scale_), is = power_of(after) * (after / scale_);
  const double error = rounding_ * (was + is);
  whole_.change(is - was, error);
  blocks_[i / kBlock].change(is - was, error);
  non_zeros_ += (after != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
  x_[i] = after;
}

void PowerSum::add(const Covector& change) {
  change.each([&](Index i, double by) {
    if (by != 0) this->change(static_cast<std::size_t>(i), by);
  });
  if (whole_.is_blunt(kTolerance)) sharpen();
}

void PowerSum::sum_anew(std::size_t block) {
  const std::size_t end = std::min(x_.size(), (block + 1) * kBlock);
  double mass = 0;
  for (std::size_t i = block * kBlock; i < end; ++i)
    if (x_[i] != 0) mass += power_of(x_[i]) * (x_[i] / scale_);
  blocks_[block] = {mass, rounding_ * mass};
}

// Each block good to its own digits, so their sum is.
void PowerSum::sharpen() {
  whole_ = {};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].is_blunt(kTolerance / 2)) sum_anew(b);
    whole_.mass += blocks_[b].mass;
    whole_.error += blocks_[b].error;
  }
  if (non_zeros_ > 0 && whole_.mass < kLeastMass) rebuild();
}

void PowerSum::rebuild() {
  const double most = max_abs(x_);
  scale_ = std::max(kLeastScale, most * tarry::exp2(std::min(1.0, kHeadroom / q_)));
  whole_ = {};
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    sum_anew(b);
    whole_.mass += blocks_[b].mass;
    whole_.error += blocks_[b].error;
  }
}

void PowerSum::save(ByteWriter& out) const {
  out.reals(x_);
  Vec parts = {scale_, non_zeros_, whole_.mass, whole_.error};
  for (const Part& block : blocks_) parts.insert(parts.end(), {block.mass, block.error});
  out.reals(parts);
}

void PowerSum::load(ByteReader& in) {
  Vec x = in.reals();
  const Vec parts = in.reals();
  if (x.size() != x_.size() || parts.size() != 4 + 2 * blocks_.size())
    throw Error(Code::kCorrupt, "snapshot: its sum does not fit the set's dimension");
  x_ = std::move(x);
  scale_ = parts[0];
  non_zeros_ = parts[1];
  whole_ = {parts[2], parts[3]};
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b] = {parts[4 + 2 * b], parts[5 + 2 * b]};
}

}  // namespace tarry
