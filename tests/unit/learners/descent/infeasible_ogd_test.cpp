#include "tarry/learners/descent/infeasible_ogd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "tarry/theory/bounds.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

AnySet set_named(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

AnyLearner infeasible(const std::string& json, const AnySet& set) {
  const spec::Value value = spec::parse_json(json);
  return make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
}

struct LateRound {
  Vec gradient;
  Round delay;
};

struct PlayedGame {
  std::vector<Vec> decisions;
  double outstanding = 0, most_outstanding = 0;
};

// Plays a game of linear losses; gradients that come in one round come in ascending order.
PlayedGame play(const AnySet& set, const std::string& learner, const std::vector<LateRound>& game) {
  AnyLearner made = infeasible(learner, set);
  PlayedGame played;
  Memo memo;
  double waiting = 0;
  for (Round t = 1; t <= game.size(); ++t) {
    played.outstanding += waiting;
    played.most_outstanding = std::max(played.most_outstanding, waiting);
    made.play(t, nullptr, memo);
    Vec x(static_cast<std::size_t>(set.dimension()));
    made.write(x);
    played.decisions.push_back(x);
    waiting += 1;
    for (Round k = 1; k <= t; ++k)
      if (k - 1 + game[k - 1].delay == t) {
        made.receive(k, {Covector::dense(game[k - 1].gradient)}, memo);
        waiting -= 1;
      }
  }
  played.most_outstanding = std::max(played.most_outstanding, waiting);
  return played;
}

// The largest regret over any interval of rounds.
double adaptive_regret(const AnySet& set, const std::vector<LateRound>& game, const PlayedGame& played) {
  double worst = 0;
  for (std::size_t from = 0; from < game.size(); ++from) {
    Vec sum(played.decisions[0].size(), 0.0);
    double loss = 0;
    for (std::size_t t = from; t < game.size(); ++t) {
      loss += Covector::dense(game[t].gradient).dot(played.decisions[t]);
      Covector::dense(game[t].gradient).add_to(sum);
      worst = std::max(worst, loss - inner(set.oracle(DenseDirection(sum, set.shape())), sum));
    }
  }
  return worst;
}

double longest(const std::vector<LateRound>& game) {
  double most = 0;
  for (const LateRound& round : game) most = std::max(most, norm2(round.gradient));
  return most;
}

struct AdaptiveCase {
  const char* set;
  const char* learner;
  theory::InfeasibleSteps steps;
};

const AdaptiveCase kAdaptive[] = {
    {R"({"type": "l2_ball", "dimension": 2, "radius": 1.5})",
     R"({"type": "infeasible_ogd", "eta": 0.3, "slack": 0.05})",
     {0.3, 0.05, 1}},
    {R"({"type": "simplex", "dimension": 3})",
     R"({"type": "infeasible_ogd", "eta": 0.2, "slack": 0.1, "batch": 2})",
     {0.2, 0.1, 2}},
    {R"({"type": "l1_ball", "dimension": 2, "radius": 1})",
     R"({"type": "infeasible_ogd", "eta": 0.1, "slack": 0.3, "batch": 3, "oracle": "linear"})",
     {0.1, 0.3, 3}},
};

double share_of_adaptive_bound(const AdaptiveCase& c, const AnySet& set, const std::vector<LateRound>& game) {
  const PlayedGame played = play(set, c.learner, game);
  const auto rounds = static_cast<double>(game.size());
  const theory::Scene scene{set.diameter(), longest(game), rounds, 1 + played.outstanding / rounds};
  return adaptive_regret(set, game, played) / theory::infeasible_ogd_adaptive(scene, c.steps, played.most_outstanding);
}

TEST(InfeasibleOgd, KeepsItsBoundOverEveryIntervalAgainstAClimb) {
  for (const AdaptiveCase& c : kAdaptive) {
    const AnySet set = set_named(c.set);
    const auto n = static_cast<std::size_t>(set.dimension());
    double best = 0;
    for (std::uint64_t start = 1; start <= 3; ++start) {
      RandomSequence random(start);
      const auto draw = [&]() -> LateRound {
        Vec g(n);
        for (double& gi : g) gi = random.gaussian();
        return {g, random.below(2) == 0 ? 1 : 1 + random.below(12)};
      };
      std::vector<LateRound> game(24);
      for (LateRound& round : game) round = draw();
      double share = share_of_adaptive_bound(c, set, game);
      for (int step = 0; step < 200; ++step) {
        auto other = game;
        LateRound& round = other[random.below(other.size())];
        round = random.below(2) == 0 ? draw() : other[random.below(other.size())];
        if (const double now = share_of_adaptive_bound(c, set, other); now >= share) {
          share = now;
          game = std::move(other);
        }
      }
      best = std::max(best, share);
    }
    EXPECT_LE(best, 1) << c.learner;
    EXPECT_GT(best, 0.05) << "the climb has found nothing: " << c.learner;
  }
}

// The best point moves every 1600 rounds: a step that has not shrunk follows it.
TEST(InfeasibleOgd, FollowsAComparatorThatMoves) {
  const AnySet set = set_named(R"({"type": "l1_ball", "dimension": 3, "radius": 1})");
  std::vector<LateRound> game(6400);
  for (std::size_t t = 0; t < game.size(); ++t) game[t] = {{t / 1600 % 2 == 0 ? 1.0 : -1.0, 0, 0}, 5};
  for (const char* learner :
       {R"({"type": "infeasible_ogd", "horizon": 6400, "gradient_bound": 1, "mean_delay": 5})",
        R"({"type": "infeasible_ogd", "horizon": 6400, "gradient_bound": 1, "mean_delay": 5, "oracle": "linear"})"}) {
    const PlayedGame played = play(set, learner, game);
    for (std::size_t period = 1; period < 4; ++period) {  // the last ten rounds of each period are near its best point
      double loss = 0;
      for (std::size_t t = 1600 * period + 1590; t < 1600 * (period + 1); ++t)
        loss += game[t].gradient[0] * played.decisions[t][0];
      EXPECT_LT(loss, -8) << learner << period;
    }
  }
}

TEST(InfeasibleOgd, SaysWhatItNeeds) {
  const AnySet ball = set_named(R"({"type": "l2_ball", "dimension": 2, "radius": 1})");
  const AnySet hull = set_named(R"({"type": "hull", "vertices": [[0, 0], [1, 0], [0, 1]]})");
  const auto message = [](const std::string& json, const AnySet& set) {
    return thrown_by([&] { infeasible(json, set); }).message;
  };
  EXPECT_NE(message(R"({"type": "infeasible_ogd"})", ball).find("give eta and slack, or horizon and gradient_bound"),
            std::string::npos);
  EXPECT_NE(message(R"({"type": "infeasible_ogd", "eta": 1, "slack": 2})", ball).find("slack must be at least 1e-09"),
            std::string::npos);
  EXPECT_NE(message(R"({"type": "infeasible_ogd", "eta": 1, "slack": 0.1, "oracle": "exact"})", ball)
                .find(R"(oracle must be "separation" or "linear")"),
            std::string::npos);
  EXPECT_EQ(thrown_by([&] {
              infeasible(R"({"type": "infeasible_ogd", "eta": 1, "slack": 0.1, "oracle": "separation"})", hull);
            }).code,
            Code::kUnsupported);
  EXPECT_NO_THROW(infeasible(R"({"type": "infeasible_ogd", "eta": 1, "slack": 0.1})", hull));
}

}  // namespace
}  // namespace tarry
