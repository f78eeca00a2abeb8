#include "tarry/learners/combined/dorm.h"

#include <algorithm>
#include <cmath>

#include "tarry/linalg/elementary_kernels.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr double kNegligible = 1e-13;

}  // namespace

Dorm::Dorm(std::size_t bases) : power_(theory::hedge_exponent(static_cast<double>(bases)) - 1), lead_(bases, 0.0) {
  weigh();
}

// w ∝ max(Q, 0)^{q−1}, uniform while no base leads.
const Vec& Dorm::weigh() {
  const double most = *std::max_element(lead_.begin(), lead_.end());
  weights_.assign(lead_.size(), 1.0 / static_cast<double>(lead_.size()));
  if (!(most > 0)) return weights_;
  for (std::size_t i = 0; i < lead_.size(); ++i) weights_[i] = lead_[i] / most;
  kernels::pow_each(weights_, power_);
  double total = 0;
  for (const double w : weights_) total += w;
  for (double& w : weights_) w /= total;
  return weights_;
}

// Q ← max(0, Q + own loss − the base's loss). While bases agree the difference is rounding, which must not make
// weights; what is so ignored is at most e = Σ kNegligible · size, and moves the bound of Theorem 12 (docs/theory.md)
// by at most 6.3e: with A the sum that bounds 2Φ and M the largest ‖Q‖_q, M² ≤ A + 2N^{1/q}eM, so the theorem holds
// with (1 + 2N^{1/q})e more.
void Dorm::learn(std::span<const double> base_losses, double own_loss, double spread_at_play) {
  double size = std::fabs(own_loss);
  for (double loss : base_losses) size = std::max(size, std::fabs(loss));
  for (std::size_t i = 0; i < lead_.size(); ++i) {
    const double saved = own_loss - base_losses[i];
    if (std::fabs(saved) > kNegligible * size) lead_[i] = std::max(0.0, lead_[i] + saved);
  }
  rounding_ += 7 * kNegligible * size;
  count(base_losses, spread_at_play);
}

void Dorm::count(std::span<const double> base_losses, double spread_at_play) {
  const auto [least, most] = std::minmax_element(base_losses.begin(), base_losses.end());
  const double s = *most - *least, between = spread_ - spread_at_play;
  if (s > largest_) {
    squares_ *= (largest_ / s) * (largest_ / s);
    largest_ = s;
  }
  if (s > 0) squares_ += (s / largest_) * (s / largest_ + 2 * (between / largest_));
  spread_ += s;
}

double Dorm::bound() const {
  return largest_ * std::sqrt(theory::hedge_kappa(static_cast<double>(lead_.size())) * squares_) * (1 + 1e-9) +
         rounding_;
}

void Dorm::save(ByteWriter& out) const {
  out.reals(lead_);
  out.reals(weights_);
  out.reals(Vec{spread_, largest_, squares_, rounding_});
}

void Dorm::load(ByteReader& in) {
  for (Vec* x : {&lead_, &weights_}) *x = in.reals(x->size());
  const Vec sums = in.reals(4);
  spread_ = sums[0];
  largest_ = sums[1];
  squares_ = sums[2];
  rounding_ = sums[3];
}

}  // namespace tarry
