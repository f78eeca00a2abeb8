#include "tarry/learners/frank_wolfe/delayed_ospf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/norms.h"
#include "tarry/model/model.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/spec/json.h"
#include "tarry/theory/bounds.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr double kDelta = 0.125;

// Answers −δ c: with no gradients, the perturbation itself.
struct Echo {
  Index dimension;

  Need need() const { return Need::kDense; }
  Atom oracle(const Direction& c) const {
    Vec v(c.dense().begin(), c.dense().end());
    for (double& x : v) x *= -kDelta;
    return {DenseAtom{v}};
  }
  Start start() const { return {dimension, 0, {}}; }
  double diameter() const { return 2; }
  bool contains(std::span<const double> x, double tolerance) const { return norm2(x) <= 1 + tolerance; }
};
static_assert(DecisionSet<Echo>);

// One perturbation a round.
std::vector<Vec> perturbations(Index dimension, std::size_t count, std::uint64_t seed) {
  DelayedOspf learner(Echo{dimension}, {.delta = kDelta, .block = 1, .seed = seed});
  std::vector<Vec> drawn;
  Memo memo;
  for (Round t = 1; t <= count; ++t) {
    Vec v(static_cast<std::size_t>(dimension));
    learner.play(t, nullptr, memo);
    learner.write(v);
    drawn.push_back(std::move(v));
  }
  return drawn;
}

// The largest distance between what was seen and the uniform distribution, in units of 1/√count: above 2 less than
// once in a thousand.
double kolmogorov(Vec u) {
  std::sort(u.begin(), u.end());
  const auto n = static_cast<double>(u.size());
  double most = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    most = std::max({most, static_cast<double>(i + 1) / n - u[i], u[i] - static_cast<double>(i) / n});
  return most * std::sqrt(n);
}

TEST(DelayedOspf, PerturbationsHaveTheNormsOfAUniformBall) {
  for (Index n : {1, 2, 3, 10, 100}) {
    Vec powers;
    for (const Vec& v : perturbations(n, 4000, 3)) powers.push_back(std::pow(norm2(v), static_cast<double>(n)));
    EXPECT_LT(kolmogorov(powers), 2) << n;
    EXPECT_LE(*std::max_element(powers.begin(), powers.end()), 1 + 1e-4);
  }
}

TEST(DelayedOspf, PerturbationsPointEverywhereAlike) {
  constexpr std::size_t kCount = 20000;
  for (Index n : {2, 3, 7}) {
    const auto size = static_cast<std::size_t>(n);
    Vec mean(size, 0), second(size * size, 0);
    for (const Vec& v : perturbations(n, kCount, 5)) {
      const double length = norm2(v);
      for (std::size_t i = 0; i < size; ++i) {
        mean[i] += v[i] / length / kCount;
        for (std::size_t j = 0; j < size; ++j) second[i * size + j] += v[i] * v[j] / (length * length) / kCount;
      }
    }
    const auto dimension = static_cast<double>(n);
    const double error = 5 / std::sqrt(static_cast<double>(kCount));
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(mean[i], 0, error / std::sqrt(dimension));
      for (std::size_t j = 0; j < size; ++j)
        EXPECT_NEAR(second[i * size + j], i == j ? 1 / dimension : 0, error / dimension * 1.5) << n << i << j;
    }
  }
}

// Angles in the plane: a histogram that moments would not see.
TEST(DelayedOspf, AnglesInThePlaneAreUniform) {
  Vec turns;
  for (const Vec& v : perturbations(2, 8000, 7)) turns.push_back(std::atan2(v[1], v[0]) / (2 * M_PI) + 0.5);
  EXPECT_LT(kolmogorov(turns), 2);
}

TEST(DelayedOspf, NormAndDirectionAreIndependent) {
  double both = 0;
  const auto drawn = perturbations(3, 20000, 9);
  for (const Vec& v : drawn) both += (norm2(v) - 0.75) * v[0] / norm2(v);
  EXPECT_NEAR(both / 20000, 0, 5 * std::sqrt(0.0375 / 3 / 20000));
}

TEST(DelayedOspf, DecisionsOnABallWithoutGradientsAverageToItsCentre) {
  constexpr Round kBlocks = 3000, kBlock = 4;
  DelayedOspf learner(L2Ball(3, 1), {.delta = 0.5, .block = kBlock, .seed = 11});
  Memo memo;
  Vec x(3), mean(3, 0), last;
  double square = 0;
  for (Round t = 1; t <= kBlocks * kBlock; ++t) {
    learner.play(t, nullptr, memo);
    learner.write(x);
    if (t % kBlock != 1) {
      ASSERT_EQ(x, last) << "within a block the decision stays";
    } else {
      ASSERT_NE(x, last);
      for (std::size_t i = 0; i < 3; ++i) mean[i] += x[i] / kBlocks;
      square += x[0] * x[0] / kBlocks;
    }
    last = x;
  }
  for (double m : mean) EXPECT_NEAR(m, 0, 5 * std::sqrt(1.0 / 3 / kBlock / kBlocks));
  EXPECT_NEAR(square, 1.0 / 3 / kBlock, 5 * std::sqrt(2.0 / kBlocks) / 3 / kBlock);
}

