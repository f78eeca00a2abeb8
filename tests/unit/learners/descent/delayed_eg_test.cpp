#include "tarry/learners/descent/delayed_eg.h"

#include <cmath>
#include <map>

#include "tarry/base/bytes.h"
#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

using Real = long double;

// The update as Kivinen and Warmuth write it: weights multiplied by e^{−η g_i} when a gradient comes.
class PlainWeights {
 public:
  PlainWeights(std::size_t n, Real radius) : radius_(radius), w_(n, 1) {}

  void receive(const Vec& g, Real eta) {
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] *= std::exp(-eta * static_cast<Real>(g[i]));
    Real total = 0;
    for (Real w : w_) total += w;
    for (Real& w : w_) w /= total;
  }
  Real at(std::size_t i) const {
    Real total = 0;
    for (Real w : w_) total += w;
    return radius_ * w_[i] / total;
  }

 private:
  Real radius_;
  std::vector<Real> w_;
};

Vec gaussian(std::size_t n, RandomSequence& random, double size = 1) {
  Vec g(n);
  for (double& gi : g) gi = size * random.gaussian();
  return g;
}

TEST(DelayedEg, MultipliesWeightsAsGradientsArrive) {
  constexpr double kRadius = 2.5, kEta = 0.3;
  DelayedEg learner(4, kRadius, kEta);
  PlainWeights plain(4, kRadius);
  RandomSequence random(3);
  std::map<Round, Vec> waiting;
  Vec x(4);
  for (Round t = 1; t <= 300; ++t) {
    Memo memo;
    learner.play(t, nullptr, memo);
    EXPECT_TRUE(memo.empty());
    learner.write(x);
    for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(x[i], static_cast<double>(plain.at(i)), 1e-12) << "round " << t;
    waiting[t] = gaussian(4, random);
    while (!waiting.empty() && random.uniform() < 0.48) {
      auto chosen = waiting.begin();
      std::advance(chosen, static_cast<long>(random.below(waiting.size())));
      learner.receive(chosen->first, {.gradient = Covector::dense(chosen->second)}, {});
      plain.receive(chosen->second, kEta);
      waiting.erase(chosen);
    }
  }
}

// λ = √(8Ĝ²Q/ln n) with everything that it is made of counted here once more.
TEST(DelayedEg, FollowsGradientsAndDelaysWhereNoStepIsGiven) {
  DelayedEg learner(3, 1, std::nullopt);
  RandomSequence random(5);
  std::map<Round, Vec> waiting;
  std::array<Real, 3> sum = {};
  Real largest = 0, q = 0;
  Vec x(3);
  for (Round t = 1; t <= 200; ++t) {
    q += static_cast<Real>(waiting.size()) + 0.5L;
    Memo memo;
    learner.play(t, nullptr, memo);
    learner.write(x);
    const Real lambda = largest * std::sqrt(8 * q / std::log(3.0L));
    Real total = 0;
    for (Real s : sum) total += largest > 0 ? std::exp(-s / lambda) : 1;
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_NEAR(x[i], static_cast<double>((largest > 0 ? std::exp(-sum[i] / lambda) : 1) / total), 1e-12);
    waiting[t] = gaussian(3, random, t % 40 == 0 ? 30 : 1);
    while (waiting.size() > 7) {
      const auto [round, g] = *waiting.begin();
      learner.receive(round, {.gradient = Covector::dense(g)}, {});
      for (std::size_t i = 0; i < 3; ++i) sum[i] += g[i];
      largest = std::max<Real>(largest, (std::max({g[0], g[1], g[2]}) - std::min({g[0], g[1], g[2]})) / 2);
      waiting.erase(round);
    }
  }
}

TEST(DelayedEg, WhatIsTheSameForAllCoordinatesChangesNothing) {
  for (const auto& eta : {std::optional(0.4), std::optional<double>()}) {
    DelayedEg here(4, 1, eta), there(4, 1, eta);
    RandomSequence random(7);
    Vec x(4), y(4);
    for (Round t = 1; t <= 60; ++t) {
      Memo memo;
      here.play(t, nullptr, memo);
      there.play(t, nullptr, memo);
      here.write(x);
      there.write(y);
      for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(x[i], y[i], 1e-12);
      Vec g = gaussian(4, random);
      here.receive(t, {.gradient = Covector::dense(g)}, {});
      for (double& gi : g) gi += 8;
      there.receive(t, {.gradient = Covector::dense(g)}, {});
    }
  }
}

TEST(DelayedEg, ASparseGradientIsZeroElsewhere) {
  DelayedEg here(5, 1, std::nullopt), there(5, 1, std::nullopt);
  const std::vector<Index> at = {1, 3};
  const Vec values = {2, 3}, full = {0, 2, 0, 3, 0};  // both positive: the half spread counts the zeros
  Vec x(5), y(5);
  for (Round t = 1; t <= 3; ++t) {
    Memo memo;
    here.play(t, nullptr, memo);
    there.play(t, nullptr, memo);
    here.receive(t, {.gradient = Covector::sparse(at, values)}, {});
    there.receive(t, {.gradient = Covector::dense(full)}, {});
    here.write(x);
    there.write(y);
    EXPECT_EQ(x, y);
  }
  EXPECT_EQ(here.bound({.rounds = 3, .gradient_bound = 4}), there.bound({.rounds = 3, .gradient_bound = 4}));
}

