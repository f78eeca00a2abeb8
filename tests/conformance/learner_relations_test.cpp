// How learners relate to one another and to the delays: pools beside their base, orders of arrival, feedback that comes
// too late to matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "conformance/examples.h"
#include "conformance/game.h"
#include "conformance/sampling.h"
#include "tarry/learners/combined/pools.h"
#include "tarry/model/model.h"

namespace tarry::conformance {
namespace {

const std::vector<std::string> kSets = {
    R"({"type": "simplex", "dimension": 4})",
    R"({"type": "l2_ball", "dimension": 3, "radius": 1})",
    R"({"type": "l1_ball", "dimension": 5, "radius": 2})",
    R"({"type": "product", "parts": [{"type": "l1_ball", "dimension": 3, "radius": 1},)"
    R"( {"type": "simplex", "dimension": 3}]})",
};

// Calls check(set) for each of the sets above that the learner accepts.
template <class Check>
void on_each_set(const Example& learner, Check check) {
  for (const std::string& json : kSets) {
    SCOPED_TRACE(json);
    const AnySet set = make_set(Example{"", json});
    if (make_learner(learner, set)) check(set);
  }
}

Player player_of(const Example& learner, const AnySet& set) {
  return Player(*make_learner(learner, set), set.dimension());
}

// ---- pools

Example bold_of(const Example& base) { return {"bold", R"({"type": "bold", "base": )" + base.json + "}"}; }

Example round_robin_of(const Example& base, Round delay) {
  return {"round_robin",
          R"({"type": "round_robin", "delay": )" + std::to_string(delay) + R"(, "base": )" + base.json + "}"};
}

class EveryLearner : public testing::TestWithParam<Example> {
 protected:
  RandomSequence random_{29};
};

TEST_P(EveryLearner, IsWhatBoldIsWithoutDelays) {
  on_each_set(GetParam(), [&](const AnySet& set) {
    const Game game = undelayed_game(set.dimension(), 40, random_);
    Player bold = player_of(bold_of(GetParam()), set);
    EXPECT_EQ(bold.play_all(game), player_of(GetParam(), set).play_all(game));
    EXPECT_EQ(bold.learner().instances(), 1u);
  });
}

TEST_P(EveryLearner, GetsItsCopyBackFromAnAbandonedRound) {
  on_each_set(GetParam(), [&](const AnySet& set) {
    Player bold = player_of(bold_of(GetParam()), set);
    Game game = undelayed_game(set.dimension(), 60, random_);
    for (GameEvent& event : game.events)
      if (event.kind == GameEvent::Kind::kReceive && random_.uniform() < 0.5) event.kind = GameEvent::Kind::kAbandon;
    bold.play_all(game);
    EXPECT_EQ(bold.learner().instances(), 1u);

    // Three outstanding at once: three copies, and never more once they are given back.
    Memo memos[3];
    for (Round t = 1; t <= 30; t += 3) {
      for (Round k = 0; k < 3; ++k) {
        memos[k].clear();
        bold.learner().play(60 + t + k, nullptr, memos[k]);
      }
      EXPECT_EQ(bold.learner().instances(), 3u);
      for (Round k = 0; k < 3; ++k) bold.learner().abandon(60 + t + k, memos[k]);
    }
  });
}

// Feedback d rounds late, in order: round t belongs to copy (t − 1) mod d, which never sees another's feedback.
Game fixed_delay_game(Index dimension, Round rounds, Round delay, RandomSequence& random) {
  Game game = undelayed_game(dimension, rounds, random);
  game.events.clear();
  for (Round t = 1; t <= rounds; ++t) {
    game.events.push_back({GameEvent::Kind::kPlay, t});
    if (t >= delay) game.events.push_back({GameEvent::Kind::kReceive, t - delay + 1});
  }
  return game;
}

// A copy's own game: its rounds alone, each answered before its next.
std::vector<Vec> alone(AnyLearner learner, const Game& game, Round first, Round delay, Index dimension) {
  std::vector<Vec> decisions;
  Vec x(static_cast<std::size_t>(dimension));
  for (Round t = first; t <= game.gradients.size(); t += delay) {
    Memo memo;
    learner.play(t, nullptr, memo);
    learner.write(x);
    decisions.push_back(x);
    learner.receive(t, {.gradient = game.gradient(t).covector()}, memo);
  }
  return decisions;
}

TEST_P(EveryLearner, InTurnsIsAsManyIndependentGames) {
  constexpr Round kDelay = 4;
  on_each_set(GetParam(), [&](const AnySet& set) {
    const Game game = fixed_delay_game(set.dimension(), 41, kDelay, random_);
    const auto turns = player_of(round_robin_of(GetParam(), kDelay), set).play_all(game);
    EXPECT_EQ(player_of(bold_of(GetParam()), set).play_all(game), turns) << "BOLD of a fixed delay";
    const spec::Value spec = GetParam().value();
    for (Round copy = 0; copy < kDelay; ++copy) {
      const LearnerSetting setting{.set = set, .initial = {}, .instance = copy};
      const auto own =
          alone(tarry::make_learner(spec::Node(spec, "learner"), setting), game, copy + 1, kDelay, set.dimension());
      for (std::size_t k = 0; k < own.size(); ++k)
        EXPECT_EQ(turns[copy + k * kDelay], own[k]) << "copy " << copy << ", its round " << k + 1;
    }
  });
}

// ---- delays

// The same game, but every round answered only after the last one is played.
TEST_P(EveryLearner, ADelayBeyondTheEndIsALossNeverAnswered) {
  on_each_set(GetParam(), [&](const AnySet& set) {
    Game answered = random_game({.dimension = set.dimension(), .largest_delay = 12, .lost = 0}, random_);
    Game late = answered, never = answered;
    std::vector<GameEvent> moved;
    std::erase_if(late.events, [&](const GameEvent& event) {
      const bool chosen = event.kind == GameEvent::Kind::kReceive && event.round % 3 == 0;
      if (chosen) moved.push_back(event);
      return chosen;
    });
    never.events = late.events;
    late.events.insert(late.events.end(), moved.begin(), moved.end());
    ASSERT_FALSE(moved.empty());
    EXPECT_EQ(player_of(GetParam(), set).play_all(late), player_of(GetParam(), set).play_all(never));
  });
}

// No decision may depend on feedback that arrives later: whatever the gradients after a round are.
TEST_P(EveryLearner, NoDecisionLooksAhead) {
  on_each_set(GetParam(), [&](const AnySet& set) {
    const Game game = random_game({.dimension = set.dimension()}, random_);
    const auto decisions = player_of(GetParam(), set).play_all(game);
    for (Round cut : {Round{1}, Round{7}, Round{20}, Round{33}}) {
      Game changed = game;
      bool after = false;
      for (const GameEvent& event : game.events) {
        after = after || (event.kind == GameEvent::Kind::kPlay && event.round == cut);
        if (after && event.kind == GameEvent::Kind::kReceive)
          for (double& g : changed.gradients[event.round - 1].dense) g = -3 * g + 1;
      }
      for (GameGradient& g : changed.gradients)
        if (!g.indices.empty()) g.by_index();
      const auto others = player_of(GetParam(), set).play_all(changed);
      for (Round t = 1; t <= cut; ++t) ASSERT_EQ(decisions[t - 1], others[t - 1]) << "round " << t << " of " << cut;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(All, EveryLearner, testing::ValuesIn(learner_examples()), example_name);

// ---- orders of arrival

// The same arrivals after each round, turned around.
Game turned(const Game& game) {
  Game other = game;
  auto begin = other.events.begin();
  while (begin != other.events.end()) {
    const auto is_play = [](const GameEvent& event) { return event.kind == GameEvent::Kind::kPlay; };
    const auto from = std::find_if_not(begin, other.events.end(), is_play);
    const auto to = std::find_if(from, other.events.end(), is_play);
    std::reverse(from, to);
    begin = to;
  }
  return other;
}

TEST(DelayedOgd, TheOrderOfWhatArrivesTogetherIsOnlyRounding) {
  RandomSequence random(37);
  for (const char* json : {R"({"type": "delayed_ogd", "eta": 0.3})", R"({"type": "delayed_ogd_sc", "beta": 0.5})"}) {
    const Example learner{"", json};
    on_each_set(learner, [&](const AnySet& set) {
      const Game game = random_game({.dimension = set.dimension(), .largest_delay = 15, .lost = 0}, random);
      const auto one = player_of(learner, set).play_all(game), other = player_of(learner, set).play_all(turned(game));
      for (std::size_t t = 0; t < one.size(); ++t)
        ASSERT_LE(static_cast<double>(distance(one[t], other[t])), 1e-12) << "round " << t + 1;
    });
  }
}

TEST(DelayedOgd, OneStepForAllThatArrivedTogether) {
  const AnySet set = make_set(Example{"", R"({"type": "l2_ball", "dimension": 2, "radius": 1})"});
  AnyLearner learner = *make_learner(Example{"", R"({"type": "delayed_ogd", "eta": 0.5})"}, set);
  Memo memo;
  Vec x(2);
  for (Round t = 1; t <= 2; ++t) learner.play(t, nullptr, memo);
  learner.receive(1, {.gradient = Covector::dense(Vec{-6, 0})}, memo);
  learner.receive(2, {.gradient = Covector::dense(Vec{4, -8})}, memo);
  learner.play(3, nullptr, memo);
  learner.write(x);  // −0.5 · (−2, −8) = (1, 4), projected once
  EXPECT_NEAR(x[0], 1 / std::sqrt(17.0), 1e-15);
  EXPECT_NEAR(x[1], 4 / std::sqrt(17.0), 1e-15);
}

TEST(DelayedOgdSc, StepsByOneOverHalfBetaTimesTheArrivals) {
  const AnySet set = make_set(Example{"", R"({"type": "l2_ball", "dimension": 1, "radius": 100})"});
  AnyLearner learner = *make_learner(Example{"", R"({"type": "delayed_ogd_sc", "beta": 0.5})"}, set);
  Memo memo;
  Vec x(1);
  for (Round t = 1; t <= 3; ++t) learner.play(t, nullptr, memo);
  for (Round t = 1; t <= 3; ++t) learner.receive(t, {.gradient = Covector::dense(Vec{1})}, memo);
  learner.play(4, nullptr, memo);
  learner.write(x);
  EXPECT_NEAR(x[0], -3 / 0.75, 1e-15);  // h = 0.5 · 3 / 2
  learner.receive(4, {.gradient = Covector::dense(Vec{-2})}, memo);
  learner.play(5, nullptr, memo);
  learner.write(x);
  EXPECT_NEAR(x[0], -3 / 0.75 + 2 / 1.0, 1e-15);
}

// y and p = η ḡ − 2 y₁, out of a dense learner's saved state.
struct OfwState {
  Vec y, p;
};

OfwState state_of(const AnyLearner& learner) {
  ByteWriter out;
  learner.save(out);
  ByteReader in(out.bytes());
  in.f64();  // η
  in.f64();  // the largest gradient
  in.i64();  // of the batch
  in.u64();  // dense
  in.f64();
  const double scale = in.f64();
  OfwState state{scaled(in.reals(), scale), in.reals()};
  in.expect_end();
  return state;
}

TEST(DelayedOfw, TheOrderOfWhatArrivesTogetherChangesTheDecisionButNotTheSum) {
  RandomSequence random(41);
  const Example learner{"", R"({"type": "delayed_ofw", "eta": 0.4, "storage": "dense"})"};
  const AnySet set = make_set(Example{"", R"({"type": "l2_ball", "dimension": 3, "radius": 1})"});
  const int games = repeat(20);
  int parted = 0;
  for (int i = 0; i < games; ++i) {
    const Game game = random_game({.dimension = 3, .largest_delay = 15, .lost = 0}, random);
    Player one = player_of(learner, set), other = player_of(learner, set);
    one.play_all(game);
    other.play_all(turned(game));
    const OfwState a = state_of(one.learner()), b = state_of(other.learner());
    EXPECT_LE(static_cast<double>(distance(a.p, b.p)), 1e-12);
    parted += distance(a.y, b.y) > 1e-6 ? 1 : 0;
  }
  EXPECT_GE(parted, 3 * games / 4);
}

// ---- the identity of the delays

// Σ over gradients of (updates between the decision it was taken at and its own) = Σ o_t = Σ min(d_t − 1, T − t).
TEST(Delays, TheSumOfOutstandingRoundsIsTheSumOfDelays) {
  RandomSequence random(43);
  for (int i = 0; i < repeat(50); ++i) {
    const Round rounds = 1 + random.below(60), most = 1 + random.below(70);
    const Game game = random_game({.dimension = 2, .rounds = rounds, .largest_delay = most, .lost = 0}, random);
    const AnySet set = make_set(Example{"", R"({"type": "simplex", "dimension": 2})"});
    Model model(set, *make_learner(Example{"", R"({"type": "delayed_ofw", "eta": 0.1})"}, set));
    std::vector<Round> updates_at_play(rounds + 1), answered_at(rounds + 1, rounds);  // lost: after the last round
    std::vector<bool> answered(rounds + 1, false);
    Round now = 0, updates = 0;
    double by_updates = 0, by_delays = 0;
    for (const GameEvent& event : game.events) {
      if (event.kind == GameEvent::Kind::kPlay) {
        now = event.round;
        updates_at_play[now] = updates;
        model.apply(Play{});
        continue;
      }
      ASSERT_EQ(model.apply(Gradient{event.round, game.gradient(event.round).covector()}).answer, Answer::kApplied);
      answered_at[event.round] = now;
      answered[event.round] = true;
      by_updates += static_cast<double>(updates - updates_at_play[event.round]);
      ++updates;
    }
    for (Round t = 1; t <= rounds; ++t) {
      by_delays += static_cast<double>(answered_at[t] - t);
      if (answered[t]) continue;
      by_updates += static_cast<double>(updates - updates_at_play[t]);  // used after round T, in order
      ++updates;
    }
    EXPECT_EQ(model.ledger().delays().sum_outstanding, by_delays);
    EXPECT_EQ(by_updates, by_delays);
    EXPECT_EQ(model.seen().sum_outstanding, by_delays);
  }
}

}  // namespace
}  // namespace tarry::conformance
