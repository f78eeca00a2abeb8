// How much more a policy would have earned than the one that decides, from the rewards of what that one took: rewards
// from 0 to 1, with an interval that holds at every time at once (docs/theory.md, 17).
//
// Each round's stakes must have been fixed before its action was drawn, except the draw itself; rewards may come
// at any time. A reward that never comes could have been any, and widens the interval by that.
//
// π is the second policy, and actions are drawn from p. For any f̂ known before the draw, the expectation of
//   d = Σ_{a: p(a) > 0} (π(a) − p(a)) f̂(a) + (w − 1)(r − f̂(taken)),   w = π(taken)/p(taken),
// is the difference in reward over the actions that could be drawn; the others add between 0 and
// β = Σ_{a: p(a) = 0} π(a). The lower end uses d, the upper one d + β. Each is the tighter of two, with a quarter of α
// each: one with the model's predictions; and one with f̂ = 0 for the lower end (then d = (w − 1)r ≥ −1), or f̂ = 1 for
// the upper (then d + β = (w − 1)(r − 1) ≤ 1). A reward that never comes, or that of a void round, counts as 0 or 1,
// whichever is worse for the end; whether it comes must not depend on later draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tarry/base/bytes.h"
#include "tarry/evaluation/lower_sequence.h"

namespace tarry::evaluation {

struct ActionStakes {    // of one action in one round
  double first = 0;      // how likely the policy that decides takes it
  double second = 0;     // and the other one
  double predicted = 0;  // its reward, by a model
};

// A round: the difference of both policies' rewards is estimated by ahead + (weight − 1)(reward − taken).
struct Stakes {
  double weight = 0;           // of the action that was taken: how much likelier the second policy takes it
  double taken = 0;            // what it was predicted to earn
  double ahead = 0;            // by predictions, over the actions that the first policy could take
  double least = 0, most = 0;  // what the estimate could have been, with another draw or reward
  double beyond = 0;           // how likely the second policy takes what the first never does

  bool is_sound() const;  // after it was loaded
};
// `taken`: the place of the action that was drawn.
Stakes stakes_of(std::span<const ActionStakes> actions, std::size_t taken);

class PolicyDifference {
 public:
  static constexpr double kAlpha = 0.05;

  // In the order in which actions were drawn, with a reward from 0 to 1; nothing: it never came.
  void add(const Stakes& stakes, std::optional<double> reward);

  struct Figures {
    std::uint64_t rounds = 0, unknown = 0;  // whose reward came, and never did
    double first = 0, second = 0;           // mean rewards, the second one's estimated
    double difference = 0;                  // the second one's over the first one's
    double low = 0, high = 0;               // 95 %
  };
  std::optional<Figures> figures(double alpha = kAlpha) const;  // nothing: no reward has come

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  std::uint64_t rounds_ = 0, unknown_ = 0;
  double first_ = 0, difference_ = 0;  // sums
  // Of (1 + d)/2 and (1 − d)/2 for the difference d, each estimated without a model and with one.
  LowerSequence plain_low_, plain_high_, low_, high_;
};

}  // namespace tarry::evaluation
