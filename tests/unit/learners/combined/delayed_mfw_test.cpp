#include "tarry/learners/combined/delayed_mfw.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/linalg/norms.h"
#include "tarry/model/model.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

const std::string kMfwBall = R"({"type": "l2_ball", "dimension": 3, "radius": 2})";
const std::string kMfwSimplex = R"({"type": "simplex", "dimension": 3})";
const std::string kMfwGauge = R"({"type": "delayed_mfw", "oracle_calls": 8, "copies": "gauge"})";

std::string mfw_perturbed(int calls) {
  return R"({"type": "delayed_mfw", "oracle_calls": )" + std::to_string(calls) +
         R"(, "copies": "perturbed", "gradient_bound": 2})";
}

// Squared losses of rows of length 1, each answered at once, whose labels a hidden point of the set gives; the mean
// loss of the last half.
double loss_on_a_simplex(const std::string& learner, Round rounds) {
  Model model = lab::make_model(kMfwSimplex, learner, {}, "squared");
  RandomSequence draw(5);
  const Vec hidden = {0.5, 0.3, 0.2};
  double sum = 0;
  for (Round t = 1; t <= rounds; ++t) {
    Vec row(3);
    for (double& a : row) a = draw.gaussian();
    const double norm = norm2(row);
    for (double& a : row) a /= norm;
    const double label = row[0] * hidden[0] + row[1] * hidden[1] + row[2] * hidden[2];
    const auto decided = model.apply(Play{Covector::dense(row)});
    if (2 * t > rounds) sum += (decided.prediction - label) * (decided.prediction - label);
    model.apply(Label{decided.round, label});
  }
  return 2 * sum / static_cast<double>(rounds);
}

TEST(DelayedMfw, MoreStepsARoundGoFartherInsideTheSet) {
  const double few = loss_on_a_simplex(mfw_perturbed(2), 1000), many = loss_on_a_simplex(mfw_perturbed(32), 1000);
  EXPECT_LT(many, 0.5 * few);
}

// Theorem 18 (b): what straight lines miss is no more than smoothness allows, and the certificate says what was missed.
TEST(DelayedMfw, TheCertificateMeasuresCurvatureBelowItsBound) {
  const auto certificate = [](int calls) {
    Model model = lab::make_model(
        kMfwBall, R"({"type": "delayed_mfw", "copies": "gauge", "oracle_calls": )" + std::to_string(calls) + "}", {},
        "squared");
    RandomSequence draw(9);
    for (Round t = 1; t <= 200; ++t) {
      Vec row(3);
      for (double& a : row) a = draw.gaussian();
      const double norm = norm2(row);
      for (double& a : row) a /= norm;
      model.apply(Play{Covector::dense(row)});
      model.apply(Label{t, draw.gaussian()});
    }
    return model.certificate().value();
  };
  // The copies' part hardly depends on how many there are, so the difference is the curvature's.
  const double smoothness = 2, diameter = 4;
  EXPECT_LE(certificate(1) - certificate(64), theory::mfw_missed(smoothness, diameter, 200, 1));
  EXPECT_GT(certificate(1), certificate(64));
}

// Of the anytime step, whose own bound does not change when the round is taken back.
TEST(DelayedMfw, AWaitingRoundCostsTheLargestGradientTimesTheDiameter) {
  Model model = lab::make_model(
      kMfwBall, R"({"type": "delayed_mfw", "oracle_calls": 2, "copies": "gauge", "gradient_bound": 3})");
  for (Round t = 1; t <= 3; ++t) model.apply(Play{});
  const Vec g = {0, 3, 0};
  model.apply(Gradient{1, Covector::dense(g)});
  model.apply(Gradient{2, Covector::dense(g)});
  const double waiting = model.certificate().value();
  model.apply(Void{3});
  EXPECT_NEAR(waiting, model.certificate().value() + 3 * 4, 1e-9);
}

// A loss that is asked where it has no slope is asked at the played point instead.
TEST(DelayedMfw, AskedWhereALossIsNotDefinedItTakesThePlayedGradient) {
  Model model = lab::make_model(kMfwSimplex, mfw_perturbed(3), {}, "log_wealth");
  model.apply(Play{});
  const Vec rows[] = {{1, 1e-9, 0}, {0, 1e-9, 1}};  // worth nothing at one of the vertices
  Vec x(3);
  for (Round t = 1; t <= 60; ++t) {
    model.write(x);
    if (x[0] > 0 && x[2] > 0) {
      Label label{t, 0.0};
      label.features = Covector::dense(rows[t % 2]);
      model.apply(label);
    }
    model.apply(Play{});
  }
  model.write(x);
  EXPECT_TRUE(model.set().contains(x, 1e-9));
  EXPECT_FALSE(model.certificate().has_value());  // what the copies were told depends on their draws
}

TEST(DelayedMfw, InsideAHedgeOnlyTheDrawlessPromise) {
  Model gauge = lab::make_model(kMfwBall, R"({"type": "hedge", "learners": [)" + kMfwGauge + "]}");
  Model drawn = lab::make_model(kMfwBall, R"({"type": "hedge", "learners": [)" + mfw_perturbed(2) + "]}");
  const Vec g = {1, 0, 0};
  for (Model* model : {&gauge, &drawn}) {
    model->apply(Play{});
    model->apply(Gradient{1, Covector::dense(g)});
  }
  EXPECT_TRUE(gauge.certificate().has_value());
  EXPECT_FALSE(drawn.certificate().has_value());
}

}  // namespace
}  // namespace tarry
