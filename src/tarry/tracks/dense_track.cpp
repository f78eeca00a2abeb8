#include "tarry/tracks/dense_track.h"

#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/within.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/lazy_scale.h"

namespace tarry {

DenseTrack::DenseTrack(const Start& start, double p_over_y, Need need)
    : z_(full_size(start.dimension), start.everywhere), need_(need) {
  std::copy(start.values.begin(), start.values.end(), z_.begin());
  p_ = z_;
  for (double& x : p_) x *= p_over_y;
}

DenseTrack::DenseTrack(LargeVector<double> y, LargeVector<double> p, Need need)
    : z_(std::move(y)), p_(std::move(p)), need_(need) {
  ensure(z_.size() == p_.size(), "y and p have one dimension");
}

void DenseTrack::sweep(const Covector& gradient, const Sweep& k) {
  if (gradient.is_sparse()) add(gradient, k.a);
  if (need_ == Need::kDense) c_.resize(p_.size());
  const auto sums = kernels::sweep({.p = p_,
                                    .z = z_,
                                    .g = gradient.is_sparse() ? std::span<const double>() : gradient.values(),
                                    .c = c_,
                                    .a = k.a,
                                    .gamma_s = k.gamma * scale_,
                                    .b_s = k.b * scale_,
                                    .need = need_});
  b_ = k.b;
  cy_ = sums.cz * scale_;
  yy_ = sums.zz * scale_ * scale_;
  extreme_ = sums.extreme;
}

void DenseTrack::add(const Covector& gradient, double a) {
  if (!gradient.is_sparse()) return kernels::blend(p_, 1, gradient.values(), a);
  gradient.each([&](Index i, double g) { p_[static_cast<std::size_t>(i)] += a * g; });
}

Segment DenseTrack::toward(const Atom& v) const {
  const auto dense = [&](std::span<const double> full) {
    const auto sums = kernels::segment({p_.data(), z_.data(), full.data(), scale_, b_}, z_.size());
    return Segment{sums.gap, sums.width};
  };
  return std::visit(Overload{[&](const SparseAtom& q) { return toward_sparse(q); },
                             [&](const DenseAtom& q) { return dense(q.value); },
                             [&](const auto&) {  // rank one, blocks
                               Vec full(z_.size());
                               tarry::write(v, full);
                               return dense(full);
                             }},
                    v.as);
}

Segment DenseTrack::toward_sparse(const SparseAtom& v) const {
  double cv = 0, yv = 0, vv = 0;
  for (std::size_t j = 0; j < v.at.size(); ++j) {
    const auto i = static_cast<std::size_t>(v.at[j]);
    const double y = scale_ * z_[i];
    cv += v.value[j] * (p_[i] + b_ * y);
    yv += v.value[j] * y;
    vv += v.value[j] * v.value[j];
  }
  const double width = (yy_ - yv) + (vv - yv);
  if (width > kCancelled * (yy_ + vv)) return {cy_ - cv, width};

  // y is close to v and the differences above have lost their digits: sum them coordinate by coordinate.
  Segment exact;
  const auto add = [&](std::size_t i, double vi) {
    const double y = scale_ * z_[i], away = y - vi;
    exact.gap += (p_[i] + b_ * y) * away;
    exact.width += away * away;
  };
  std::size_t i = 0;
  for (std::size_t j = 0; j < v.at.size(); ++j) {
    for (; i < static_cast<std::size_t>(v.at[j]); ++i) add(i, 0);
    add(i++, v.value[j]);
  }
  for (; i < z_.size(); ++i) add(i, 0);
  return exact;
}

void DenseTrack::step(double sigma, const Atom& v) {
  if (sigma == 0) return;
  const LazyStep lazy = lazy_step(scale_, sigma);
  scale_ = lazy.scale;
  const auto add_dense = [&](std::span<const double> full) { kernels::blend(z_, lazy.fold, full, lazy.weight); };
  std::visit(Overload{[&](const SparseAtom& q) {
                        if (lazy.fold != 1)
                          for (double& z : z_) z *= lazy.fold;
                        for (std::size_t j = 0; j < q.at.size(); ++j)
                          z_[static_cast<std::size_t>(q.at[j])] += lazy.weight * q.value[j];
                      },
                      [&](const DenseAtom& q) { add_dense(q.value); },
                      [&](const auto&) {
                        Vec full(z_.size());
                        tarry::write(v, full);
                        add_dense(full);
                      }},
             v.as);
}

void DenseTrack::restart(double p_over_y) {
  for (std::size_t i = 0; i < z_.size(); ++i) p_[i] = p_over_y * (scale_ * z_[i]);
}

double DenseTrack::dot(const Covector& features) const {
  if (!features.is_sparse()) return scale_ * kernels::dot(features.values(), z_);
  double sum = 0;
  features.each([&](Index i, double a) { sum += a * z_[static_cast<std::size_t>(i)]; });
  return scale_ * sum;
}

void DenseTrack::write(std::span<double> y) const {
  for (std::size_t i = 0; i < z_.size(); ++i) y[i] = scale_ * z_[i];
}

void DenseTrack::save(ByteWriter& out) const {
  out.f64(scale_);
  out.reals(z_);
  out.reals(p_);
}

void DenseTrack::load(ByteReader& in) {
  scale_ = in.f64();
  for (LargeVector<double>* x : {&z_, &p_}) {
    const Vec saved = in.reals();
    if (saved.size() != x->size())
      throw Error(Code::kCorrupt, "snapshot: its decision has " + std::to_string(saved.size()) +
                                      " coordinates, the set has " + std::to_string(x->size()));
    std::copy(saved.begin(), saved.end(), x->begin());
  }
  check_within(z_, kMostInState, scale_);
  check_within(p_, kMostWithSteps);
}

}  // namespace tarry
