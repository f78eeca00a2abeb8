#include "tarry/lab/play/game.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/balls/ellipsoid.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/hypersimplex.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

// Interval [−1, 1], gradients 1, −2, 1, each two rounds late. OGD with η = ½ from 0:
//   plays 0, 0, −½ (g₁ came after round 2), loss 1·0 − 2·0 + 1·(−½) = −½; Σ b = 0, so the best in hindsight is 0.
TEST(PlayGame, IsTheGameWorkedOutByHand) {
  Model model = make_model(R"({"type": "box", "lower": [-1], "upper": [1]})", R"({"type": "delayed_ogd", "eta": 0.5})");
  const RawStream stream{[](Round t, std::span<const double>, std::span<double> b) { b[0] = t == 2 ? -2 : 1; }};
  const auto delays = delays_from(R"({"type": "fixed", "delay": 2})", 1);
  std::vector<double> losses;
  const auto keep = [&](const RoundPlayed&, const Played& so_far) { losses.push_back(so_far.loss); };
  const Played played = play_game(model, raw_game(stream, 1), *delays, {.rounds = 3, .after = keep, .clock = {}});
  EXPECT_EQ(losses, (std::vector<double>{0, 0, -0.5}));
  EXPECT_EQ(played.loss, -0.5);
  EXPECT_EQ(played.slope_sum, Vec{0});
  EXPECT_EQ(regret(model.set(), played).high, -0.5);
  EXPECT_EQ(model.ledger().settled(), 2u);
  EXPECT_EQ(model.ledger().delays().sum_outstanding, 2);
}

// f(x) = b x + x²/2: the gradient that goes back is taken at the played point.
TEST(PlayGame, GradientsOfCurvedLossesAreTakenAtThePlayedPoint) {
  Model model = make_model(R"({"type": "box", "lower": [-1], "upper": [1]})", R"({"type": "delayed_ogd", "eta": 0.5})");
  const RawStream stream{[](Round, std::span<const double>, std::span<double> b) { b[0] = 1; }, 1};
  const auto delays = delays_from(R"({"type": "none"})", 1);
  const Played played = play_raw(model, stream, 3, *delays);
  // x: 0, then 0 − ½·1 = −½, then −½ − ½·(1 − ½) = −¾; losses 0, −½ + ⅛, −¾ + 9/32.
  EXPECT_DOUBLE_EQ(played.loss, 0 - 0.375 - 0.46875);
  EXPECT_EQ(played.curvature, 3);
  // Best: 3x + 3x²/2 at −1: −1.5.
  EXPECT_DOUBLE_EQ(regret(model.set(), played).high, 1.5 - 0.84375);
}

TEST(BestInHindsight, OfLinearLossesIsTheOraclesAnswer) {
  const Interval best = best_in_hindsight(L2Ball(2, 2), {3, 4}, 0);
  EXPECT_DOUBLE_EQ(best.low, -10);
  EXPECT_DOUBLE_EQ(best.high, -10);
}

TEST(BestInHindsight, OfCurvedLossesIsExactWhereThereIsAProjection) {
  const Interval inside = best_in_hindsight(L2Ball(2, 2), {3, 4}, 10);  // at −slope/10, inside
  EXPECT_DOUBLE_EQ(inside.high, -25 / 20.0);
  const Interval outside = best_in_hindsight(L2Ball(2, 2), {3, 4}, 1);  // at the boundary: −10 + ½·4
  EXPECT_DOUBLE_EQ(outside.high, -8);
}

