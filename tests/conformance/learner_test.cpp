// Every learner on every set that it accepts: feasible whatever the delays, deterministic, restorable anywhere, and
// the same on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/examples.h"
#include "conformance/game.h"
#include "conformance/sampling.h"
#include "tarry/learners/snapshot.h"
#include "tarry/linalg/norms.h"
#include "tarry/linalg/parallel.h"

namespace tarry::conformance {
namespace {

constexpr double kInside = 1e-9;

class LearnerOnSet : public testing::TestWithParam<Pair> {
 protected:
  AnySet set_ = make_set(GetParam().set);
  Index n_ = set_.dimension();
  RandomSequence random_{13};
  Player fresh() const { return Player(*make_learner(GetParam().learner, set_), n_); }
};

TEST_P(LearnerOnSet, EveryDecisionIsFeasibleUnderRandomDelays) {
  for (int i = 0; i < repeat(3); ++i) {
    const Game game = random_game({.dimension = n_, .largest_delay = 1 + random_.below(20)}, random_);
    Player player = fresh();
    for (const GameEvent& event : game.events) {
      const auto x = player.apply(game, event);
      if (!x) continue;
      ASSERT_TRUE(set_.contains(*x, kInside)) << "round " << event.round << ": " << testing::PrintToString(*x);
    }
  }
}

TEST_P(LearnerOnSet, StaysFeasibleOnHugeAndTinyGradients) {
  for (double bound : {1e90, 1e-200}) {
    const Game game = random_game({.dimension = n_, .gradient_bound = bound}, random_);
    Player player = fresh();
    for (const Vec& x : player.play_all(game)) ASSERT_TRUE(set_.contains(x, kInside)) << testing::PrintToString(x);
  }
}

TEST_P(LearnerOnSet, TheSameGameGivesTheSameDecisions) {
  for (const Game& game : {undelayed_game(n_, 40, random_), random_game({.dimension = n_}, random_)})
    EXPECT_EQ(fresh().play_all(game), fresh().play_all(game));
}

TEST_P(LearnerOnSet, GradientsBySupportOrInFullGiveTheSameDecisions) {
  // Zeros make ties (see FrankWolfePair::game), which a sparse and a dense track may break differently.
  Game game = random_game({.dimension = n_, .sparse = set_.need() == Need::kDense ? 0.4 : 0.0}, random_);
  Game in_full = game;
  for (GameGradient& g : in_full.gradients) g.indices.clear();
  for (GameGradient& g : game.gradients) g.by_index();
  const auto sparse = fresh().play_all(game), dense = fresh().play_all(in_full);
  for (std::size_t t = 0; t < sparse.size(); ++t)
    ASSERT_LE(static_cast<double>(distance(sparse[t], dense[t])), 1e-9 * size_of(set_)) << "round " << t + 1;
}

TEST_P(LearnerOnSet, APredictionIsTheFeaturesTimesTheDecision) {
  const Game game = random_game({.dimension = n_}, random_);
  Player player = fresh();
  Vec x(static_cast<std::size_t>(n_));
  for (const GameEvent& event : game.events) {
    if (event.kind != GameEvent::Kind::kPlay) {
      player.apply(game, event);
      continue;
    }
    const GameGradient& features = game.gradient(event.round);
    const Covector covector = features.covector();
    std::map<Round, Memo> memos = player.memos();
    const double prediction = player.learner().play(event.round, &covector, memos[event.round]);
    player.keep(std::move(memos));
    player.learner().write(x);
    ASSERT_NEAR(prediction, static_cast<double>(dot(features.dense, x)),
                1e-12 * static_cast<double>(length(features.dense)) * size_of(set_));
  }
}

TEST_P(LearnerOnSet, ContinuesBitForBitFromASnapshot) {
  const Game game = random_game({.dimension = n_}, random_);
  for (int i = 0; i < repeat(6); ++i) {
    const std::size_t cut = i == 0 ? 0 : random_.below(game.events.size());
    Player original = fresh(), restored = fresh();
    for (std::size_t e = 0; e < cut; ++e) original.apply(game, game.events[e]);
    load_learner(restored.learner(), save_learner(original.learner()));
    restored.keep(original.memos());
    for (std::size_t e = cut; e < game.events.size(); ++e)
      ASSERT_EQ(original.apply(game, game.events[e]), restored.apply(game, game.events[e]))
          << "saved after event " << cut << ", parted at event " << e;
  }
}

// A learner that has already played takes a snapshot on as well as a fresh one does.
TEST_P(LearnerOnSet, ALoadedSnapshotReplacesWhateverWasThere) {
  const Game game = random_game({.dimension = n_}, random_);
  const std::size_t half = game.events.size() / 2;
  Player original = fresh(), used = fresh();
  for (std::size_t e = 0; e < half; ++e) original.apply(game, game.events[e]);
  used.play_all(random_game({.dimension = n_}, random_));
  load_learner(used.learner(), save_learner(original.learner()));
  used.keep(original.memos());
  for (std::size_t e = half; e < game.events.size(); ++e)
    ASSERT_EQ(original.apply(game, game.events[e]), used.apply(game, game.events[e])) << "event " << e;
}

INSTANTIATE_TEST_SUITE_P(All, LearnerOnSet, testing::ValuesIn(accepted_pairs(learner_examples(), all_set_examples())),
                         pair_name);

// ---- on sets of our choice

class LearnerAlone : public testing::TestWithParam<Example> {
 protected:
  RandomSequence random_{17};

