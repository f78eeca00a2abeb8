// What a policy would have earned, from the rewards of actions that another one took: inverse propensity scores (IPS),
// the same divided by the sum of the weights (SNIPS), and with a model of the reward (DR, doubly robust).
//
// Each round's weight, prediction and what they rest on must have been fixed before its action was drawn; rewards may
// come whenever they do. docs/theory.md, 17.
#pragma once

#include <optional>

#include "tarry/evaluation/lower_sequence.h"

namespace tarry::evaluation {

struct RewardRange {
  double low = 0, high = 1;

  bool operator==(const RewardRange&) const = default;
};

struct Modelled {                           // by a model of the reward, before the reward was known
  double taken = 0;                         // what the action that was taken would earn
  double policy = 0;                        // what the policy would: Σ π(a) f̂(a)
  double largest_up = 0, largest_down = 0;  // max π(a) (high − f̂(a)) / p(a) and max π(a) (f̂(a) − low) / p(a)
  bool bounded = true;                      // whether these two are known
};

struct LoggedReward {
  double weight = 0;             // π(a)/p(a) of the action that was taken
  std::optional<double> reward;  // nothing: it has not come
  std::optional<Modelled> model = std::nullopt;
};

struct Estimate {
  double value = 0;
  std::optional<double> low = std::nullopt, high = std::nullopt;  // 95 %; nothing: there is no interval
};

class PolicyValue {
 public:
  static constexpr double kAlpha = 0.05;

  // Without a range there are no intervals but that of SNIPS.
  explicit PolicyValue(std::optional<RewardRange> range = std::nullopt, Effort effort = Effort::kExact)
      : range_(range), ips_(effort), dr_(effort) {}

  // What the bounds guessed of a round that was added.
  struct Guessed {
    double ips_low = 0, ips_high = 0, dr_low = 0, dr_high = 0;
  };
  // Predictions must be within the range.
  Guessed add(const LoggedReward& round);
  // The reward of a round that was added is another one after all.
  void revise(const LoggedReward& added, const Guessed& guessed, double reward);

  double rounds() const { return rewarded_ + open_; }
  double open() const { return open_; }  // whose rewards have not come: in no value, but in intervals at their worst
  // Intervals of IPS and DR hold at all times at once; SNIPS' is asymptotic, and for a time that was fixed before.
  // Values over no rewards are NaN.
  Estimate ips(double alpha = kAlpha) const;
  Estimate snips() const;
  std::optional<Estimate> dr(double alpha = kAlpha) const;     // nothing: a round came without a model
  double mean_weight() const { return weights_ / rewarded_; }  // about 1
  // How far the mean weight is from 1, in its standard errors: a policy that takes actions which never were taken is
  // far below, and wrong probabilities show as well.
  double weight_error() const;
  double effective() const { return weights_ * weights_ / weights_squared_; }  // rounds: (Σ w)² / Σ w²

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // of the same range

 private:
  struct Sided {
    explicit Sided(Effort effort) : low(effort), high(effort) {}
    LowerSequence low, high;  // of the rewards, and of what they lack to the highest
  };
  double in_range(double reward) const { return (reward - range_->low) / (range_->high - range_->low); }
  Estimate with_interval(double value, const Sided& sided, double alpha = kAlpha) const;
  Guessed add_bounds(const LoggedReward& round);
  void add_sums(const LoggedReward& round, double times);

  std::optional<RewardRange> range_;
  double rewarded_ = 0, open_ = 0;
  double weights_ = 0, weights_squared_ = 0;
  double weighted_ = 0, weighted_squared_ = 0, weighted_cross_ = 0;  // Σ w r, Σ w² r², Σ w² r
  double doubly_ = 0;
  bool modelled_ = true, bounded_ = true;
  Sided ips_, dr_;
};

}  // namespace tarry::evaluation
