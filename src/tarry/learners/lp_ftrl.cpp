#include "tarry/learners/lp_ftrl.h"

#include <algorithm>
#include <cmath>

#include "tarry/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/theory/bounds.h"

namespace tarry {

LpFtrl::LpFtrl(Index dimension, LpShape ball)
    : ball_(ball), q_(conjugate(ball.p)), sum_(static_cast<std::size_t>(dimension), 0.0), scale_(0x1p-1000) {}

double LpFtrl::power(double g) const {
  if (g == 0) return 0;
  return q_ == 2 ? g / scale_ : std::copysign(std::pow(std::fabs(g) / scale_, q_ - 1), g);
}

double LpFtrl::dual_norm(const Covector& gradient) const { return norm(gradient.values(), q_); }

// x_i = factor · power(ĝ_i), with ‖ĝ‖_q = scale · mass^{1/q}.
double LpFtrl::factor() const {
  const double mass = mass_ + mass_error_;
  if (!(s_ > 0) || !(mass > 0)) return 0;
  const double relative = std::pow(mass, 1 / q_);
  const double eta = std::sqrt(ball_.p - 1) / (2 * ball_.radius * std::sqrt(s_));
  return -std::min(1.0, eta * ball_.radius * scale_ * relative) * ball_.radius / std::pow(relative, q_ - 1);
}

double LpFtrl::play(Round, const Covector* features, Memo& memo) {
  memo.push_back(n_);
  outstanding_ += 1;
  if (features == nullptr) return 0;
  double dot = 0;
  features->each([&](Index i, double a) { dot += a * power(sum_[static_cast<std::size_t>(i)]); });
  return factor() * dot;
}

void LpFtrl::write(std::span<double> x) const {
  const double f = factor();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = f * power(sum_[i]);
}

void LpFtrl::raise_scale(double size) {
  const double raised = std::exp2(std::ceil(std::log2(size)));
  const double shrink = std::pow(scale_ / raised, q_);
  mass_ *= shrink;
  mass_error_ *= shrink;
  scale_ = raised;
}

void LpFtrl::add(std::size_t i, double g) {
  const double before = sum_[i], after = before + g;
  if (std::fabs(after) > scale_) raise_scale(std::fabs(after));
  const double change = std::fabs(power(after) * (after / scale_)) - std::fabs(power(before) * (before / scale_));
  const double total = mass_ + change;
  mass_error_ += std::fabs(mass_) >= std::fabs(change) ? (mass_ - total) + change : (change - total) + mass_;
  mass_ = total;
  sum_[i] = after;
}

void LpFtrl::receive(Round, const Feedback& feedback, const Memo& memo) {
  const double size = dual_norm(feedback.gradient);
  s_ += size * (size + n_ - memo.at(0));
  n_ += size;
  outstanding_ -= 1;
  feedback.gradient.each([&](Index i, double g) {
    if (g != 0) add(static_cast<std::size_t>(i), g);
  });
}

void LpFtrl::save(ByteWriter& out) const {
  out.reals(sum_);
  out.reals(Vec{scale_, mass_, mass_error_, n_, s_, outstanding_});
}

void LpFtrl::load(ByteReader& in) {
  Vec sum = in.reals();
  const Vec scalars = in.reals();
  if (sum.size() != sum_.size() || scalars.size() != 6)
    throw Error(Code::kCorrupt, "snapshot: its sum does not fit the set's dimension");
  sum_ = std::move(sum);
  scale_ = scalars[0];
  mass_ = scalars[1];
  mass_error_ = scalars[2];
  n_ = scalars[3];
  s_ = scalars[4];
  outstanding_ = scalars[5];
}

// With all norms dual to the ball's own: R ≤ (2/√μ + 2√2 r)√S, μ = (p − 1)/r².
std::optional<double> LpFtrl::bound(const theory::Seen& seen) const {
  const double g = seen.gradient_bound;  // a 2-norm, and the dual norm is no larger
  const double whole = outstanding_ == 0 ? s_ : g * g * (seen.rounds + seen.sum_outstanding);
  return theory::gauge_ftrl_adaptive(whole, (ball_.p - 1) / (ball_.radius * ball_.radius), ball_.radius);
}

}  // namespace tarry
