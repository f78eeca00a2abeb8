#include "tarry/learners/frank_wolfe/restarting_ofw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/sets/polytopes/simplex.h"

namespace tarry {
namespace {

// Algorithm 1 on the ball of radius r, written out.
struct PlainOfw {
  double radius, eta;
  Vec y1, y, sum;

  void restart(double new_eta) {
    eta = new_eta;
    y1 = y;
    sum.assign(y.size(), 0.0);
  }
  void receive(const Vec& g) {
    Vec c(y.size()), v(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) c[i] = eta * (sum[i] += g[i]) + 2 * (y[i] - y1[i]);
    const double length = norm2(c);
    double slope = 0, width = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      v[i] = length > 0 ? -radius * c[i] / length : 0;
      slope += c[i] * (v[i] - y[i]);
      width += (v[i] - y[i]) * (v[i] - y[i]);
    }
    const double sigma = width > 0 ? std::clamp(-slope / (2 * width), 0.0, 1.0) : 0;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += sigma * (v[i] - y[i]);
  }
};

struct Outstanding {
  Memo memo;
  int epoch;
};

// Random plays and answers; `expect` sees each round's decision, `answer` each gradient.
class RandomGame {
 public:
  explicit RandomGame(std::uint64_t seed) : random_(seed) {}

  template <class L, class Play, class Receive>
  void run(L& learner, Round rounds, Play expect, Receive answer) {
    Vec x(2);
    for (Round t = 1; t <= rounds; ++t) {
      auto& [memo, epoch] = waiting_[t];
      const auto [expected, now] = expect(t);
      learner.play(t, nullptr, memo);
      learner.write(x);
      epoch = now;
      for (std::size_t i = 0; i < 2; ++i) ASSERT_NEAR(x[i], expected[i], 1e-10) << "round " << t;
      while (!waiting_.empty() && random_.uniform() < 0.47) {
        auto entry = waiting_.begin();
        std::advance(entry, static_cast<long>(random_.below(waiting_.size())));
        const double size = std::pow(10.0, random_.uniform(-1, 0.7));
        const Vec g = {size * random_.gaussian(), size * random_.gaussian()};
        learner.receive(entry->first, {.gradient = Covector::dense(g)}, entry->second.memo);
        answer(g, entry->second.epoch);
        waiting_.erase(entry);
      }
    }
  }

 private:
  RandomSequence random_;
  std::map<Round, Outstanding> waiting_;
};

// Bud starts at 1; before playing, if m^{3/2} + Σo' > Bud with this round included, then Bud ← 4 Bud and a new epoch.
TEST(AnytimeOfw, RestartsWhenItsBudgetIsSpent) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const L2Ball set(2, 1.5);
    constexpr double kBound = 3, kDiameter = 3;
    AnytimeOfw learner(set, kBound, shape_of(set), Storage::kAuto);
    double budget = 1, m = 0, outstanding = 0, sum = 0;
    int epoch = 0;
    std::vector<Round> restarts;
    PlainOfw plain{1.5, kDiameter / kBound, {0, 0}, {0, 0}, {0, 0}};
    RandomGame(seed).run(
        learner, 400,
        [&](Round t) {
          if (std::pow(m + 1, 1.5) + sum + outstanding > budget) {
            budget *= 4;
            m = outstanding = sum = 0;
            plain.restart(kDiameter / (kBound * std::sqrt(budget)));
            ++epoch;
            restarts.push_back(t);
          }
          m += 1;
          sum += outstanding;
          outstanding += 1;
          return std::pair{plain.y, epoch};
        },
        [&](const Vec& g, int of_epoch) {
          if (of_epoch != epoch) return;  // feedback for an older epoch is dropped
          outstanding -= 1;
          plain.receive(g);
        });
    EXPECT_GE(restarts.size(), 4u);
    EXPECT_EQ(restarts.front(), 2u);
  }
}

// Without delays Σo' = 0, and an epoch of budget 4^k lasts ⌊4^{2k/3}⌋ rounds.
TEST(AnytimeOfw, WithoutDelaysEpochsLastAsLongAsTheirBudget) {
  const L2Ball set(1, 1);
  AnytimeOfw learner(set, 1, shape_of(set), Storage::kAuto);
  std::vector<Round> first_of_epoch;
  double last = -1;
  for (Round t = 1; t <= 500; ++t) {
    Memo memo;
    learner.play(t, nullptr, memo);
    if (memo.at(0) != last) first_of_epoch.push_back(t);
    last = memo.at(0);
    learner.receive(t, {.gradient = Covector::dense(Vec{1})}, memo);
  }
  std::vector<Round> expected = {1};
  for (double k = 0; expected.back() + std::floor(std::pow(4, 2 * k / 3) + 1e-9) <= 500; ++k)
    expected.push_back(expected.back() + static_cast<Round>(std::floor(std::pow(4, 2 * k / 3) + 1e-9)));
  EXPECT_EQ(first_of_epoch, expected);
}

