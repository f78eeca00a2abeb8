// A nuclear ball of 2^40 entries: it is learnt from entry by entry, and what would need it in full refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

constexpr Index kSide = Index{1} << 20;
constexpr const char* kHuge = R"({"type": "nuclear_ball", "rows": 1048576, "cols": 1048576, "radius": 40})";
// Beside biases: 2^40 coordinates are the most that a decision has.
constexpr const char* kProduct = R"({"type": "product", "parts": [
  {"type": "nuclear_ball", "rows": 1048576, "cols": 1000000, "radius": 40},
  {"type": "l2_ball", "dimension": 1000, "radius": 3}]})";

AnySet huge_set(const char* json) {
  const spec::Value value = spec::parse_json(json);
  return make_set(spec::Node(value, "set"));
}

AnyLearner huge_learner(const std::string& json, const AnySet& set) {
  const spec::Value value = spec::parse_json(json);
  return make_learner(spec::Node(value, "learner"), LearnerSetting{set, {}});
}

// The mean squared error of the second half of a game with two tastes, ratings seven rounds late.
double learnt(Model& model, Index cols) {
  RandomSequence random(2);
  Vec ratings;
  double error = 0;
  constexpr Round kRounds = 1200;
  for (Round t = 1; t <= kRounds; ++t) {
    const auto user = static_cast<Index>(random.below(12)), item = static_cast<Index>(random.below(9));
    const std::vector<Index> at = {(kSide - 1 - 70'000 * user) * cols + 99'999 * item};
    const Vec one = {1};
    ratings.push_back(user % 2 == item % 2 ? 1 : -1);
    const double miss = model.apply(Play{Covector::sparse(at, one)}).prediction - ratings.back();
    if (2 * t > kRounds) error += miss * miss / (kRounds / 2);
    if (t > 7) model.apply(Label{t - 7, ratings[t - 8]});
  }
  return error;
}

TEST(HugeMatrix, IsLearntFromItsEntries) {
  for (const char* json : {kHuge, kProduct})
    for (const char* learner : {R"({"type": "delayed_ofw", "eta": 0.05})",
                                R"({"type": "delayed_ofw", "eta": 0.05, "batch": 3, "storage": "factored"})",
                                R"({"type": "bold", "base": {"type": "delayed_ofw", "eta": 0.5}})",
                                R"({"type": "delayed_ofw_sc", "beta": 0.01, "oracle_error": 0.01})"}) {
      const AnySet set = huge_set(json);
      Model model(set, huge_learner(learner, set), SquaredLoss());
      EXPECT_LT(learnt(model, json == kHuge ? kSide : 1'000'000), 0.7) << learner << " on " << json;
      EXPECT_LT(save_learner(model.learner()).size(), 4'000'000u);
    }
}

TEST(HugeMatrix, WhatNeedsItInFullRefuses) {
  const AnySet set = huge_set(kHuge);
  const std::string why = "not enough memory for a decision in full: it has 1099511627776 coordinates";
  for (const char* learner :
       {R"({"type": "delayed_ospf", "delta": 0.1, "block": 2})", R"({"type": "delayed_ogd", "eta": 0.1})",
        R"({"type": "delayed_ofw", "eta": 0.1, "storage": "dense"})"})
    EXPECT_ERROR(huge_learner(learner, set), Code::kUnsupported, why);
  EXPECT_ERROR(huge_learner(R"({"type": "auto"})", set), Code::kUnsupported,
               "auto: keeps numbers for each coordinate of this set, whose dimension can be at most 2^32 (dimension = "
               "1099511627776); delayed_ofw keeps what was touched");
  const AnySet curved =
      huge_set(R"({"type": "schatten_ball", "rows": 1048576, "cols": 1048576, "p": 1.5, "radius": 1})");
  EXPECT_ERROR(huge_learner(R"({"type": "gauge_ftrl"})", curved), Code::kUnsupported, why);
  EXPECT_ERROR(huge_learner(R"({"type": "delayed_ofw", "eta": 0.1, "storage": "factored"})", curved),
               Code::kUnsupported,
               "storage = \"factored\" needs a set of matrices whose oracle reads one singular pair (nuclear_ball)");

  Model labelled(set, huge_learner(R"({"type": "delayed_ofw", "eta": 0.1})", set), SquaredLoss());
  EXPECT_ERROR(labelled.apply(Play{}), Code::kUnsupported, why);  // a label without features would need the decision
  EXPECT_EQ(labelled.ledger().issued(), 0u);
  Model hedged(set, huge_learner(R"({"type": "hedge", "learners": [{"type": "delayed_ofw", "eta": 0.1}]})", set));
  EXPECT_ERROR(hedged.apply(Play{}), Code::kUnsupported, why);
}

}  // namespace
}  // namespace tarry
