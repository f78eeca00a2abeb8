// What a model tells without an event: predictions that open no round, and weights by name.
#include <gtest/gtest.h>

#include <tuple>

#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

NamedFeatures trip(const char* city, double hours) { return {{"city", std::string(city)}, {"hours", hours}}; }

Model named(const std::string& loss, Index dimension, const std::string& more = "") {
  return make_model(ModelSpec::parse(R"({"set": {"type": "box", "dimension": )" + std::to_string(dimension) +
                                     R"(, "lower": -5, "upper": 5}, "learner": {"type": "adagrad"}, "loss": )" + loss +
                                     R"(, "features": {"capacity": 16})" + more + "}"));
}

void teach(Model& model, const std::function<LabelValue(int)>& label) {
  for (int t = 0; t < 30; ++t) {
    const Round round = model.play(FeaturesView(trip(t % 2 == 0 ? "Oslo" : "Lima", t % 5))).round;
    model.label(round, label(t));
  }
}

TEST(Predict, IsWhatAPlayGivesAndOpensNoRound) {
  for (const std::string loss : {R"("squared")", R"("logistic")"}) {
    Model model = named(loss, 16);
    teach(model, [](int t) { return t % 2; });
    const std::string before = model.hash();
    for (const NamedFeatures& features : {trip("Oslo", 2), trip("Lima", -1)}) {
      const double predicted = model.predict(FeaturesView(features)).prediction;
      EXPECT_EQ(model.hash(), before);
      EXPECT_EQ(model.clone().play(FeaturesView(features)).prediction, predicted);
      EXPECT_NE(predicted, 0);
    }
  }
}

TEST(Predict, OfClassesHasTheScoresOfAPlay) {
  Model model = named(R"({"type": "softmax", "classes": 3, "names": []})", 48);
  teach(model, [](int t) { return LabelValue(std::string(t % 2 == 0 ? "cold" : "warm")); });
  const NamedFeatures oslo = trip("Oslo", 2);
  const auto predicted = model.predict(FeaturesView(oslo));
  const auto played = model.clone().play(FeaturesView(oslo));
  EXPECT_EQ(predicted.scores, played.scores);
  EXPECT_EQ(predicted.prediction, played.prediction);
  EXPECT_EQ(model.class_names()[static_cast<std::size_t>(predicted.prediction)], "cold");
  const Vec p = model.probabilities(predicted.scores);
  ASSERT_EQ(p.size(), 2u) << "classes without a name are left out";
  EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
}

TEST(Predict, LeavesOutNamesItHasNotSeen) {
  Model model = named(R"("squared")", 16);
  teach(model, [](int t) { return t % 2; });
  const double known = model.predict(FeaturesView(NamedFeatures{{"hours", 2.0}})).prediction;
  EXPECT_EQ(model.predict(FeaturesView(trip("Rome", 2))).prediction, known);
  EXPECT_EQ(model.features().slots(), 4) << "the intercept, two cities and hours";
}

TEST(Predict, RefusesWhatAPlayRefuses) {
  const Model model = named(R"("squared")", 16);
  const Vec numbers(16, 1.0);
  EXPECT_EQ(thrown_by([&] { (void)model.predict(Covector::dense(numbers)); }).message,
            "features must be named: this model gives names their slots");
  EXPECT_EQ(thrown_by([&] { (void)model.predict(FeaturesView(trip("Oslo", 1e200))); }).code, Code::kBadInput);
}

TEST(Predict, IsInTheUnitsOfLabelsWhereTheyAreStandardised) {
  Model model = named(R"("squared")", 16, R"(, "standardise": true)");
  teach(model, [](int t) { return 1000 + t % 2; });
  EXPECT_NEAR(model.predict(FeaturesView(trip("Lima", 2))).prediction, 1000.5, 1);
}

// Names take their slots with the label that brings them, where that is learnt.
TEST(LateFeatures, OfALabelThatIsRefusedLeaveNoNamesBehind) {
  for (const auto& [slots, more, taken] :
       {std::tuple("16", R"(, "interactions": "pairs")", 4), std::tuple("3", "", 3)}) {
    Model model = make_model(ModelSpec::parse(
        std::string(R"({"set": {"type": "box", "dimension": )") + slots +
        R"(, "lower": -5, "upper": 5}, "learner": {"type": "adagrad"}, "loss": "squared", "features": {"capacity": )" +
        slots + more + "}}"));
    model.play();
    model.play();
    for (const Round round : {1, 2}) {
      const std::string before = model.hash();
      const Thrown thrown = thrown_by([&] { model.label(round, 1e60, FeaturesView(trip("Oslo", 1e60))); });
      EXPECT_TRUE(thrown.message.starts_with("gradient must be finite and at most 1e100 in size")) << thrown.message;
      EXPECT_EQ(model.hash(), before);
      model.label(round, 1, FeaturesView(trip("Lima", 2)));
      EXPECT_EQ(model.features().slots(), taken);
    }
  }
}

TEST(Weights, AreByNameLargestFirst) {
  Model model = named(R"("squared")", 16);
  teach(model, [](int t) { return t % 2 == 0 ? 3 : -1; });
  const auto all = model.weights(100);
  ASSERT_EQ(all.size(), 4u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(std::fabs(all[i - 1].weight), std::fabs(all[i].weight));
  std::map<std::string, double> by_name;
  for (const auto& weight : all) by_name[weight.name] = weight.weight;
  EXPECT_GT(by_name.at("city=Oslo"), 0);
  EXPECT_LT(by_name.at("city=Lima"), 0);
  EXPECT_TRUE(by_name.contains("hours") && by_name.contains("(intercept)"));
  const double oslo = by_name["(intercept)"] + by_name["city=Oslo"] + 2 * by_name["hours"];
  EXPECT_NEAR(model.predict(FeaturesView(trip("Oslo", 2))).prediction, oslo, 1e-12);
  EXPECT_EQ(model.weights(2).size(), 2u);
  EXPECT_EQ(model.weights(2)[0].name, all[0].name);
}

TEST(Weights, OfClassesSayWhichClass) {
  Model model = named(R"({"type": "softmax", "classes": 3, "names": []})", 48);
  EXPECT_TRUE(model.weights(10).empty());
  teach(model, [](int t) { return LabelValue(std::string(t % 2 == 0 ? "cold" : "warm")); });
  bool found = false;
  for (const auto& weight : model.weights(100))
    if (weight.name == "city=Oslo" && weight.of_class == "cold") found = weight.weight > 0;
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace tarry
