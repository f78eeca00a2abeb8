// Every learner's snapshot, on every set that it accepts: equal states are equal bytes, at every step of a game with
// late feedback, and a restored learner predicts with the same bits before it has played again.
#include "tarry/learners/snapshot.h"

#include <gtest/gtest.h>

#include "conformance/examples.h"
#include "conformance/game.h"

namespace tarry::conformance {
namespace {

class SnapshotOnSet : public testing::TestWithParam<Pair> {
 protected:
  AnySet set_ = make_set(GetParam().set);
  Index n_ = set_.dimension();
  RandomSequence random_{19};
  Player fresh() const { return Player(*make_learner(GetParam().learner, set_), n_); }
};

TEST_P(SnapshotOnSet, KnowsItsDimension) { EXPECT_EQ(fresh().learner().dimension(), n_); }

// After every event the learner is replaced, beside one that never is, by a fresh one that was loaded.
TEST_P(SnapshotOnSet, SavesTheSameBytesAfterLoadingAndAsTheGameGoesOn) {
  const Game game = random_game({.dimension = n_, .rounds = 12, .largest_delay = 5}, random_);
  Player original = fresh(), restored = fresh();
  for (std::size_t e = 0; e < game.events.size(); ++e) {
    original.apply(game, game.events[e]);
    restored.apply(game, game.events[e]);
    const std::string snapshot = save_learner(original.learner());
    ASSERT_EQ(save_learner(restored.learner()), snapshot) << "event " << e;
    Player loaded = fresh();
    load_learner(loaded.learner(), snapshot);
    ASSERT_EQ(save_learner(loaded.learner()), snapshot) << "loaded after event " << e;
    loaded.keep(restored.memos());
    restored = std::move(loaded);
  }
}

TEST_P(SnapshotOnSet, PredictsTheSameBitsRightAfterLoading) {
  const Game game = random_game({.dimension = n_, .rounds = 12, .largest_delay = 5}, random_);
  Player original = fresh();
  for (std::size_t e = 0; e < game.events.size(); ++e) {
    original.apply(game, game.events[e]);
    Player loaded = fresh();
    load_learner(loaded.learner(), save_learner(original.learner()));
    for (std::size_t t = 0; t < 4; ++t) {  // dense ones and sparse ones among them
      const Covector features = game.gradients[t].covector();
      ASSERT_EQ(loaded.learner().predict(features), original.learner().predict(features)) << "event " << e;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SnapshotOnSet, testing::ValuesIn(accepted_pairs(learner_examples(), all_set_examples())),
                         pair_name);

}  // namespace
}  // namespace tarry::conformance
