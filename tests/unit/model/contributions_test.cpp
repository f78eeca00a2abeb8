#include "tarry/model/contributions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

NamedFeatures delivery(int i) {
  return {{"distance", 0.5 * (i % 17)}, {"city", std::string(i % 3 == 0 ? "Paris" : "Rome")}, {"weight", 1.0 + i % 5}};
}

// A model that has learnt a little, late and out of order, with rounds that are still open.
template <class LabelOf>
Model taught_model(const std::string& spec, LabelOf label_of, int rounds = 300) {
  Model model = make_model(ModelSpec::parse(spec));
  for (int i = 1; i <= rounds; ++i) {
    model.apply(Play{delivery(i)});
    if (i > 20 && i % 7 != 0) model.apply(Label{static_cast<Round>(i - 20), label_of(i - 20)});
  }
  return model;
}

double summed(const Contributions::Output& output) {
  double sum = output.base;
  for (const Contributions::Part& part : output.parts) sum += part.adds;
  return sum;
}

TEST(Contributions, OfAutoWithProductsAddUpToTheLogOdds) {
  const Model model = taught_model(R"({"task": "binary"})", [](int i) { return LabelValue(i % 3 == 0 && i % 17 > 5); });
  for (int i = 0; i < 20; ++i) {
    const NamedFeatures row = delivery(i);
    const Contributions told = model.contributions(row);
    ASSERT_EQ(told.outputs.size(), 1u);
    EXPECT_EQ(told.score_is, "log-odds");
    const double score = model.predict(row).prediction;
    EXPECT_NEAR(told.outputs[0].score, score, 0);
    EXPECT_NEAR(summed(told.outputs[0]), score, 1e-9);
    EXPECT_DOUBLE_EQ(told.prediction, model.shown(score));
    EXPECT_GT(told.outputs[0].parts.size(), 3u);
  }
  bool product = false;
  const Contributions of_one = model.contributions(delivery(3));
  for (const Contributions::Part& part : of_one.outputs[0].parts)
    product = product || part.name.find(" × ") != std::string::npos;
  EXPECT_TRUE(product);
}

TEST(Contributions, OfNumbersAreInTheLabelsUnitsAroundTheirMean) {
  const Model model =
      taught_model(R"({"task": "regression"})", [](int i) { return LabelValue(5000.0 + 30 * (i % 17)); });
  const Contributions told = model.contributions(delivery(8));
  EXPECT_EQ(told.score_is, "number");
  EXPECT_NEAR(told.outputs[0].base, 5240, 60);
  EXPECT_NEAR(summed(told.outputs[0]), model.predict(delivery(8)).prediction, 1e-9 * 5000);
}

TEST(Contributions, OfClassesStandForEachThatHasAName) {
  const Model model = taught_model(R"({"task": "classes"})", [](int i) {
    return LabelValue(std::string(i % 3 == 0 ? "early" : i % 17 > 8 ? "late" : "lost"));
  });
  const Contributions told = model.contributions(delivery(4));
  const auto predicted = model.predict(delivery(4));
  ASSERT_EQ(told.outputs.size(), 3u);
  ASSERT_EQ(told.probabilities.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(told.outputs[c].of_class, model.class_names()[c]);
    EXPECT_NEAR(summed(told.outputs[c]), predicted.scores[c], 1e-9);
  }
}

TEST(Contributions, ComeLargestFirstAndTheRestIsSummed) {
  const Model model = taught_model(R"({"task": "binary"})", [](int i) { return LabelValue(i % 17 > 8); });
  const Contributions told = model.contributions(delivery(4));
  const auto& parts = told.outputs[0].parts;
  for (std::size_t i = 1; i < parts.size(); ++i) EXPECT_GE(std::fabs(parts[i - 1].adds), std::fabs(parts[i].adds));
  const spec::Value value = to_value(told, 2);
  const std::string json = spec::to_json(value);
  EXPECT_NE(json.find("\"rest\""), std::string::npos);
  EXPECT_NE(contributions_text(told, 2).find("others)"), std::string::npos);
  EXPECT_NE(contributions_text(told, 2).find("distance"), std::string::npos);
}

TEST(Contributions, AreForModelsThatPredictLabels) {
  const Model chooses = make_model(ModelSpec::parse(R"({"task": "choose"})"));
  EXPECT_ERROR(chooses.contributions(delivery(1)), Code::kUnsupported,
               "explain: only a model that predicts labels can say what each feature adds");
}

TEST(Weights, OfPairsAreAmongThemWhereAskedFor) {
  const Model model = taught_model(R"({"task": "binary"})", [](int i) { return LabelValue(i % 3 == 0 && i % 17 > 5); });
  bool alone = false, with = false;
  for (const auto& weight : model.weights(100)) alone = alone || weight.name.find(" × ") != std::string::npos;
  for (const auto& weight : model.weights(100, true)) with = with || weight.name.find(" × ") != std::string::npos;
  EXPECT_FALSE(alone);
  EXPECT_TRUE(with);
}

}  // namespace
}  // namespace tarry
