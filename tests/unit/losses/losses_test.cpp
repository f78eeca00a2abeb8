// Every registered loss of one prediction: slopes are derivatives, values are convex, labels are checked.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tarry/base/random.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/diminishing.h"
#include "tarry/losses/log_wealth.h"
#include "tarry/losses/registry.h"
#include "tarry/losses/regression.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

struct Named {
  std::string name;
  AnyLoss loss;
};

std::vector<Named> every_loss() {
  std::vector<Named> losses;
  for (const LossEntry& entry : loss_registry())
    for (const std::string& json : entry.examples) {
      const spec::Value value = spec::parse_json(json);
      AnyLoss loss = make_loss(spec::Node(value, "loss"));
      if (loss.outputs() == 1) losses.push_back({entry.name, std::move(loss)});
    }
  return losses;
}

bool is_classification(const Named& loss) { return loss.name == "logistic" || loss.name == "hinge"; }

double random_label(const Named& loss, RandomSequence& random) {
  if (is_classification(loss)) return random.uniform() < 0.5 ? -1 : 1;
  if (loss.name == "diminishing") return random.uniform(0, 5);
  return 3 * random.gaussian();
}

double random_prediction(const Named& loss, RandomSequence& random) {
  return loss.name == "log_wealth" ? random.uniform(0.1, 5) : 4 * random.gaussian();
}

TEST(Losses, SlopesAreDerivatives) {
  RandomSequence random(1);
  for (const Named& named : every_loss())
    for (int i = 0; i < 300; ++i) {
      const double y = named.loss.label(random_label(named, random)), p = random_prediction(named, random), h = 1e-6;
      const double right = (named.loss.value(p + h, y) - named.loss.value(p, y)) / h;
      const double left = (named.loss.value(p, y) - named.loss.value(p - h, y)) / h;
      const double slope = named.loss.slope(p, y), allowed = 1e-4 * (1 + std::fabs(slope));
      EXPECT_GE(slope, left - allowed) << named.name << " at " << p << ", label " << y;
      EXPECT_LE(slope, right + allowed) << named.name << " at " << p << ", label " << y;
    }
}

TEST(Losses, AreConvexInThePrediction) {
  RandomSequence random(2);
  for (const Named& named : every_loss())
    for (int i = 0; i < 300; ++i) {
      const double y = named.loss.label(random_label(named, random));
      const double a = random_prediction(named, random), b = random_prediction(named, random), s = random.uniform();
      const double chord = (1 - s) * named.loss.value(a, y) + s * named.loss.value(b, y);
      EXPECT_LE(named.loss.value((1 - s) * a + s * b, y), chord + 1e-12 * (1 + std::fabs(chord))) << named.name;
      EXPECT_GE(named.loss.value(b, y) + 1e-12 * (1 + std::fabs(chord)),
                named.loss.value(a, y) + named.loss.slope(a, y) * (b - a) - 1e-9)
          << named.name;
    }
}

TEST(Losses, KnownValues) {
  EXPECT_EQ(LinearLoss{}.value(3, -2), -6);
  EXPECT_EQ(SquaredLoss{}.value(3, 1), 4);
  EXPECT_EQ(SquaredLoss{}.slope(3, 1), 4);
  EXPECT_EQ(AbsoluteLoss{}.value(3, 5), 2);
  EXPECT_EQ(AbsoluteLoss{}.slope(5, 5), 0);
  EXPECT_DOUBLE_EQ(LogisticLoss{}.value(0, 1), std::log(2.0));
  EXPECT_EQ(LogisticLoss{}.slope(0, 1), -0.5);
  EXPECT_EQ(HingeLoss{}.value(0.25, 1), 0.75);
  EXPECT_EQ(HingeLoss{}.slope(0.25, -1), 1);
  EXPECT_EQ(HingeLoss{}.slope(2, 1), 0);
  EXPECT_EQ(HingeLoss{5}.value(0.25, 1), 5 * 0.75);
  EXPECT_EQ(HingeLoss{5}.slope(0.25, -1), 1);
  EXPECT_EQ(LogisticLoss{3}.slope(0, 1), -1.5);
  EXPECT_EQ(LogisticLoss{3}.slope(0, -1), 0.5);
  EXPECT_EQ(HuberLoss(1.5).value(1, 0), 0.5);
  EXPECT_EQ(HuberLoss(1.5).value(4, 0), 1.5 * (4 - 0.75));
  EXPECT_EQ(HuberLoss(1.5).slope(-4, 0), -1.5);
  EXPECT_DOUBLE_EQ(LogWealthLoss{}.value(2, 0), -std::log(2.0));
  EXPECT_EQ(LogWealthLoss{}.slope(2, 0), -0.5);
}

TEST(Losses, ClassesAreMinusOneAndOneOrZeroAndOne) {
  for (const Named& named : every_loss()) {
    if (!is_classification(named)) continue;
    EXPECT_EQ(named.loss.label(1), 1);
    EXPECT_EQ(named.loss.label(0), -1);
    EXPECT_EQ(named.loss.label(-1), -1);
    for (double bad : {2.0, 0.5, -0.5, std::numeric_limits<double>::quiet_NaN(), 1e300}) {
      EXPECT_EQ(thrown_by([&] { named.loss.label(bad); }).code, Code::kBadInput) << bad;
    }
  }
  EXPECT_ERROR(sign_label(2), Code::kBadInput, "label must be -1 or 1, or 0 or 1 (2 came)");
}

