#include "tarry/learners/leaders/lp_ftrl.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/learners/kept_memo.h"
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
  sum_.each_power(features, [&](double a, double power) { dot += a * power; });
  return factor() * dot;
}

void LpFtrl::write(std::span<double> x) const {
  const double f = factor();
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = f * sum_.power(static_cast<Index>(i));
}

// f_k(x_k) − f_k(z_k): nothing where no gradient has come since the play.
void LpFtrl::count_lateness(const Feedback& feedback, const Memo& memo) {
  by_loss_ = by_loss_ || feedback.known != nullptr;
  if (feedback.known != nullptr && !feedback.known->same_links()) lateness_.lose();
  if (!lateness_.told() || kept_number(memo, 0) == n_) return;
  if (feedback.known == nullptr) return lateness_.add(feedback.loss_of_play(), predict(feedback.gradient));
  Vec now;
  for (std::size_t k = 0; k < feedback.known->outputs(); ++k)
    now.push_back(predict(feedback.known->features.output(k)));
  lateness_.add(feedback.loss_of_play(), feedback.known->value(now));
}

void LpFtrl::receive(Round, const Feedback& feedback, const Memo& memo) {
  if (step_ == LpStep::kFresh) count_lateness(feedback, memo);
  Vec values;
  const bool fresh = step_ == LpStep::kFresh && feedback.known != nullptr;
  const Covector gradient =
      fresh ? feedback.known->fresh_gradient([&](const Covector& a) { return predict(a); }, values) : feedback.gradient;
  const double size = norm(gradient.values(), q_);
  s_ += size * (size + (step_ == LpStep::kFresh ? 0 : n_ - kept_number(memo, 0)));
  n_ += size;
  outstanding_ -= 1;
  sum_.add(gradient);
}

void LpFtrl::settle(Round t, const Feedback& feedback, Memo& memo) {
  const double b = n_ - kept_number(memo, 0);
  receive(t, feedback, memo);
  memo = {b};
}

void LpFtrl::revise(const Revision& revision, Memo& memo) {
  Vec values;
  const double size = norm(revision.after.gradient.values(), q_), b = kept_number(memo, 0);
  const double before = norm(revision.before.gradient.values(), q_);
  s_ = std::max(0.0, s_ + size * (size + b) - before * (before + b));
  n_ += size - before;
  sum_.add(revision.difference(values));
}

void LpFtrl::save(ByteWriter& out) const {
  sum_.save(out);
  out.reals(Vec{n_, s_, outstanding_, by_loss_ ? 1.0 : 0.0});
  lateness_.save(out);
}

void LpFtrl::load(ByteReader& in) {
  sum_.load(in);
  const Vec scalars = in.reals(4);
  n_ = scalars[0];
  s_ = scalars[1];
  outstanding_ = scalars[2];
  by_loss_ = scalars[3] != 0;
  lateness_.load(in);
}

// With all norms dual to the ball's own: R ≤ (2/√μ + 2√2 r)√S, μ = (p − 1)/r². Where S has lost its digits, R ≤ 2rN.
std::optional<double> LpFtrl::bound(const theory::Seen& seen) const {
  const double mu = (ball_.p - 1) / (ball_.radius * ball_.radius);
  if (step_ == LpStep::kFresh) {  // over the answered rounds, as if each were played when its answer came
    const auto late = lateness_.cost();
    if (!late || (seen.linear && by_loss_) || !seen.hedged || !theory::squares_are_kept(s_)) return std::nullopt;
    return theory::gauge_ftrl_adaptive(s_, mu, ball_.radius) * (1 + 1e-9) + *late;
  }
  const double g = seen.gradient_bound;  // a 2-norm, and the dual norm is no larger
  const double whole = outstanding_ == 0 ? s_ : g * g * (seen.rounds + seen.sum_outstanding);
  if (!theory::squares_are_kept(whole)) return 2 * ball_.radius * (n_ + outstanding_ * g);
  return ball_.radius * theory::gauge_ftrl_adaptive(whole, ball_.p - 1, 1);
}

}  // namespace tarry
