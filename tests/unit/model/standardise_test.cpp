// A model that standardises its features and labels.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "tarry/base/random.h"
#include "tarry/learners/descent/adagrad.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/regression.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/box.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model standardising(AnyLoss loss) {
  const Bounds box{Vec(3, -10.0), Vec(3, 10.0)};
  return Model(ModelParts{
      .set = Box(box), .learner = Adagrad(box, Vec(3, 0.0), 0.25), .loss = std::move(loss), .standardise = true});
}

// Units of features and labels, and a label's offset, do not change what is learnt: predictions follow the label's
// units.
TEST(Model, StandardisedPredictsTheSameInAnyUnits) {
  Model one = standardising(SquaredLoss{}), other = standardising(SquaredLoss{});
  RandomSequence random(9);
  std::map<Round, double> labels;
  double late_error = 0, late_count = 0;
  for (Round t = 1; t <= 3000; ++t) {
    const Vec row = {2 + random.gaussian(), random.gaussian(), 1};
    labels[t] = 3 * row[0] - row[1] + 0.1 * random.gaussian();
    const double p = one.apply(Play{Covector::dense(row)}).prediction;
    const double q = other.apply(Play{Covector::dense(Vec{1000 * row[0] - 5, 0.01 * row[1], 1})}).prediction;
    if (t > 45) {  // from the first two labels on
      ASSERT_NEAR((q - 900) / 50, p, 1e-4) << "round " << t;
    }
    if (t > 2000) {
      late_error += std::pow(p - labels[t], 2);
      late_count += 1;
    }
    if (t <= 40) continue;
    const double loss = one.apply(Label{t - 40, labels[t - 40]}).loss;
    const double same = other.apply(Label{t - 40, 900 + 50 * labels[t - 40]}).loss;
    if (t > 90) {
      ASSERT_NEAR(same, 2500 * loss, 1e-3 * (1 + 2500 * loss));
    }
  }
  EXPECT_LT(late_error / late_count, 0.1);
}

TEST(LabelScale, LoadsOnlyWhatLabelsLeadTo) {
  const auto refused = [](double count, double mean, double squares) {
    ByteWriter out;
    for (double x : {count, mean, squares, 0.0}) out.f64(x);
    ByteReader in(out.bytes());
    LabelScale scale;
    return thrown_by([&] { scale.load(in); }).message;
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused(3, -2, 5), "nothing was thrown");
  EXPECT_EQ(refused(0, 0, 0), "nothing was thrown");
  EXPECT_EQ(refused(3, kNaN, 5), "snapshot: a number must be finite (nan came)");
  EXPECT_EQ(refused(3, 2, -5), "snapshot: a size must not be negative (-5.000000 came)");
  for (const auto& [count, squares] : {std::pair(1.5, 5.0), std::pair(0.0, 5.0)})
    EXPECT_EQ(refused(count, 0, squares), "snapshot: the scale of the labels is impossible");
}

TEST(Model, StandardisedSaysWhatItCannotDo) {
  Model model = standardising(LogisticLoss{});
  EXPECT_ERROR(model.apply(Play{}), Code::kBadInput, "features must come with the play: this model standardises them");
  const Vec row = {1, 2, 3};
  model.apply(Play{Covector::dense(row)});
  EXPECT_ERROR(model.apply(Gradient{1, Covector::dense(row)}), Code::kBadInput,
               "a gradient does not fit a model that standardises features: give the label");
  EXPECT_EQ(model.ledger().outstanding(), 1u);
  Model regression = standardising(SquaredLoss{});
  regression.apply(Play{Covector::dense(row)});
  EXPECT_ERROR(regression.apply(Label{1, 1e60}), Code::kBadInput,
               "label must be at most 1e45 in size where the model standardises (1e+60 came)");
  EXPECT_EQ(regression.apply(Label{1, 4}).answer, Answer::kApplied);
  const Bounds box{Vec(3, -1.0), Vec(3, 1.0)};
  EXPECT_ERROR(Model(ModelParts{.set = Box(box), .learner = Adagrad(box, Vec(3, 0.0), 1), .standardise = true}),
               Code::kBadSpec, "standardise needs a loss: a gradient cannot be converted to other units");
}

}  // namespace
}  // namespace tarry
