// Several gradients a step: `batch` of delayed_ofw.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/matrices/nuclear_ball.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/spec/json.h"
#include "tarry/theory/step_size.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// The rule alone says how many gradients a step has, so that its bound is about the steps that are made.
TEST(Batch, IsOneStepForTheSumOfItsGradients) {
  constexpr Index kDimension = 6, kBatch = 5;
  for (Storage storage : {Storage::kDense, Storage::kSparse}) {
    const L1Ball set(kDimension, 2);
    DelayedOfw<L1Ball> batched(set, OfwRule(0.1, kBatch), shape_of(set), storage);
    DelayedOfw<L1Ball> single(set, OfwRule(0.1), shape_of(set), storage);
    RandomSequence random(4);
    Vec sum(kDimension, 0.0), x(kDimension), y(kDimension), before(kDimension, 0.0);
    for (Round t = 1; t <= 100; ++t) {
      Vec g(kDimension);
      for (std::size_t i = 0; i < g.size(); ++i) sum[i] += g[i] = random.gaussian();
      batched.receive(t, {.gradient = Covector::dense(g)}, {});
      batched.write(x);
      if (t % kBatch != 0) {
        EXPECT_EQ(x, before);  // nothing moves until the batch is full
        continue;
      }
      single.receive(t, {.gradient = Covector::dense(sum)}, {});
      single.write(y);
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-12) << t;
      std::fill(sum.begin(), sum.end(), 0.0);
      before = x;
    }
  }
}

// The interval's wrong end with a constant gradient, and random signs: never above the certificate, and that within
// k^{1/4} and a term in k T^{1/4} of what it is for single gradients.
TEST(Batch, KeepsItsBound) {
  constexpr double kRounds = 4000;
  for (Index k : {2, 7, 40})
    for (bool constant : {true, false})
      for (Round delay : {1, 30}) {
        const Box interval(Vec{-1}, Vec{1});
        const double eta = theory::ofw_eta_batched(2, 1, kRounds, static_cast<double>(k));
        const Shape shape{Need::kDense, {1, 0, {1.0}}, {}};
        DelayedOfw<Box> learner(interval, OfwRule(eta, k), shape);
        RandomSequence random(static_cast<std::uint64_t>(k));
        Vec x(1), gradients;
        double loss = 0, total = 0, outstanding = 0;
        for (Round t = 1; t <= static_cast<Round>(kRounds); ++t) {
          gradients.push_back(constant || random.uniform() < 0.5 ? 1 : -1);
          learner.write(x);
          loss += gradients.back() * x[0];
          total += gradients.back();
          outstanding += static_cast<double>(std::min(t - 1, delay - 1));
          if (t < delay) continue;
          const Vec g = {gradients[t - delay]};
          learner.receive(t, {.gradient = Covector::dense(g)}, {});
        }
        const theory::Seen seen{kRounds, outstanding, static_cast<double>(delay), 1};
        const auto bound = learner.bound(seen);
        ASSERT_TRUE(bound);
        EXPECT_LE(loss + std::fabs(total), *bound);
        const auto kd = static_cast<double>(k);
        EXPECT_NEAR(*bound,
                    3 * 2 * std::pow(kd, 0.25) * std::pow(kRounds, 0.75) +
                        (seen.mean_delay() + 2 * kd - 2) * std::pow(kd, -0.25) * std::pow(kRounds, 0.25),
                    1e-6 * *bound);
        if (constant && delay == 1) {
          EXPECT_GT(loss + std::fabs(total), 0.25 * *bound);  // the bound is not idle
        }
      }
}

// Over matrices a search may fail now and then: the gap has room for it.
TEST(Batch, OverMatricesHasALargerGapInItsBound) {
  const theory::Seen seen{.rounds = 1e4, .gradient_bound = 1};
  const NuclearBall set(3, 3, 1);
  for (double k : {1.0, 3.0}) {
    const auto bound = DelayedOfw<NuclearBall>(set, OfwRule(1e-4, static_cast<Index>(k)), shape_of(set)).bound(seen);
    const double share = 1e-4 * k / 2, expected = 4 / 1e-4 + 3 * 2 * 1e4 * std::cbrt(share) + 0.5 * (2 * k - 1);
    ASSERT_TRUE(bound);
    EXPECT_NEAR(*bound, expected, 1e-9 * expected);
  }
}

TEST(Batch, IsRefusedWhereNothingIsProvedOfIt) {
  const auto made = [](const std::string& keys) {
    const spec::Value value = spec::parse_json(R"({"type": "delayed_ofw", )" + keys + "}");
    return make_learner(spec::Node(value, "learner"), LearnerSetting{L2Ball(3, 1), {}});
  };
  EXPECT_ERROR(made(R"("eta": 1, "batch": 0)"), Code::kBadSpec,
               "delayed_ofw: batch must be a whole number from 1 to 1099511627776 (batch = 0)");
  EXPECT_ERROR(made(R"("horizon": 9, "gradient_bound": 1, "setting": "strongly_convex_set", "batch": 2)"),
               Code::kUnsupported, "delayed_ofw: batch goes with setting = \"general\" alone");
  EXPECT_ERROR(made(R"("horizon": "unknown", "gradient_bound": 1, "batch": 2)"), Code::kUnsupported,
               "delayed_ofw: batch does not go with an unknown horizon or gradient_bound");
  EXPECT_ERROR(made(R"("eta": 1, "oracle_error": 2)"), Code::kBadSpec,
               "delayed_ofw: oracle_error must be from 0 to 1 (oracle_error = 2)");
}

}  // namespace
}  // namespace tarry
