#include "tarry/evaluation/lower_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

using Weights = std::array<double, LowerSequence::kBets>;  // ψ of each bet

Weights weights_at(double c) {
  Weights all;
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = psi(bet(j), c);
  return all;
}

// For c a power of the fourth root of 2.
constexpr int kFirstPower = -80, kLastPower = 160;

const Weights& weights_above(double c) {
  static const auto known = [] {
    std::vector<Weights> all;
    for (int k = kFirstPower; k <= kLastPower; ++k) all.push_back(weights_at(tarry::exp2(k / 4.0)));
    return all;
  }();
  constexpr double kRoots[] = {0.59460355750136051, 0.70710678118654757, 0.84089641525371461};  // 2^-¾, 2^-½, 2^-¼
  int exponent = 0;
  const double part = std::frexp(c, &exponent);  // c = part · 2^exponent, part from ½
  int power = 4 * exponent - 3;
  for (const double root : kRoots) power += part > root ? 1 : 0;
  return known[static_cast<std::size_t>(std::clamp(c > 0 ? power : kFirstPower, kFirstPower, kLastPower) -
                                        kFirstPower)];
}

}  // namespace

// All that a bet costs for a term that is so far from its guess, or came to be.
void LowerSequence::charge(double c, double square) {
  const auto charge_all = [&](const Weights& each) {
    for (std::size_t j = 0; j < kBets; ++j)
      cost_[j] = each[j] == kGone || cost_[j] >= kGone ? kGone : std::clamp(cost_[j] + each[j] * square, 0.0, kGone);
  };
  if (effort_ == Effort::kQuick && c <= kMostQuick)
    charge_all(weights_above(c));
  else
    charge_all(weights_at(c));
}

double LowerSequence::add(double term, double least) {
  const double guess = std::max(least, std::min(1.0, (0.5 + sum_) / (1 + count_)));  // of what came before
  const double c = guess - least, square = (term - guess) * (term - guess);
  if (effort_ == Effort::kQuick && c <= kMostQuick) {
    const Weights& each = weights_above(c);  // a bet that is gone costs so much that it stays so
    for (std::size_t j = 0; j < kBets; ++j)
      cost_[j] = each[j] == kGone ? kGone : std::min(kGone, cost_[j] + each[j] * square);
  } else {
    charge(c, square);
  }
  sum_ += term;
  count_ += 1;
  return guess;
}

void LowerSequence::replace(double guess, double least, double before, double after) {
  charge(guess - least, (after - guess) * (after - guess) - (before - guess) * (before - guess));
  sum_ += after - before;
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
