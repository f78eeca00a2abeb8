#include "tarry/learners/lp_ftrl.h"

#include <algorithm>
#include <cmath>

#include "tarry/error.h"
#include "tarry/linalg/norms.h"
#include "tarry/theory/bounds.h"

namespace tarry {

LpFtrl::LpFtrl(Index dimension, LpShape ball, LpStep step)
    : ball_(ball), step_(step), q_(conjugate(ball.p)), sum_(dimension, q_) {}

// x_i = factor · power(ĝ_i).
double LpFtrl::factor() const {
  if (!(s_ > 0)) return 0;
  const double eta = std::sqrt(ball_.p - 1) / (2 * ball_.radius * std::sqrt(s_));
  return -std::min(1.0, eta * ball_.radius * sum_.norm()) * ball_.radius * sum_.power_factor();
}

double LpFtrl::play(Round, const Covector* features, Memo& memo) {
  memo.push_back(n_);
  outstanding_ += 1;
  return features != nullptr ? predict(*features) : 0;
}

double LpFtrl::predict(const Covector& features) const {
  double dot = 0;
  features.each([&](Index i, double a) { dot += a * sum_.power(i); });
  return factor() * dot;
}

void LpFtrl::write(std::span<double> x) const {
  const double f = factor();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = f * sum_.power(static_cast<Index>(i));
}

void LpFtrl::receive(Round, const Feedback& feedback, const Memo& memo) {
  Vec values;
  const bool fresh = step_ == LpStep::kFresh && feedback.known != nullptr;
  const Covector gradient =
      fresh ? feedback.known->fresh_gradient([&](const Covector& a) { return predict(a); }, values) : feedback.gradient;
  const double size = norm(gradient.values(), q_);
  s_ += size * (size + (step_ == LpStep::kFresh ? 0 : n_ - memo.at(0)));
  n_ += size;
  outstanding_ -= 1;
  sum_.add(gradient);
}

void LpFtrl::save(ByteWriter& out) const {
  sum_.save(out);
  out.reals(Vec{n_, s_, outstanding_});
}

void LpFtrl::load(ByteReader& in) {
  sum_.load(in);
  const Vec scalars = in.reals();
  if (scalars.size() != 3) throw Error(Code::kCorrupt, "snapshot: three numbers are wanted beside the sum");
  n_ = scalars[0];
  s_ = scalars[1];
  outstanding_ = scalars[2];
}

// With all norms dual to the ball's own: R ≤ (2/√μ + 2√2 r)√S, μ = (p − 1)/r². Where S has lost its digits, R ≤ 2rN.
std::optional<double> LpFtrl::bound(const theory::Seen& seen) const {
  if (step_ == LpStep::kFresh) return std::nullopt;
  const double g = seen.gradient_bound;  // a 2-norm, and the dual norm is no larger
  const double whole = outstanding_ == 0 ? s_ : g * g * (seen.rounds + seen.sum_outstanding);
  if (!theory::squares_are_kept(whole)) return 2 * ball_.radius * (n_ + outstanding_ * g);
  return ball_.radius * theory::gauge_ftrl_adaptive(whole, ball_.p - 1, 1);
}

}  // namespace tarry
