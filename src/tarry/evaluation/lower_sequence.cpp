#include "tarry/evaluation/lower_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"

namespace tarry::evaluation {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kGone = 1e300;  // more than any bet wins, and a number for snapshots

double bet(std::size_t j) { return std::ldexp(4.0, -static_cast<int>(j)); }

// ψ_c(λ) = (−log(1 − cλ) − cλ) / c²: for x ≥ −c, exp(λx − ψ_c(λ) x²) ≤ 1 + λx.
double psi(double lambda, double c) {
  const double y = c * lambda;
  if (y >= 1) return kGone;
  if (y < 1e-3) return lambda * lambda * (0.5 + y * (1.0 / 3 + y * (0.25 + y / 5)));
  return (-tarry::log1p(-y) - y) / (c * c);
}

}  // namespace

void LowerSequence::add(double term, double least) {
  const double guess = std::max(least, std::min(1.0, (0.5 + sum_) / (1 + count_)));  // of what came before
  const double x = term - guess;
  for (std::size_t j = 0; j < kBets; ++j) {
    const double each = psi(bet(j), guess - least);
    cost_[j] = each == kGone ? kGone : std::min(kGone, cost_[j] + each * x * x);
  }
  sum_ += term;
  count_ += 1;
}

double LowerSequence::log_wealth_at(double excess) const {
  double most = -kInfinity, sum = 0;
  for (std::size_t j = 0; j < kBets; ++j) most = std::max(most, bet(j) * excess - cost_[j]);
  for (std::size_t j = 0; j < kBets; ++j) sum += tarry::exp(bet(j) * excess - cost_[j] - most);
  return most + tarry::log(sum / static_cast<double>(kBets));
}

double LowerSequence::log_wealth(double mean) const { return log_wealth_at(sum_ - count_ * mean); }

// The excess at which the bets have won 1/alpha, by halving: each bet alone would need at least as much.
double LowerSequence::bound(double alpha) const {
  const double wanted = -tarry::log(alpha);
  double low = 0, high = kInfinity;
  for (std::size_t j = 0; j < kBets; ++j)
    high = std::min(high, (wanted + tarry::log(static_cast<double>(kBets)) + cost_[j]) / bet(j));
  if (count_ == 0 || high >= kGone) return -kInfinity;
  for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2)
    (log_wealth_at(middle) < wanted ? low : high) = middle;
  return (sum_ - high) / count_;
}

void LowerSequence::save(ByteWriter& out) const {
  out.f64(count_);
  out.f64(sum_);
  out.reals(cost_);
}

void LowerSequence::load(ByteReader& in) {
  count_ = in.size();
  sum_ = in.f64();
  const std::vector<double> costs = in.reals(kBets);
  std::copy(costs.begin(), costs.end(), cost_.begin());
}

}  // namespace tarry::evaluation
