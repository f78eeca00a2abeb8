#include "tarry/losses/softmax.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/linalg/covector.h"
#include "tarry/losses/classification.h"
#include "tarry/losses/registry.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

AnyLoss from(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return make_loss(spec::Node(value, "loss"));
}

TEST(Softmax, SlopesAreDerivativesAndTheValueIsConvex) {
  const AnyLoss loss = from(R"({"type": "softmax", "classes": 4, "weights": [1, 2, 0.5, 3]})");
  RandomSequence random(1);
  for (int i = 0; i < 300; ++i) {
    Vec p(4), q(4), slopes(4);
    for (double& x : p) x = 4 * random.gaussian();
    for (double& x : q) x = 4 * random.gaussian();
    const auto label = static_cast<double>(random.below(4));
    loss.slopes(p, label, slopes);
    double along = 0;
    for (std::size_t c = 0; c < 4; ++c) {
      Vec up = p, down = p;
      up[c] += 1e-6;
      down[c] -= 1e-6;
      EXPECT_NEAR(slopes[c], (loss.value(up, label) - loss.value(down, label)) / 2e-6, 1e-6);
      along += slopes[c] * (q[c] - p[c]);
    }
    EXPECT_GE(loss.value(q, label), loss.value(p, label) + along - 1e-9);
  }
}

TEST(Softmax, ClassesThatNobodyHasHeardOfAreNotExpected) {
  const AnyLoss all = from(R"({"type": "softmax", "classes": 4})"), loss = all.naming(2);
  const AnyLoss two = from(R"({"type": "softmax", "classes": 2})"),
                three = from(R"({"type": "softmax", "classes": 3})");
  const Vec x{0.3, -1, 2, 5};
  const auto first = [&](std::size_t n) { return std::span(x).first(n); };
  EXPECT_EQ(loss.value(x, 1), two.value(first(2), 1));
  EXPECT_EQ(loss.value(x, 2), three.value(first(3), 2));  // it is heard of now
  Vec slopes(4), fewer(2), p(4);
  loss.slopes(x, 1, slopes);
  two.slopes(first(2), 1, fewer);
  EXPECT_EQ(slopes, (Vec{fewer[0], fewer[1], 0, 0}));
  loss.probabilities(x, p);
  EXPECT_EQ(p[2] + p[3], 0);
  EXPECT_DOUBLE_EQ(p[0] + p[1], 1);
  EXPECT_EQ(loss.naming(9).value(x, 1), all.value(x, 1));
  EXPECT_EQ(two.naming(0).value(first(2), 0), 0);
}

TEST(Softmax, IsLogisticForTwoClasses) {
  const AnyLoss loss = from(R"({"type": "softmax", "classes": 2})");
  for (double p : {-800.0, -1.5, 0.0, 2.0, 800.0}) {
    EXPECT_NEAR(loss.value(Vec{0, p}, 1), LogisticLoss{}.value(p, 1), 1e-12);
    Vec slopes(2);
    loss.slopes(Vec{0, p}, 1, slopes);
    EXPECT_NEAR(slopes[1], LogisticLoss{}.slope(p, 1), 1e-12);
    EXPECT_NEAR(slopes[0], -slopes[1], 1e-12);
  }
}

TEST(Softmax, CountsLabelsFromItsFirst) {
  const AnyLoss loss = from(R"({"type": "softmax", "classes": 26, "first": 1})");
  EXPECT_EQ(loss.outputs(), 26u);
  EXPECT_EQ(loss.label(1), 0);
  EXPECT_EQ(loss.label(26), 25);
  EXPECT_ERROR(loss.label(0), Code::kBadInput, "label must be a whole number from 1 to 26 (0 came)");
  for (double bad : {27.0, 1.5, -1.0, static_cast<double>(NAN)})
    EXPECT_EQ(thrown_by([&] { loss.label(bad); }).code, Code::kBadInput) << bad;
}

TEST(Softmax, SaysWhatItsKeysMustBe) {
  EXPECT_ERROR(from(R"({"type": "softmax", "classes": 3, "weights": [1, 2]})"), Code::kBadSpec,
               "softmax: weights must be an array of 3 positive numbers (weights = [1, 2])");
  EXPECT_EQ(thrown_by([&] { from(R"({"type": "softmax", "classes": 1})"); }).code, Code::kBadSpec);
}

}  // namespace
}  // namespace tarry
