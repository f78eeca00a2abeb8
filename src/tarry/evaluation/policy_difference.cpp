#include "tarry/evaluation/policy_difference.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"

namespace tarry::evaluation {
namespace {

constexpr double kLeastTaken = 1e-9;  // of probabilities: squares of weights stay finite

double half(double x) { return (1 + x) / 2; }  // differences from −1 to 1, as sequences take them

}  // namespace

bool Stakes::is_sound() const {
  return std::isfinite(ahead) && std::isfinite(least) && std::isfinite(most) && weight >= 0 && std::isfinite(weight) &&
         taken >= 0 && taken <= 1 && beyond >= 0 && beyond <= 2;
}

Stakes stakes_of(std::span<const ActionStakes> actions, std::size_t taken) {
  Stakes stakes;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const ActionStakes& each = actions[i];
    if (each.first <= 0 && i != taken) {
      stakes.beyond += each.second;
      continue;
    }
    const double predicted = std::clamp(each.predicted, 0.0, 1.0);
    const double weight = each.second / std::max(kLeastTaken, each.first);
    const double at_none = (weight - 1) * -predicted, at_full = (weight - 1) * (1 - predicted);
    least = std::min({least, at_none, at_full});
    most = std::max({most, at_none, at_full});
    stakes.ahead += (each.second - each.first) * predicted;
    if (i != taken) continue;
    stakes.weight = weight;
    stakes.taken = predicted;
  }
  stakes.least = stakes.ahead + least;
  stakes.most = stakes.ahead + most;
  return stakes;
}

// Without a model: rewards are predicted to be 0 for the lower end and 1 for the upper, so that no estimate is further
// than 1 on the wrong side, however rarely the first policy takes what the second one would. What it never takes earns
// 0 for the lower end and 1 for the upper, in all four.
void PolicyDifference::add(const Stakes& stakes, std::optional<double> reward) {
  const double more = stakes.weight - 1;
  const double for_low = reward.value_or(more > 0 ? 0 : 1), for_high = reward.value_or(more > 0 ? 1 : 0);
  const double estimate_low = stakes.ahead + more * (for_low - stakes.taken);
  const double estimate_high = stakes.ahead + more * (for_high - stakes.taken) + stakes.beyond;
  plain_low_.add(half(more * for_low), 0);
  plain_high_.add(half(more * (1 - for_high)), 0);
  low_.add(half(estimate_low), half(stakes.least));
  high_.add(half(-estimate_high), half(-stakes.most - stakes.beyond));
  if (!reward) {
    ++unknown_;
    return;
  }
  ++rounds_;
  first_ += *reward;
  difference_ += estimate_low;
}

// The tighter of both, each wrong half as often.
std::optional<PolicyDifference::Figures> PolicyDifference::figures(double alpha) const {
  if (rounds_ == 0) return std::nullopt;
  const auto count = static_cast<double>(rounds_);
  const auto bound = [&](const LowerSequence& plain, const LowerSequence& with_model) {
    return std::clamp(2 * std::max(plain.bound(alpha / 4), with_model.bound(alpha / 4)) - 1, -1.0, 1.0);
  };
  Figures figures{.rounds = rounds_, .unknown = unknown_, .first = first_ / count, .difference = difference_ / count};
  figures.second = figures.first + figures.difference;
  figures.low = bound(plain_low_, low_);
  figures.high = -bound(plain_high_, high_);
  return figures;
}

void PolicyDifference::save(ByteWriter& out) const {
  out.u64(rounds_);
  out.u64(unknown_);
  out.f64(first_);
  out.f64(difference_);
  for (const LowerSequence* each : {&plain_low_, &plain_high_, &low_, &high_}) each->save(out);
}

void PolicyDifference::load(ByteReader& in) {
  rounds_ = in.u64();
  unknown_ = in.u64();
  first_ = in.f64();
  difference_ = in.f64();
  for (LowerSequence* each : {&plain_low_, &plain_high_, &low_, &high_}) each->load(in);
  if (!(first_ >= 0) || first_ > static_cast<double>(rounds_) || !std::isfinite(difference_))
    throw Error(Code::kCorrupt, "snapshot: rewards that were compared are impossible");
}

}  // namespace tarry::evaluation
