// What Frank-Wolfe learners draw, on every set: a vertex, whose mean is the decision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conformance/all_vertices.h"
#include "conformance/examples.h"
#include "conformance/game.h"
#include "conformance/sampling.h"
#include "sanitized.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/frank_wolfe/delayed_ofw_sc.h"
#include "tarry/learners/snapshot.h"

namespace tarry::conformance {
namespace {

constexpr double kInside = 1e-9;

class SampleOnSet : public testing::TestWithParam<Example> {
 protected:
  AnySet set_ = make_set(GetParam());
  Index n_ = set_.dimension();
  RandomSequence random_{29};

  Vec in_full(const Atom& atom) const {
    Vec x(static_cast<std::size_t>(n_));
    write(atom, x);
    return x;
  }

  // The mean over all draws, from the weights themselves, at every round of a game.
  template <class Learner>
  void expect_mean_to_be_the_decision(Learner learner) {
    const Game game = random_game({.dimension = n_, .rounds = 30}, random_);
    Memo memo;
    Vec x(static_cast<std::size_t>(n_));
    for (const GameEvent& event : game.events) {
      if (event.kind == GameEvent::Kind::kReceive)
        learner.receive(event.round, {.gradient = game.gradient(event.round).covector()}, memo);
      if (event.kind != GameEvent::Kind::kPlay) continue;
      learner.play(event.round, nullptr, memo);
      learner.write(x);
      Vec mean(x.size(), 0.0);
      learner.sampler()->mixture().add_mean(mean);
      ASSERT_LE(static_cast<double>(distance(mean, x)), 1e-11 * size_of(set_)) << "round " << event.round;
      ASSERT_TRUE(set_.contains(in_full(learner.sample()), kInside));
    }
  }

  Effort sampling(Index oracle_calls = 1) const {
    Effort effort;
    effort.sample = 5;
    effort.oracle_calls = oracle_calls;
    effort.oracle_error = 0;
    return effort;
  }
};

TEST_P(SampleOnSet, TheMeanOfAllDrawsIsTheDecision) {
  expect_mean_to_be_the_decision(DelayedOfw<AnySet>(set_, OfwRule(0.3), set_.shape(), sampling()));
  expect_mean_to_be_the_decision(DelayedOfw<AnySet>(set_, OfwRule(5), set_.shape(), sampling(3)));
  expect_mean_to_be_the_decision(DelayedOfwSc<AnySet>(set_, OfwScRule(0.7), set_.shape(), sampling()));
}

// The same state, drawn from by many seeds.
TEST_P(SampleOnSet, DrawsByTheDecisionsWeights) {
  const int draws = cases(200);
  const auto learner_of = [&](int seed) {
    return *make_learner(
        {"", R"({"type": "delayed_ofw", "eta": 0.2, "sample": true, "seed": )" + std::to_string(seed) + "}"}, set_);
  };
  Player player(learner_of(0), n_);
  player.play_all(random_game({.dimension = n_, .rounds = 20}, random_));
  const std::string state = save_learner(player.learner());
  Vec x(static_cast<std::size_t>(n_)), mean(x.size(), 0.0);
  player.learner().write(x);
  for (int seed = 0; seed < draws; ++seed) {
    AnyLearner learner = learner_of(seed);
    load_learner(learner, state);
    const Vec drawn = in_full(learner.sample());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += drawn[i] / draws;
  }
  const double error = 5 * set_.diameter() / 2 / std::sqrt(draws) + 1e-9 * size_of(set_);
  for (std::size_t i = 0; i < mean.size(); ++i) ASSERT_NEAR(mean[i], x[i], error) << i;
}

std::optional<std::vector<Vec>> vertices_of(const Example& set) {
  const spec::Value value = set.value();
  return all_vertices(spec::Node(value, "set"));
}

class SampleOnListedVertices : public SampleOnSet {};

TEST_P(SampleOnListedVertices, DrawsNothingElse) {
  const auto vertices = vertices_of(GetParam());
  Player player(*make_learner({"", R"({"type": "delayed_ofw", "eta": 0.2, "sample": true})"}, set_), n_);
  const Game game = random_game({.dimension = n_, .rounds = 40}, random_);
  for (const GameEvent& event : game.events) {
    player.apply(game, event);
    if (event.kind != GameEvent::Kind::kPlay) continue;
    const Vec drawn = in_full(player.learner().sample());
    ASSERT_TRUE(std::any_of(vertices->begin(), vertices->end(), [&](const Vec& v) {
      return static_cast<double>(distance(v, drawn)) <= 1e-9 * size_of(set_);
    })) << testing::PrintToString(drawn);
  }
}

TEST_P(SampleOnSet, DrawsTheSameAfterLoading) {
  for (const char* json : {R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 3, "sample": true})",
                           R"({"type": "delayed_ofw", "horizon": 40, "gradient_bound": "unknown", "sample": true})",
                           R"({"type": "delayed_ofw_sc", "beta": 0.7, "sample": true})",
                           R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 3})"}) {
    const Example learner{"", json};
    const Game game = random_game({.dimension = n_, .rounds = 15}, random_);
    Player original(*make_learner(learner, set_), n_);
    for (const GameEvent& event : game.events) {
      original.apply(game, event);
      AnyLearner loaded = *make_learner(learner, set_);
      load_learner(loaded, save_learner(original.learner()));
      ASSERT_EQ(in_full(loaded.sample()), in_full(original.learner().sample())) << json;
      ASSERT_TRUE(set_.contains(in_full(loaded.sample()), kInside)) << json;
    }
  }
}

std::vector<Example> sets_with_listed_vertices() {
  std::vector<Example> sets = all_set_examples();
  std::erase_if(sets, [](const Example& set) { return !vertices_of(set); });
  return sets;
}

INSTANTIATE_TEST_SUITE_P(All, SampleOnListedVertices, testing::ValuesIn(sets_with_listed_vertices()), example_name);
INSTANTIATE_TEST_SUITE_P(All, SampleOnSet, testing::ValuesIn(all_set_examples()), example_name);

}  // namespace
}  // namespace tarry::conformance
