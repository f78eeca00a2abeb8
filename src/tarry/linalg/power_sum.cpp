#include "tarry/linalg/power_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

Index blocks(Index dimension) { return (dimension + kBlock - 1) / kBlock; }

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

PowerSum::PowerSum(Index dimension, double q)
    : dimension_(dimension),
      q_(q),
      x_(dimension, 1),
      rounding_((4 + q) * kEpsilon),
      scale_(kLeastScale),
      blocks_(blocks(dimension), 2) {}

template <class F>
void PowerSum::each_block(F f) {
  blocks_.each_touched([&](Index b, const double* was) {
    const Part part = f(b, Part{was[0], was[1]});
    double* to = blocks_.touch(b);
    to[0] = part.mass;
    to[1] = part.error;
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
  each_block([&](Index, Part block) {
    block.rescale(shrink, rounding_);
    return block;
  });
  scale_ = raised;
}

void PowerSum::change(Index i, double by) {
  double& x = *x_.touch(i);
  const double before = x, after = before + by;
  if (std::fabs(after) > scale_) raise_scale(std::fabs(after));
  const double was = power_of(before) * (before / scale_), is = power_of(after) * (after / scale_);
  const double error = rounding_ * (was + is);
  whole_.change(is - was, error);
  double* of_block = blocks_.touch(i / kBlock);
  Part block{of_block[0], of_block[1]};
  block.change(is - was, error);
  of_block[0] = block.mass;
  of_block[1] = block.error;
  non_zeros_ += (after != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
  x = after;
}

void PowerSum::add(const Covector& change) {
  x_.settle();
  blocks_.settle();
  change.each([&](Index i, double by) {
    if (by != 0) this->change(i, by);
  });
  if (whole_.is_blunt(kTolerance)) sharpen();
}

PowerSum::Part PowerSum::sum_anew(Index block) const {
  double mass = 0;
  for (Index i = block * kBlock; i < std::min(dimension_, (block + 1) * kBlock); ++i)
    if (const double* x = x_.find(i); x != nullptr && *x != 0) mass += power_of(*x) * (*x / scale_);
  return {mass, rounding_ * mass};
}

// Each block good to its own digits, so their sum is.
void PowerSum::sharpen() {
  whole_ = {};
  each_block([&](Index b, Part block) {
    if (block.is_blunt(kTolerance / 2)) block = sum_anew(b);
    whole_.mass += block.mass;
    whole_.error += block.error;
    return block;
  });
  if (non_zeros_ > 0 && whole_.mass < kLeastMass) rebuild();
}

void PowerSum::rebuild() {
  double most = 0;
  x_.each_touched([&](Index, const double* x) { most = std::max(most, std::fabs(*x)); });
  scale_ = std::max(kLeastScale, most * tarry::exp2(std::min(1.0, kHeadroom / q_)));
  whole_ = {};
  each_block([&](Index b, const Part&) {
    const Part block = sum_anew(b);
    whole_.mass += block.mass;
    whole_.error += block.error;
    return block;
  });
}

void PowerSum::save(ByteWriter& out) const {
  x_.save(out);
  blocks_.save(out);
  out.reals(Vec{scale_, whole_.mass, whole_.error});
}

void PowerSum::load(ByteReader& in) {
  x_.load(in);
  blocks_.load(in);
  const Vec whole = in.finites(3);
  scale_ = whole[0];
  if (!(scale_ > 0)) throw Error(Code::kCorrupt, "snapshot: the scale of a sum must be positive");
  whole_ = {whole[1], whole[2]};
  non_zeros_ = 0;
  x_.each_touched([&](Index, const double* x) { non_zeros_ += *x != 0 ? 1 : 0; });
}

}  // namespace tarry
