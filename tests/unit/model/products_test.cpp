// Models whose rows have products of their features.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string spec_of(const std::string& loss, Index products, Index outputs = 1) {
  return R"({"set": {"type": "box", "dimension": )" + std::to_string((3 + products * products) * outputs) +
         R"(, "lower": -10, "upper": 10}, "learner": {"type": "auto"}, "standardise": true, "products": )" +
         std::to_string(products) + R"(, "loss": )" + loss + "}";
}

// The label is whether two features have the same sign; each alone says nothing. Labels come 20 rounds late.
double mean_loss(Model& model, bool classes, Round rounds = 3000) {
  RandomSequence random(3);
  Vec labels;
  double sum = 0;
  for (Round t = 1; t <= rounds; ++t) {
    if (t > 20) {
      const double loss = model.label(t - 20, labels[t - 21]).loss;
      if (t > rounds / 2) sum += loss;
    }
    const Vec features = {random.gaussian(), random.gaussian(), 1};
    const bool same = (features[0] > 0) == (features[1] > 0);
    labels.push_back(same ? 1 : classes ? 0 : -1);
    model.play(FeaturesView(Covector::dense(features)));
  }
  return sum / (static_cast<double>(rounds) / 2);
}

TEST(ModelProducts, TellWhatFeaturesSayTogether) {
  Model plain = make_model(ModelSpec::parse(spec_of(R"("logistic")", 0)));
  Model with = make_model(ModelSpec::parse(spec_of(R"("logistic")", 3)));
  EXPECT_GT(mean_loss(plain, false), 0.68);
  EXPECT_LT(mean_loss(with, false), 0.4);
}

TEST(ModelProducts, ServeClassesToo) {
  const std::string loss = R"({"type": "softmax", "classes": 2})";
  Model plain = make_model(ModelSpec::parse(spec_of(loss, 0, 2)));
  Model with = make_model(ModelSpec::parse(spec_of(loss, 3, 2)));
  EXPECT_GT(mean_loss(plain, true), 0.68);
  EXPECT_LT(mean_loss(with, true), 0.4);
}

// A prediction that opens no round is the one that a play would make, and a decision says all of it.
TEST(ModelProducts, ArePartOfTheDecision) {
  Model model = make_model(ModelSpec::parse(spec_of(R"("logistic")", 3)));
  mean_loss(model, false, 500);
  const Vec features = {0.3, -1.2, 1};
  const double before = model.predict(FeaturesView(Covector::dense(features))).prediction;
  EXPECT_EQ(model.decision().size(), 12u);
  EXPECT_NE(before, 0);
  const auto played = model.play(FeaturesView(Covector::dense(features)));
  const Context context = model.ledger().peek(played.round)->context;
  EXPECT_EQ(context.indices.size(), 3u);  // what waits holds no products
  Row wide;
  const Covector row = model.features().widen(Covector::sparse(context.indices, context.values), 1, wide);
  EXPECT_NEAR(row.dot(model.decision()), context.prediction, 1e-12);
}

TEST(ModelProducts, ContinueFromASnapshotBitForBit) {
  Model model = make_model(ModelSpec::parse(spec_of(R"("squared")", 3)));
  mean_loss(model, false, 300);
  Model copy = model.clone();
  EXPECT_EQ(model.hash(), copy.hash());
  const Vec features = {1, 2, 1};
  EXPECT_EQ(model.play(FeaturesView(Covector::dense(features))).prediction,
            copy.play(FeaturesView(Covector::dense(features))).prediction);
  model.label(290, 1.0);
  copy.label(290, 1.0);
  EXPECT_EQ(model.hash(), copy.hash());
}

TEST(ModelProducts, AreRefusedWhereTheyCannotBe) {
  EXPECT_EQ(thrown_by([] {
              make_model(ModelSpec::parse(
                  R"({"set": {"type": "box", "dimension": 5, "lower": -1, "upper": 1}, "learner": {"type": "auto"},
                      "standardise": true, "products": 3, "loss": "squared"})"));
            }).code,
            Code::kBadSpec);
  EXPECT_EQ(thrown_by([] {
              make_model(ModelSpec::parse(
                  R"({"set": {"type": "box", "dimension": 12, "lower": -1, "upper": 1}, "learner": {"type": "auto"},
                      "products": 3, "loss": "squared"})"));
            }).code,
            Code::kBadSpec);
}

// With tasks they are there by themselves, and can be switched off.
TEST(ModelProducts, ComeWithTasks) {
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary"})").products, 1024);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "features": {"capacity": 100}})").products, 100);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "products": 0})").products, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes"})").products, 8);  // the fewer, the more classes there may be
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes", "classes": 3})").products, 85);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "classes", "classes": 300})").products, 0);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "learner": {"type": "adagrad"}})").products, 0);
}

// One key says which products there are: a number counts features, names are names, wherever it stands.
TEST(Products, ByNameOrByNumberAreOneKey) {
  const std::string earlier = R"({"task": "regression", "products": 0, "features": {"interactions": [["a", "b"]]}})",
                    same = ModelSpec::parse(earlier).json();
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "products": [["a", "b"]]})").json(), same);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "products": [["b", "a"]], "features": {}})").json(), same);
  EXPECT_EQ(ModelSpec::parse(R"({"task": "regression", "products": 0, "features": {"products": [["a", "b"]]}})").json(),
            same);
  EXPECT_EQ(ModelSpec::parse(same).json(), same) << "what was written stays readable";
  EXPECT_EQ(ModelSpec::parse(R"({"task": "binary", "products": 7})").products, 7);
}

TEST(Products, ByNameNeedNames) {
  const std::string plain = R"({"set": {"type": "box", "dimension": 3, "lower": -1, "upper": 1},
                                "learner": {"type": "auto"}, "loss": "squared", "products": "pairs"})";
  EXPECT_ERROR(ModelSpec::parse(plain), Code::kBadSpec,
               "model: products must be a whole number, or pairs of names for a model with features by name "
               "(products = \"pairs\")");
  EXPECT_ERROR(
      ModelSpec::parse(R"({"task": "binary", "products": "pairs", "features": {"interactions": [["a", "b"]]}})"),
      Code::kBadSpec,
      "model: products must be left out, or a whole number: features has interactions (products = \"pairs\")");
}

}  // namespace
}  // namespace tarry