// Frank-Wolfe's interval, on sets without a projection whose answer is known otherwise.
TEST(BestInHindsight, FrankWolfesIntervalHoldsTheTruth) {
  RandomSequence random(3);
  for (int i = 0; i < 30; ++i) {
    const double curvature = std::pow(10.0, random.uniform(-1, 1.5));
    Vec slope = {random.gaussian(), random.gaussian(), random.gaussian()};

    // An ellipsoid that is a ball in disguise.
    const AnySet ball = Ellipsoid({1.5, 1.5, 1.5}, {});
    if (!ball.can_project()) {
      const double g = norm2(slope), at = std::min(1.5, g / curvature);
      const double truth = -g * at + curvature / 2 * at * at;
      for (double gap : {1e-2, 1e-6}) {
        const Interval best = best_in_hindsight(ball, slope, curvature, gap);
        EXPECT_LE(best.low, truth + 1e-12);
        EXPECT_GE(best.high, truth - 1e-12);
        EXPECT_LE(best.high - best.low, gap * std::max(1.0, std::fabs(best.high)) + 1e-15);
      }
    }

    // One of three, as a hypersimplex: the simplex, where the answer is a projection known by thresholds.
    Vec x = slope;
    for (double& xi : x) xi /= -curvature;
    make_model(R"({"type": "simplex", "dimension": 3})", R"({"type": "delayed_ofw", "eta": 1})").set().project(x);
    double truth = 0;
    for (std::size_t k = 0; k < 3; ++k) truth += slope[k] * x[k] + curvature / 2 * x[k] * x[k];
    const AnySet simplex = Hypersimplex(3, 1);
    ASSERT_FALSE(simplex.can_project());
    const Interval best = best_in_hindsight(simplex, slope, curvature, 1e-4);
    EXPECT_LE(best.low, truth + 1e-12);
    EXPECT_GE(best.high, truth - 1e-12);
    EXPECT_LE(best.high - best.low, 1e-4 * std::max(1.0, std::fabs(best.high)) + 1e-15);
  }
}

// Asks for a route of one coordinate, always the same, and counts who looks at its gradients.
class CountingWorld final : public World {
 public:
  std::optional<Turn> next() override { return Turn{play_}; }
  Coming answer(Round round, const Model&, const Model::Outcome& decided) override {
    return {{.round = round}, Gradient{decided.round, Vec{1}}};
  }
  Covector gradient() override {
    ++asked;
    return Covector::dense(one_);
  }
  Recorded recorded() override {
    return [](double) { return arriving_at({}); };
  }
  int asked = 0;

 private:
  const Event play_ = Play{};
  const Vec one_{1};
};

TEST(Game, WorksOutGradientsForNobodyButWhoAsks) {
  for (const DelayEntry& entry : delay_registry()) {
    CountingWorld world;
    const spec::Value spec = spec::parse_json(entry.examples.front());
    const auto delays = make_delays(spec::Node(spec, "delay"), 1, world.recorded());
    Model model = make_model(R"({"type": "box", "lower": [-1], "upper": [1]})", R"({"type": "stay"})");
    play_game(model, world, *delays, {.rounds = 20, .after = {}, .clock = {}});
    EXPECT_EQ(world.asked, entry.name == "adversarial" ? 20 : 0) << entry.name;
  }
}

TEST(RawStreams, KeepToTheirBound) {
  const Vec axis = {0.6, 0.8, 0};
  for (const RawStream& stream :
       {constant_stream(axis, 2), sign_block_stream(axis, 2, 7, 1), square_wave_stream(axis, 2, 5),
        random_stream(3, 2, 1), drifting_stream(3, 2, 100, 1), adaptive_stream(2)}) {
    Vec b(3), again(3);
    RandomSequence random(4);
    for (Round t = 1; t <= 300; ++t) {
      const Vec x = {random.gaussian(), random.gaussian(), random.gaussian()};
      stream.slope(t, x, b);
      stream.slope(t, x, again);
      EXPECT_EQ(b, again) << "a function of the round";
      EXPECT_LE(norm2(b), 2 * (1 + 1e-12));
      EXPECT_GT(norm2(b), 0);
    }
  }
}

TEST(RawStreams, SignBlocksKeepTheirSignWithinABlockAndDrawItFairly) {
  const RawStream stream = sign_block_stream({1}, 1, 4, 9);
  Vec b(1);
  double sum = 0, changes = 0, last = 0;
  for (Round t = 1; t <= 8000; ++t) {
    stream.slope(t, Vec{0}, b);
    if ((t - 1) % 4 == 0) {
      sum += b[0];
      changes += b[0] != last ? 1 : 0;
    } else {
      ASSERT_EQ(b[0], last) << t;
    }
    last = b[0];
  }
  EXPECT_NEAR(sum, 0, 5 * std::sqrt(2000.0));
  EXPECT_NEAR(changes, 1000, 5 * std::sqrt(500.0));
}

TEST(RawStreams, TheAdaptiveAdversaryPunishesWhateverIsPlayed) {
  Vec b(2);
  adaptive_stream(3).slope(1, Vec{-0.6, 0.8}, b);
  EXPECT_NEAR(b[0], -1.8, 1e-15);
  EXPECT_NEAR(b[1], 2.4, 1e-15);
}

}  // namespace
}  // namespace tarry::lab
