// The learners under a hedge, taken together so that they may share work (combined/hedge.h).
#pragma once

#include <concepts>
#include <optional>
#include <span>

#include "tarry/learners/learner.h"
#include "tarry/theory/seen.h"

namespace tarry {

// What the bases of a hedge played in a round.
struct BasesPlayed {
  std::span<const double> predictions;  // base by base, each output's; none where the round has no features
  std::span<const double> losses;       // each base's, by the loss or by the gradient; none where they cannot be told
  std::span<const Vec> decisions;       // in full, for rounds played without features
  std::span<const double> given = {};   // slopes that the round has been learnt with, as the predictions; none: 0
  std::span<double> taken = {};         // those that it is learnt with now, if asked for; none: not
};

// Bases that learn from targets which move: `given` is what the round has contributed to each, and is replaced.
template <class B>
concept MovesTargets = requires(B b, const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  b.move(open, says, given);
};

template <class B>
concept HedgeBases =
    requires(B b, const B k, Round t, const Covector* features, std::span<double> predictions,
             std::span<const double> kept, Memo& memo, const Feedback& feedback, const BasesPlayed& played,
             std::size_t i, std::span<double> x, ByteWriter& out, ByteReader& in, const theory::Seen& seen) {
      { k.size() } -> std::same_as<std::size_t>;
      // With features, each base's prediction; what they keep goes to the memo's end.
      b.play(t, features, predictions, memo);
      k.predict(*features, predictions);  // the same for any features, where they stand
      k.write(i, x);                      // base i's decision
      b.receive(t, feedback, played, kept);
      b.abandon(t, kept);
      k.save(out);
      b.load(in);
      // The least regret, over the answered rounds, that is certain for one of those that play on the whole set.
      { k.bound(seen) } -> std::same_as<std::optional<double>>;
      { k.instances() } -> std::same_as<std::size_t>;
      { k.tells_classes() } -> std::same_as<bool>;
    };

}  // namespace tarry