TEST(Losses, RealLabelsMustBeFinite) {
  for (const Named& named : every_loss()) {
    if (is_classification(named) || named.name == "log_wealth" || named.name == "diminishing") continue;
    EXPECT_EQ(named.loss.label(-3.5), -3.5);
    for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -2e100})
      EXPECT_EQ(thrown_by([&] { named.loss.label(bad); }).code, Code::kBadInput) << named.name;
  }
}

TEST(LogisticLoss, ExtremeMarginsNeitherOverflowNorLoseTheirSmallSide) {
  const LogisticLoss loss;
  for (double p : {50.0, 745.0, 1e4, 1e100})
    for (double y : {1.0, -1.0}) {
      EXPECT_TRUE(std::isfinite(loss.value(p * y, y)));
      EXPECT_TRUE(std::isfinite(loss.value(-p * y, y)));
      EXPECT_LE(loss.value(p * y, y), 1e-21);
      EXPECT_DOUBLE_EQ(loss.value(-p * y, y), p);
      EXPECT_DOUBLE_EQ(loss.slope(-p * y, y), -y);
      EXPECT_LE(std::fabs(loss.slope(p * y, y)), 1e-21);
    }
  EXPECT_NEAR(loss.value(40, 1) / std::exp(-40.0), 1, 1e-12);
  EXPECT_NEAR(loss.slope(40, 1) / -std::exp(-40.0), 1, 1e-12);
}

TEST(LogWealthLoss, RefusesWealthThatIsGone) {
  const LogWealthLoss loss;
  for (double p : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(thrown_by([&] { loss.value(p, 0); }).code, Code::kBadInput);
    EXPECT_EQ(thrown_by([&] { loss.slope(p, 0); }).code, Code::kBadInput);
  }
  EXPECT_ERROR(loss.value(0, 0), Code::kBadInput,
               "log_wealth: the portfolio's growth factor must be positive (0 came)");
}

TEST(DiminishingLoss, IsALogarithmAboveZeroAndALineBelow) {
  const DiminishingLoss loss;
  EXPECT_DOUBLE_EQ(loss.value(std::exp(1.0) - 1, 3), -3);
  EXPECT_DOUBLE_EQ(loss.slope(1, 3), -1.5);
  EXPECT_EQ(loss.value(-2, 3), 6);
  EXPECT_EQ(loss.slope(-2, 3), -3);
  EXPECT_ERROR(loss.label(-1), Code::kBadInput, "label must be from 0 to 1e100 (-1 came)");
  EXPECT_EQ(thrown_by([&] { loss.label(std::numeric_limits<double>::quiet_NaN()); }).code, Code::kBadInput);
}

TEST(Losses, OfSeveralPredictionsAreThoseOfEach) {
  const std::vector<double> predictions = {-800, -30, -3.5, -0.25, -0.0, 0, 1e-9, 0.75, 2, 17.5, 900};
  for (const LossEntry& entry : loss_registry())
    for (const std::string& example : entry.examples) {
      const spec::Value value = spec::parse_json(example);
      const AnyLoss loss = make_loss(spec::Node(value, "loss"));
      if (loss.outputs() > 1 || !loss.defined(-1)) continue;
      for (const double label : {0.0, 1.0}) {
        std::vector<double> values(predictions.size()), slopes = predictions;
        loss.value_each(predictions, loss.label(label), values);
        loss.slope_each(slopes, loss.label(label), slopes);  // in place
        for (std::size_t i = 0; i < predictions.size(); ++i) {
          EXPECT_EQ(values[i], loss.value(predictions[i], loss.label(label))) << example << predictions[i];
          EXPECT_EQ(slopes[i], loss.slope(predictions[i], loss.label(label))) << example << predictions[i];
        }
      }
    }
}

TEST(LossSpecs, MayBeANameAlone) {
  const spec::Value name = spec::parse_json(R"("squared")"), huber = spec::parse_json(R"("huber")");
  EXPECT_EQ(make_loss(spec::Node(name, "loss")).value(3, 1), 4);
  EXPECT_EQ(make_loss(spec::Node(huber, "loss")).slope(9, 0), 1);
}

TEST(LossSpecs, SayWhatIsWrong) {
  const auto refusal = [](const std::string& json) {
    return thrown_by([&] {
             const spec::Value value = spec::parse_json(json);
             make_loss(spec::Node(value, "loss"));
           })
        .message;
  };
  EXPECT_EQ(refusal(R"({"type": "huber", "threshold": 0})"), "huber: threshold must be positive (threshold = 0)");
  EXPECT_EQ(refusal(R"({"type": "squared", "threshold": 1})"), "squared: unknown key \"threshold\" (known keys: type)");
  EXPECT_TRUE(refusal(R"("cubed")").starts_with("unknown loss type \"cubed\" (known types: linear, squared"))
      << refusal(R"("cubed")");
}

}  // namespace
}  // namespace tarry
