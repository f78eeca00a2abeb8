// Models in which numbers bend.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/model/explain.h"
#include "tarry/model/explanation_text.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model task(const std::string& more) { return make_model(ModelSpec::parse(R"({"task": )" + more + "}")); }

// A label that is high in the morning of weekdays and in the evening of other days: linear in nothing. Labels come 20
// rounds late. The mean squared error of the second half; the label's variance is about 0.2.
double mean_error(Model& model, Round rounds = 4000) {
  RandomSequence random(3);
  Vec labels;
  double sum = 0;
  for (Round t = 1; t <= rounds; ++t) {
    if (t > 20) model.label(t - 20, labels[t - 21]);
    const double hour = static_cast<double>(t % 24), day = static_cast<double>(t / 24 % 7);
    const bool high = day < 5 ? hour >= 6 && hour < 12 : hour >= 18;
    labels.push_back((high ? 1.0 : 0.0) + 0.05 * random.gaussian());
    const NamedFeatures features{{"hour", hour}, {"day", day}, {"place", std::string("a")}};
    const double off = model.play(FeaturesView(features)).prediction - labels.back();
    if (t > rounds / 2) sum += off * off;
  }
  return sum / (static_cast<double>(rounds) / 2);
}

TEST(ModelBends, TellWhatIsNoLine) {
  Model with = task(R"("regression")"), without = task(R"("regression", "bends": false)");
  EXPECT_GT(mean_error(without), 0.15);
  EXPECT_LT(mean_error(with), 0.05);
}

TEST(ModelBends, ServeClassesToo) {
  const auto mean_loss = [](Model model) {
    double sum = 0;
    for (Round t = 1; t <= 1500; ++t) {
      const NamedFeatures features{{"hour", static_cast<double>(t * 7 % 24)}};
      const std::string label = t * 7 % 24 / 6 % 2 == 0 ? "a" : "b";
      const auto played = model.play(FeaturesView(features));
      const double loss = model.label(played.round, LabelValue(label)).loss;
      if (t > 750) sum += loss;
    }
    return sum / 750;
  };
  const std::string classes = R"("classes", "classes": ["a", "b", "c"])";
  EXPECT_GT(mean_loss(task(classes + R"(, "bends": false)")), 0.5);
  EXPECT_LT(mean_loss(task(classes)), 0.2);
}

TEST(ModelBends, ContinueFromASnapshotBitForBit) {
  for (const Round rounds : {10, 30, 300}) {  // before anything bends, and after
    Model model = task(R"("regression")");
    mean_error(model, rounds);
    Model copy = model.clone();
    EXPECT_EQ(model.hash(), copy.hash());
    const NamedFeatures features{{"hour", 7.0}, {"day", 2.0}};
    for (Round t = rounds - 9; t <= rounds; ++t) {
      EXPECT_EQ(model.play(FeaturesView(features)).prediction, copy.play(FeaturesView(features)).prediction);
      model.label(t, 1.0);
      copy.label(t, 1.0);
    }
    EXPECT_EQ(model.hash(), copy.hash());
  }
}

// A waiting round keeps its features alone; a prediction that opens no round is the one that a play makes.
TEST(ModelBends, AreMadeAnewFromTheRow) {
  Model model = task(R"("regression", "trees": false)");
  mean_error(model, 500);
  const NamedFeatures features{{"hour", 7.0}, {"day", 2.0}, {"place", std::string("a")}};
  const double before = model.predict(FeaturesView(features)).prediction;
  const auto played = model.play(FeaturesView(features));
  EXPECT_NEAR(before, played.prediction, 0.1);
  const Context context = model.ledger().peek(played.round)->context;
  EXPECT_EQ(context.indices.size(), 4u);  // with the intercept
  Row wide;
  const Covector row = Covector::sparse(context.indices, context.values);
  EXPECT_GT(model.features().widen(row, played.round, wide).stored(), 4u + 10 + 8);
  EXPECT_NEAR(model.learner().predict(model.features().widen(row, played.round, wide)), context.prediction, 1e-12);
}

TEST(ModelBends, WhereNothingBendsAllIsAsWithoutThem) {
  Model with = task(R"("binary", "trees": false)"), without = task(R"("binary", "bends": false)");
  RandomSequence random(5);
  for (Round t = 1; t <= 400; ++t) {
    const NamedFeatures features{{"a", std::string(random.uniform() < 0.3 ? "x" : "y")},
                                 {"two", random.uniform() < 0.5 ? 1.0 : 0.0}};
    const double one = with.play(FeaturesView(features)).prediction;
    EXPECT_NEAR(one, without.play(FeaturesView(features)).prediction, 1e-9);
    const bool label = random.uniform() < 0.4;
    with.label(t, label);
    without.label(t, label);
  }
}

TEST(ModelBends, ComeWithTasksAndCanBeSwitchedOff) {
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary"})").bends, 1024);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "bends": false})").bends, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "bends": 7})").bends, 7);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "products": 0})").bends, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "products": 0, "bends": true})").bends, 1024);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes"})").bends, 2);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes", "classes": 3})").bends, 21);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes", "classes": 65})").bends, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes", "bends": true})").bends, 1024);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "choose"})").bends, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "learner": {"type": "adagrad"}})").bends, 0);
  const std::string json = ModelSpec::parse(R"({"task": "binary"})").json();
  EXPECT_NE(json.find(R"("bends": 1024)"), std::string::npos);
  EXPECT_EQ(ModelSpec::parse(json).json(), json);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "bends": false})").json().find("bends"), std::string::npos);
}

TEST(ModelBends, AreRefusedWhereTheyCannotBe) {
  EXPECT_ERROR(task(R"("binary", "bends": 5000)"), Code::kBadSpec,
               "model: bends must be a whole number from 0 to 4096 (bends = 5000)");
  EXPECT_ERROR(make_model(ModelSpec::parse(
                   R"({"set": {"type": "box", "dimension": 100000, "lower": -1, "upper": 1},
                       "learner": {"type": "auto"}, "bends": 3, "loss": "squared"})")),
               Code::kBadSpec, "bends needs standardise = true: knots are placed in standard deviations from the mean");
}

TEST(ModelBends, AreExplained) {
  Model model = task(R"("regression", "trees": false)");
  mean_error(model, 1000);
  const Explanation told = explain(model);
  ASSERT_EQ(told.banks.size(), 3u);
  EXPECT_EQ(told.learners, 24u);
  ASSERT_EQ(told.curves.size(), 2u);
  EXPECT_TRUE(told.curves[0].name == "hour" || told.curves[1].name == "hour");
  EXPECT_TRUE(told.curves[0].whole && told.curves[1].whole);
  EXPECT_EQ(told.curves[0].at.size() + told.curves[1].at.size(), 24u + 7u);
  EXPECT_NE(explanation_text(told).find("and numbers that bend, of the first 1024, 8 learners"), std::string::npos);
  EXPECT_NE(explanation_text(told).find("curve of hour"), std::string::npos);
  EXPECT_NE(explanation_json(told).find(R"("curves": [)"), std::string::npos);
  EXPECT_EQ(explanation_text(told).find("trees"), std::string::npos);
}

TEST(ModelBends, AreExplainedBesideTrees) {
  Model model = task(R"("regression", "trees": true)");
  mean_error(model, 400);
  const std::string told = explanation_text(explain(model));
  EXPECT_NE(told.find("and boosted trees, and mixtures with them, 5 learners"), std::string::npos);
  EXPECT_NE(told.find("(curves are without what the trees add)"), std::string::npos);
}

}  // namespace
}  // namespace tarry