TEST(DelayedOspf, SeedsAndStreamsDrawDifferently) {
  EXPECT_EQ(perturbations(4, 3, 1), perturbations(4, 3, 1));
  EXPECT_NE(perturbations(4, 1, 1), perturbations(4, 1, 2));
  const auto drawn = perturbations(4, 50, 1);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(drawn[i], drawn[j]);
}

// x = (1/B) Σ LMO(ĝ − v/δ) with the perturbations given: gradients that arrive inside a block wait for the next.
TEST(DelayedOspf, UsesGivenPerturbationsAndTheSumAtTheBlocksStart) {
  const std::vector<std::vector<Vec>> given = {{{1, 0, 0}, {0, 1, 0}}, {{0, 0, 0.5}, {1, 0, 0}}};
  DelayedOspf learner(Simplex(3), {.delta = 0.5, .block = 2, .perturbations = given});
  Memo memo;
  Vec x(3);
  const auto play = [&](Round t) {
    learner.play(t, nullptr, memo);
    learner.write(x);
    return x;
  };
  EXPECT_EQ(play(1), (Vec{0.5, 0.5, 0}));
  learner.receive(1, {.gradient = Covector::dense(Vec{3, -1, 0})}, memo);
  EXPECT_EQ(play(2), (Vec{0.5, 0.5, 0}));
  EXPECT_EQ(play(3), (Vec{0, 1, 0}));  // (3, −1, −1): the first of equals; (1, −1, 0)
  EXPECT_EQ(play(4), (Vec{0, 1, 0}));
  EXPECT_ERROR(play(5), Code::kBadInput, "delayed_ospf: perturbations has 2 blocks and the game needs more");
  learner.write(x);
  EXPECT_EQ(x, (Vec{0, 1, 0}));  // a play that is refused leaves the decision as it was
}

// ---- setting = "linear"

DelayedOspf perturbed_leader(const AnySet& set, const std::string& keys) {
  const spec::Value value = spec::parse_json(R"({"type": "delayed_ospf", "setting": "linear", )" + keys + "}");
  make_learner(spec::Node(value, "learner"), {.set = set, .initial = {}});  // as specifications are read
  const spec::Node node(value, "learner");
  return DelayedOspf(set, {.delta = node.has("delta") ? node.number("delta") : 0,
                           .block = 1,
                           .seed = static_cast<std::uint64_t>(node.has("seed") ? node.count("seed", 0, 1000) : 0),
                           .gradient_bound = node.has("gradient_bound") ? node.number("gradient_bound") : 0,
                           .setting = OspfSetting::kLinear});
}

TEST(PerturbedLeader, PlaysAVertexForOneOracleCallARound) {
  DelayedOspf learner = perturbed_leader(Simplex(4), R"("gradient_bound": 1)");
  Memo memo;
  Vec x(4), mean(4, 0);
  for (Round t = 1; t <= 4000; ++t) {
    learner.play(t, nullptr, memo);
    learner.write(x);
    ASSERT_EQ(std::count(x.begin(), x.end(), 1.0), 1);
    ASSERT_EQ(std::count(x.begin(), x.end(), 0.0), 3);
    for (std::size_t i = 0; i < 4; ++i) mean[i] += x[i] / 4000;
    learner.receive(t, {.gradient = Covector::dense(Vec{0, 0, 0, 0})}, memo);
  }
  for (double m : mean) EXPECT_NEAR(m, 0.25, 5 * std::sqrt(0.25 * 0.75 / 4000));
}

// δ = 1/(2G√(c_n Q)), Q = Σ (o_t + ½): with no gradients Echo answers kDelta · v/δ.
TEST(PerturbedLeader, AnytimeStepCountsWhatIsOutstanding) {
  const double g = 3, c = theory::ball_volume_ratio(2);
  const auto reach = [&](int answered) {
    double longest = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      DelayedOspf learner(Echo{2},
                          {.delta = 0, .block = 1, .seed = seed, .gradient_bound = g, .setting = OspfSetting::kLinear});
      Memo memo;
      for (Round t = 1; t <= 3; ++t) {
        learner.play(t, nullptr, memo);
        if (static_cast<int>(t) <= answered) learner.abandon(t, memo);
      }
      Vec x(2);
      learner.play(4, nullptr, memo);
      learner.write(x);
      longest = std::max(longest, norm2(x) / kDelta);
    }
    return longest;
  };
  const double none_late = 2 * g * std::sqrt(c * 2), all_late = 2 * g * std::sqrt(c * (2 + 1 + 2 + 3));
  EXPECT_LE(reach(3), none_late * (1 + 1e-6));
  EXPECT_GE(reach(3), 0.98 * none_late);
  EXPECT_LE(reach(0), all_late * (1 + 1e-6));
  EXPECT_GE(reach(0), 0.98 * all_late);
}