  // The learner after a short game on the first of these sets that it accepts.
  std::optional<std::pair<AnySet, Player>> played_on(const std::vector<std::string>& sets, Round rounds) {
    for (const std::string& json : sets) {
      const AnySet set = make_set(Example{"", json});
      auto learner = make_learner(GetParam(), set);
      if (!learner) continue;
      Player player(std::move(*learner), set.dimension());
      player.play_all(random_game({.dimension = set.dimension(), .rounds = rounds}, random_));
      return std::pair{set, std::move(player)};
    }
    return std::nullopt;
  }
};

const std::vector<std::string> kSmallSets = {R"({"type": "simplex", "dimension": 3})",
                                             R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
                                             R"({"type": "box", "lower": [-1, -1], "upper": [1, 1]})"};

Code code_of_loading(AnyLearner learner, std::string_view snapshot) {
  try {
    load_learner(learner, snapshot);
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kInternal;
}

TEST_P(LearnerAlone, RefusesASnapshotWithAnyByteChanged) {
  for (const std::string& json : kSmallSets) {
    auto played = played_on({json}, 6);
    if (!played) continue;
    auto& [set, player] = *played;
    const std::string good = save_learner(player.learner());
    for (std::size_t at = 0; at < good.size(); ++at)
      for (char flip : {'\x01', '\x80', '\xFF'}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        ASSERT_EQ(code_of_loading(*make_learner(GetParam(), set), bad), Code::kCorrupt) << "byte " << at;
      }
  }
}

TEST_P(LearnerAlone, RefusesASnapshotThatEndsEarlyOrGoesOn) {
  for (const std::string& json : kSmallSets) {
    auto played = played_on({json}, 6);
    if (!played) continue;
    auto& [set, player] = *played;
    const std::string good = save_learner(player.learner());
    for (std::size_t size = 0; size < good.size(); ++size)
      ASSERT_EQ(code_of_loading(*make_learner(GetParam(), set), good.substr(0, size)), Code::kCorrupt) << size;
    EXPECT_EQ(code_of_loading(*make_learner(GetParam(), set), good + '\0'), Code::kCorrupt);
  }
}

// The checksum hides the payload's own reader: sealed again, a damaged payload is refused or read, never fatal.
TEST_P(LearnerAlone, ReadsADamagedPayloadWithoutFailingOtherwiseThanAsCorrupt) {
  for (const std::string& json : kSmallSets) {
    auto played = played_on({json}, 6);
    if (!played) continue;
    auto& [set, player] = *played;
    ByteWriter out;
    player.learner().save(out);
    const std::string good = out.take();
    for (std::size_t at = 0; at < good.size(); ++at)
      for (char flip : {'\x01', '\x80', '\xFF'}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        AnyLearner learner = *make_learner(GetParam(), set);
        try {
          load_learner(learner, seal_snapshot(bad));
        } catch (const Error& error) {
          ASSERT_EQ(error.code(), Code::kCorrupt) << "byte " << at << ": " << error.what();
        }
      }
    for (std::size_t size = 0; size < good.size(); ++size)
      ASSERT_EQ(code_of_loading(*make_learner(GetParam(), set), seal_snapshot(good.substr(0, size))), Code::kCorrupt)
          << "length " << size;
  }
}

TEST_P(LearnerAlone, RefusesASnapshotOfAnotherDimension) {
  auto small =
      played_on({R"({"type": "simplex", "dimension": 3})", R"({"type": "l2_ball", "dimension": 3, "radius": 1})"}, 6);
  auto large =
      played_on({R"({"type": "simplex", "dimension": 5})", R"({"type": "l2_ball", "dimension": 5, "radius": 1})"}, 6);
  if (!small || !large) GTEST_SKIP() << "the learner refuses these sets";
  const std::string snapshot = save_learner(small->second.learner());
  EXPECT_EQ(code_of_loading(*make_learner(GetParam(), large->first), snapshot), Code::kCorrupt);
}

TEST_P(LearnerAlone, GivesTheSameBitsOnOneThreadAndOnTwo) {
  for (const char* json :
       {R"({"type": "l1_ball", "dimension": 200000, "radius": 2})",
        R"({"type": "l2_ball", "dimension": 200000, "radius": 2})", R"({"type": "simplex", "dimension": 200000})",
        R"({"type": "box", "dimension": 200000, "lower": -1, "upper": 2})"}) {
    const AnySet set = make_set(Example{"", json});
    if (!make_learner(GetParam(), set)) continue;
    const Game game = random_game({.dimension = set.dimension(), .rounds = 5, .largest_delay = 2}, random_);
    const auto with_threads = [&](int threads) {
      const ThreadLimit limit(threads);
      return Player(*make_learner(GetParam(), set), set.dimension()).play_all(game);
    };
    EXPECT_TRUE(with_threads(1) == with_threads(2)) << json;
  }
}

TEST_P(LearnerAlone, LivesOnWhenNothingIsEverAnswered) {
  for (const std::string& json : kSmallSets) {
    const AnySet set = make_set(Example{"", json});
    for (double lost : {1.0, 0.7}) {
      auto learner = make_learner(GetParam(), set);
      if (!learner) continue;
      Player player(std::move(*learner), set.dimension());
      for (const Vec& x : player.play_all(random_game({.dimension = set.dimension(), .lost = lost}, random_)))
        ASSERT_TRUE(set.contains(x, kInside));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LearnerAlone, testing::ValuesIn(learner_examples()), example_name);

TEST(LearnerRegistry, EveryEntryHasAnExampleThatNamesItAndASetThatItAccepts) {
  for (const LearnerEntry& entry : learner_registry()) {
    ASSERT_FALSE(entry.examples.empty()) << entry.name;
    for (const std::string& json : entry.examples) {
      const Example example{"", json};
      EXPECT_EQ(example.type(), entry.name);
      const auto sets = set_examples();
      EXPECT_TRUE(std::any_of(sets.begin(), sets.end(), [&](const Example& set) {
        return make_learner(example, make_set(set)).has_value();
      })) << json;
    }
  }
}

}  // namespace
}  // namespace tarry::conformance
