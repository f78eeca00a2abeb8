// Models that grow trees beside what is linear: planted steps of three numbers together.
#include "tarry/learners/combined/treed_bases.h"

#include <gtest/gtest.h>

#include <string>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/contributions.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

Model model_with(bool trees, const std::string& loss = "squared") {
  return make_model(
      ModelSpec::parse(R"({"set": {"type": "box", "dimension": 4, "lower": -10, "upper": 10}, "learner": )"
                       R"({"type": "auto"}, "standardise": true, "numbers": 4, "loss": ")" +
                       loss + (trees ? R"(", "trees": true})" : R"("})")));
}

struct Stepped {
  Vec features;
  double label;
};

Stepped stepped(Round t) {
  const Random random(3);
  Vec x;
  for (std::uint64_t i = 0; i < 4; ++i) x.push_back(random.uniform(8 * t + i));
  const int high = (x[0] > 0.5 ? 1 : 0) + (x[1] > 0.5 ? 1 : 0) + (x[2] > 0.5 ? 1 : 0);
  return {x, high % 2 == 0 ? 1.0 : -1.0};
}

// The mean squared error of the last quarter; labels come `delay` rounds late.
double error_of(Model& model, Round rounds, Round delay) {
  double sum = 0;
  for (Round t = 1; t <= rounds; ++t) {
    const Stepped now = stepped(t);
    const double off = model.apply(Play{.features = Features(now.features)}).prediction - now.label;
    if (t > rounds / 4 * 3) sum += off * off;
    if (t > delay) model.apply(Label{.round = {t - delay}, .label = stepped(t - delay).label});
  }
  return sum / static_cast<double>(rounds - rounds / 4 * 3);
}

TEST(TreedBases, SeeWhatThreeNumbersSayTogether) {
  Model linear = model_with(false), treed = model_with(true);
  EXPECT_GT(error_of(linear, 3000, 20), 0.9);
  EXPECT_LT(error_of(treed, 3000, 20), 0.3);
}

TEST(TreedBases, ChangeNothingWhileLabelsAreFew) {
  Model linear = model_with(false), treed = model_with(true);
  for (Round t = 1; t <= 1500; ++t) {
    const Play play{.features = Features(stepped(t).features)};
    ASSERT_NEAR(linear.apply(play).prediction, treed.apply(play).prediction, 1e-12);  // the prior's rounding
    if (t % 4 == 0) continue;                                                         // three in four come
    for (Model* model : {&linear, &treed}) model->apply(Label{.round = {t}, .label = stepped(t).label});
  }
}

TEST(TreedBases, GoOnFromASnapshotToTheSameBits) {
  for (const std::string loss : {"squared", "logistic"}) {
    Model whole = model_with(true, loss), again = model_with(true, loss);
    for (Round t = 1; t <= 700; ++t) {
      for (Model* model : {&whole, &again}) {
        model->apply(Play{.features = Features(stepped(t).features)});
        if (t > 9) model->apply(Label{.round = {t - 9}, .label = stepped(t - 9).label});
      }
      if (t % 61 == 0) again = again.clone();
    }
    EXPECT_EQ(whole.hash(), again.hash());
  }
}

TEST(TreedBases, WhatTreesAddIsAPartOfItsOwn) {
  Model treed = model_with(true);
  error_of(treed, 2000, 5);
  const Contributions told = treed.contributions(Features(stepped(1).features));
  double sum = told.outputs[0].base;
  bool named = false;
  for (const auto& part : told.outputs[0].parts) {
    sum += part.adds;
    named = named || part.name == "(trees)";
  }
  EXPECT_TRUE(named);
  EXPECT_NEAR(sum, told.outputs[0].score, 1e-9);
}

TEST(TreedBases, AreForOneNumberOrTwoClassesAndStandardisedFeatures) {
  const auto refused = [](const std::string& rest) {
    EXPECT_THROW(make_model(ModelSpec::parse(
                     R"({"set": {"type": "box", "dimension": 4, "lower": -1, "upper": 1}, "trees": true, )" + rest)),
                 Error)
        << rest;
  };
  refused(R"("learner": {"type": "auto"}, "loss": "squared"})");
  refused(R"("learner": {"type": "auto"}, "standardise": true, "loss": "absolute"})");
  refused(R"("learner": {"type": "auto"}, "standardise": true, "loss": {"type": "softmax", "classes": 2}})");
  refused(R"("learner": {"type": "adagrad"}, "standardise": true, "loss": "squared"})");
}

}  // namespace
}  // namespace tarry