TEST(DelayedEg, StaysWithinItsBound) {
  constexpr Round kRounds = 400;
  const Vec axis = {1, 0, 0, 0};
  for (const auto& eta : {std::optional(0.1), std::optional<double>()})
    for (const char* delay : {R"({"type": "none"})", R"({"type": "fixed", "delay": 17})",
                              R"({"type": "pareto", "shape": 1.2, "scale": 2})", R"({"type": "burst", "period": 25})",
                              R"({"type": "adversarial", "hold": 15})", R"({"type": "geometric", "mean": 12})"})
      for (const lab::RawStream& stream :
           {lab::constant_stream(axis, 3), lab::sign_block_stream(axis, 1, 17, 5), lab::square_wave_stream(axis, 1, 34),
            lab::random_stream(4, 1, 7), lab::drifting_stream(4, 1, kRounds, 9), lab::adaptive_stream(1)}) {
        const Simplex set(4, 1.5);
        Model model(set, DelayedEg(4, 1.5, eta));
        const auto delays = lab::delays_from(delay, 11);
        const double regret = lab::regret(set, lab::play_raw(model, stream, kRounds, *delays)).high;
        ASSERT_TRUE(model.certificate());
        EXPECT_LE(regret, *model.certificate()) << (eta ? "fixed, " : "adaptive, ") << delay;
      }
}

// Two corners, a constant gradient: the loss of round t is e^{−2ηs}/(1 + e^{−2ηs}) · 2, s the gradients before it.
TEST(DelayedEg, LosesOnAConstantGradientWhatTheFormulaSays) {
  constexpr double kEta = 0.05;
  constexpr Round kRounds = 500, kDelay = 9;
  DelayedEg learner(2, 1, kEta);
  const Vec g = {1, -1};
  double loss = 0, expected = 0;
  Vec x(2);
  for (Round t = 1; t <= kRounds; ++t) {
    Memo memo;
    learner.play(t, nullptr, memo);
    learner.write(x);
    loss += x[0] - x[1] + 1;  // beyond that of the better corner
    const double before = t > kDelay ? static_cast<double>(t - kDelay) : 0;
    expected += 2 / (1 + std::exp(2 * kEta * before));
    if (t >= kDelay) learner.receive(t - kDelay + 1, {.gradient = Covector::dense(g)}, {});
  }
  EXPECT_NEAR(loss, expected, 1e-10);
}

// What its snapshot says of rounds that wait: {outstanding, weighted, largest, first}.
std::string snapshot_with(const Vec& scalars) {
  ByteWriter out;
  out.reals(Vec{0, 1, 2});
  out.reals(Vec{0.5, 0.3, 0.2});
  out.reals(scalars);
  return out.take();
}

TEST(DelayedEg, RefusesCountsThatCannotBe) {
  const auto load = [](DelayedEg& learner, const Vec& scalars) {
    const std::string bytes = snapshot_with(scalars);
    ByteReader in(bytes);
    learner.load(in);
  };
  for (const Vec& impossible :
       {Vec{-1, 2, 1, 1}, Vec{1, -2, 1, 1}, Vec{1, 2, -1, -1}, Vec{1, 2, 1, 3}, Vec{1e300, 2, 1, 1}}) {
    DelayedEg learner(3, 1, std::nullopt);
    EXPECT_ERROR(load(learner, impossible), Code::kCorrupt,
                 "snapshot: the sums of exponentiated gradients are impossible");
  }
  DelayedEg learner(3, 1, std::nullopt);
  load(learner, {0, 0.5, 1, 1});
  const Vec g{1, 0, 0};
  EXPECT_ERROR(learner.receive(7, {.gradient = Covector::dense(g)}, {}), Code::kCorrupt,
               "snapshot: more rounds wait than exponentiated gradient counted");
}

TEST(DelayedEg, TakesSimplicesAlone) {
  const auto make = [](const std::string& set, const std::string& learner) {
    const spec::Value set_spec = spec::parse_json(set), learner_spec = spec::parse_json(learner);
    return make_learner(spec::Node(learner_spec, "learner"),
                        {.set = make_set(spec::Node(set_spec, "set")), .initial = {}});
  };
  EXPECT_ERROR(make(R"({"type": "l1_ball", "dimension": 3, "radius": 1})", R"({"type": "delayed_eg"})"),
               Code::kUnsupported, "delayed_eg: needs a simplex, but this set is not one");
  EXPECT_ERROR(make(R"({"type": "simplex", "dimension": 3})", R"({"type": "delayed_eg", "eta": 0})"), Code::kBadSpec,
               "delayed_eg: eta must be positive (eta = 0)");
  AnyLearner scaled = make(R"({"type": "scale", "by": 3, "set": {"type": "simplex", "dimension": 2, "radius": 2}})",
                           R"({"type": "delayed_eg"})");
  Memo memo;
  scaled.play(1, nullptr, memo);
  Vec x(2);
  scaled.write(x);
  EXPECT_EQ(x, (Vec{3, 3}));
}

}  // namespace
}  // namespace tarry
