// Models that grow trees beside what is linear: planted steps of three numbers together.
#include "tarry/learners/combined/treed_bases.h"

#include <gtest/gtest.h>

#include <cmath>
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
    if (t % 5 < 2) continue;                                                          // three in five come
    for (Model* model : {&linear, &treed}) model->apply(Label{.round = {t}, .label = stepped(t).label});
  }
}

// Of a label that a line tells as well as it can be told; those above 0 come 1,500 rounds late from round 1,000 on.
TEST(TreedBases, AreNotBelievedByLabelsThatComeFirst) {
  Model linear = model_with(false, "logistic"), treed = model_with(true, "logistic");
  const Random random(5);
  const auto label_of = [&](Round t) {
    return random.uniform(9 * t) < 1 / (1 + std::exp(1 - 2 * stepped(t).features[0])) ? 1.0 : -1.0;
  };
  double lost_linear = 0, lost_treed = 0;
  const auto apply = [&](Model& model, const auto& event) { return model.apply(event).prediction; };
  for (Round t = 1; t <= 4000; ++t) {
    const Play play{.features = Features(stepped(t).features)};
    const double y = label_of(t);
    lost_linear += std::log1p(std::exp(-y * apply(linear, play)));
    lost_treed += std::log1p(std::exp(-y * apply(treed, play)));
    for (const Round late : {Round{20}, Round{1500}}) {
      const Round k = t > late ? t - late : 0;
      if (k == 0 || late != (k >= 1000 && label_of(k) > 0 ? 1500 : 20)) continue;
      for (Model* model : {&linear, &treed}) model->apply(Label{.round = {k}, .label = label_of(k)});
    }
  }
  EXPECT_LE(lost_treed, 1.003 * lost_linear);
}

TEST(TreedBases, LeaveALineToTheBanksBeyondWhatWasSeen) {
  Model linear = model_with(false), treed = model_with(true);
  for (Round t = 1; t <= 1500; ++t) {
    const Vec x = stepped(t).features;
    for (Model* model : {&linear, &treed}) {
      model->apply(Play{.features = Features(x)});
      model->apply(Label{.round = {t}, .label = 10 * x[0] + stepped(t).label});
    }
  }
  const Features far(Vec{3, 0.5, 0.5, 0.5});
  const double line = linear.apply(Play{.features = far}).prediction;
  EXPECT_GT(line, 20);
  EXPECT_NEAR(treed.apply(Play{.features = far}).prediction, line, 5);  // trees have seen no label beyond 11
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