// Mean regret over seeds against the theorem, for delays whose mean is far below the largest.
TEST(PerturbedLeader, KeepsToItsBoundInTheMeanWhenFewRoundsAreVeryLate) {
  constexpr Round kRounds = 600;
  constexpr int kSeeds = 40;
  const auto delay_of = [](Round t) { return t % 50 == 0 ? Round{300} : Round{1}; };
  const AnySet set = Simplex(5);
  double mean_regret = 0, bound = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    DelayedOspf learner = perturbed_leader(set, R"("gradient_bound": 1, "seed": )" + std::to_string(seed));
    Memo memo;
    Vec x(5), sum(5, 0);
    double loss = 0, outstanding = 0, sum_outstanding = 0;
    RandomSequence random(99);
    std::vector<Vec> gradients;
    for (Round t = 1; t <= kRounds; ++t) {
      learner.play(t, nullptr, memo);
      learner.write(x);
      sum_outstanding += outstanding;
      outstanding += 1;
      Vec g(5);
      for (double& gi : g) gi = 0.4 * random.uniform(-1, 1);
      g[(t / 60) % 5] -= 0.05;
      for (std::size_t i = 0; i < 5; ++i) {
        loss += g[i] * x[i];
        sum[i] += g[i];
      }
      gradients.push_back(g);
      for (Round k = 1; k <= t; ++k)
        if (k + delay_of(k) - 1 == t) {
          learner.receive(k, {.gradient = Covector::dense(gradients[k - 1])}, memo);
          outstanding -= 1;
        }
    }
    mean_regret += (loss - *std::min_element(sum.begin(), sum.end())) / kSeeds;
    const theory::Seen seen{
        .rounds = kRounds, .sum_outstanding = sum_outstanding, .largest_delay = 300, .gradient_bound = 1};
    bound = *learner.bound(seen);
    EXPECT_NEAR(bound, 2 * std::sqrt(2) * std::sqrt(theory::ball_volume_ratio(5) * (sum_outstanding + kRounds / 2.0)),
                1e-9);
    theory::Seen hedged = seen;
    hedged.hedged = true;
    EXPECT_FALSE(learner.bound(hedged));
  }
  EXPECT_LE(mean_regret, bound);
  EXPECT_GT(mean_regret, 0);
}

// x² at the ends of [−1, 1] costs 1 a round, and nothing at 0: far more than the bound for linear losses.
TEST(PerturbedLeader, PromisesNothingForCurvedLosses) {
  const auto certificate = [](const char* loss) {
    Model model = lab::make_model(R"({"type": "l2_ball", "dimension": 1, "radius": 1})",
                                  R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 2})", {}, loss);
    const Vec one = {1};
    for (Round t = 1; t <= 100; ++t) {
      model.apply(Play{Covector::dense(one)});
      model.apply(Label{t, 0.5});
    }
    return model.certificate();
  };
  EXPECT_TRUE(certificate("linear"));
  EXPECT_FALSE(certificate("squared"));
}

TEST(PerturbedLeader, RefusesKeysThatDoNotGoTogether) {
  const auto read = [](const std::string& keys) { perturbed_leader(Simplex(3), keys); };
  EXPECT_ERROR(read(R"("seed": 1)"), Code::kBadSpec,
               "delayed_ospf: setting = \"linear\" needs delta or gradient_bound");
  EXPECT_ERROR(read(R"("delta": 1, "block": 2)"), Code::kBadSpec,
               "delayed_ospf: setting = \"linear\" has blocks of one round: leave block out");
  EXPECT_ERROR(read(R"("delta": 1, "horizon": 9)"), Code::kBadSpec,
               "delayed_ospf: give either delta or horizon, not both");
  EXPECT_ERROR(read(R"("gradient_bound": 1, "mean_delay": 2)"), Code::kBadSpec,
               "delayed_ospf: mean_delay goes with horizon: without, delays are counted as they come");
  EXPECT_ERROR(read(R"("gradient_bound": 1, "horizon": 9, "mean_delay": 0.5)"), Code::kBadSpec,
               "delayed_ospf: mean_delay must be at least 1 (no delay is 1) (mean_delay = 0.5)");
}

}  // namespace
}  // namespace tarry
