// Instances whose regret is known exactly: a bound alone, 20 to 100 000 times above what is seen, proves little.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

struct Game {
  double eta;
  double start;
  Round rounds;
  Round delay;
};

// Algorithm 1 on [−1, 1] (D = 2) with linear losses g_t x, G = 1: the regret against the best end.
template <class GradientAt>
double regret(const Game& game, GradientAt gradient_at) {
  const Box interval({-1}, {1});
  DelayedOfw<Box> learner(interval, OfwRule(game.eta), Shape{Need::kDense, {1, 0, {game.start}}, {}});
  Memo memo;
  std::deque<double> waiting;
  double loss = 0, sum = 0;
  for (Round t = 1; t <= game.rounds; ++t) {
    double x = 0;
    learner.play(t, nullptr, memo);
    learner.write({&x, 1});
    const double g = gradient_at(t);
    loss += g * x;
    sum += g;
    waiting.push_back(g);
    if (waiting.size() < game.delay) continue;
    learner.receive(t - game.delay + 1, {.gradient = Covector::dense({&waiting.front(), 1})}, memo);
    waiting.pop_front();
  }
  return loss + std::fabs(sum);
}

TEST(KnownAnswer, ConstantGradientFromTheWrongEndCostsGDTToTheThreeQuarters) {
  const auto constant = [](Round) { return 1.0; };
  for (const auto& [rounds, tolerance] : {std::pair{1000.0, 0.003}, {10000.0, 0.0006}}) {
    const double general = theory::ofw_eta_general(2, 1, rounds);
    const double exact = 2 * std::pow(rounds, 0.75);
    EXPECT_NEAR(regret({general, 1, static_cast<Round>(rounds), 1}, constant) / exact, 1, tolerance);
    const double curved = theory::ofw_eta_strongly_convex_set(2, 1, rounds);
    const double exact_curved = 4 * std::pow(rounds, 2.0 / 3);
    EXPECT_NEAR(regret({curved, 1, static_cast<Round>(rounds), 1}, constant) / exact_curved, 1, tolerance);
  }
}

TEST(KnownAnswer, SquareWaveCostsAQuarterGDTimesTheDelay) {
  constexpr Round kRounds = 40000;
  for (const Round d : {1, 5, 10, 20, 40, 80}) {
    const Round whole = kRounds / (4 * d) * (4 * d);
    const double eta = theory::ofw_eta_general(2, 1, kRounds);
    const double measured =
        regret({eta, 0, whole, d}, [&](Round t) { return (t - 1) / (2 * d) % 2 == 0 ? 1.0 : -1.0; });
    const double exact = 0.25 * 2 * static_cast<double>(d) * std::pow(static_cast<double>(kRounds), 0.25);
    EXPECT_NEAR(measured / exact, 1, 0.002) << "delay " << d;
  }
}

}  // namespace
}  // namespace tarry