TEST(AnytimeOfw, AnAbandonedRoundIsNoLongerOutstanding) {
  const L2Ball set(1, 1);
  AnytimeOfw given_up(set, 1, shape_of(set), Storage::kAuto), waited(set, 1, shape_of(set), Storage::kAuto);
  Memo memo;
  double epochs_given_up = 0, epochs_waited = 0;
  for (Round t = 1; t <= 300; ++t) {
    memo.clear();
    waited.play(t, nullptr, memo);
    epochs_waited = memo.at(0);
    memo.clear();
    given_up.play(t, nullptr, memo);
    epochs_given_up = memo.at(0);
    given_up.abandon(t, memo);
  }
  EXPECT_LT(epochs_given_up, epochs_waited);  // rounds that wait spend the budget
}

// Ĝ ← max(2Ĝ, ‖g‖) when an arrival exceeds it; that gradient and all of older epochs are dropped.
TEST(ScalingOfw, RestartsWhenAGradientExceedsItsBound) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const L2Ball set(2, 1.5);
    constexpr double kHorizon = 400;
    ScalingOfw learner(set, kHorizon, shape_of(set), Storage::kAuto);
    double bound = 0;
    int epoch = 0, dropped = 0;
    PlainOfw plain{1.5, 1, {0, 0}, {0, 0}, {0, 0}};
    RandomGame(seed).run(
        learner, 400,
        [&](Round) {
          return std::pair{plain.y, epoch};
        },
        [&](const Vec& g, int of_epoch) {
          if (norm2(g) > bound) {
            bound = std::max(2 * bound, norm2(g));
            plain.restart(3 / (bound * std::pow(kHorizon, 0.75)));
            ++epoch;
          } else if (of_epoch == epoch) {
            plain.receive(g);
          } else {
            ++dropped;
          }
        });
    EXPECT_GE(epoch, 2);
    EXPECT_GT(dropped, 0);
  }
}

TEST(RestartingOfw, StaysWithinItsBound) {
  constexpr Round kRounds = 1000;
  for (const char* set :
       {R"({"type": "l1_ball", "dimension": 5, "radius": 1})", R"({"type": "simplex", "dimension": 4})",
        R"({"type": "l2_ball", "dimension": 3, "radius": 1})"})
    for (const char* delay : {R"({"type": "none"})", R"({"type": "fixed", "delay": 60})",
                              R"({"type": "pareto", "shape": 1.2})", R"({"type": "adversarial", "hold": 40})"})
      for (const bool unknown_horizon : {true, false}) {
        const std::string learner = unknown_horizon
                                        ? R"({"type": "delayed_ofw", "horizon": "unknown", "gradient_bound": 1})"
                                        : R"({"type": "delayed_ofw", "horizon": 1000, "gradient_bound": "unknown"})";
        Model model = lab::make_model(set, learner);
        const auto delays = lab::delays_from(delay, 3);
        const auto played = lab::play_raw(model, lab::random_stream(model.set().dimension(), 1, 5), kRounds, *delays);
        const double regret = lab::regret(model.set(), played).high, d = model.set().diameter(), t = kRounds;
        const double waiting = model.ledger().delays().sum_outstanding;
        ASSERT_TRUE(model.certificate());
        EXPECT_LE(regret, *model.certificate());
        if (unknown_horizon) {
          EXPECT_LE(regret, 32 * d * std::sqrt(std::pow(t, 1.5) + waiting)) << set << delay;
        }
      }
}

// ---- restarts on every track

TEST(RestartingOfw, RestartsWhereADecisionCouldNeverBeWrittenOut) {
  const Index n = Index{1} << 40;
  const L1Ball set(n, 1);
  AnytimeOfw learner(set, 1, shape_of(set), Storage::kAuto);
  RandomSequence random(7);
  for (Round t = 1; t <= 300; ++t) {
    const std::vector<Index> at = {static_cast<Index>(random.below(50)), n - 1 - static_cast<Index>(t)};
    const Vec g = {random.gaussian(), random.gaussian()};
    const Covector features = Covector::sparse(at, g);
    Memo memo;
    ASSERT_TRUE(std::isfinite(learner.play(t, &features, memo)));
    learner.receive(t, {.gradient = features}, memo);
  }
}

TEST(RestartingOfw, IsTheSameOnEveryTrack) {
  constexpr Index kDimension = 3000;
  for (const AnySet& set : {AnySet(L1Ball(kDimension, 2)), AnySet(Simplex(kDimension))}) {
    AnytimeOfw dense(set, 1, set.shape(), Storage::kDense), sparse(set, 1, set.shape(), Storage::kSparse);
    AnytimeOfw automatic(set, 1, set.shape(), Storage::kAuto);
    RandomSequence random(8);
    Vec x(kDimension), y(kDimension);
    for (Round t = 1; t <= 2500; ++t) {
      std::vector<Index> at;
      Vec g;
      for (Index i = static_cast<Index>(random.below(600)); i < kDimension;
           i += 1 + static_cast<Index>(random.below(900))) {
        at.push_back(i);
        g.push_back(random.gaussian());
      }
      Memo memo, other, third;
      dense.play(t, nullptr, memo);
      sparse.play(t, nullptr, other);
      automatic.play(t, nullptr, third);
      ASSERT_EQ(memo, other);
      if (t % 50 == 0) {
        dense.write(x);
        for (const AnytimeOfw* learner : {&sparse, &automatic}) {
          learner->write(y);
          for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-10) << "round " << t;
        }
      }
      for (AnytimeOfw* learner : {&dense, &sparse, &automatic})
        learner->receive(t, {.gradient = Covector::sparse(at, g)}, memo);
    }
  }
}

}  // namespace
}  // namespace tarry
