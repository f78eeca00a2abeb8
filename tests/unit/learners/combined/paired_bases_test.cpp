#include "tarry/learners/combined/paired_bases.h"

#include <gtest/gtest.h>

#include "tarry/losses/classification.h"
#include "tarry/losses/softmax.h"

namespace tarry {
namespace {

constexpr Index kFeatures = 2, kWidth = 2 + 4;  // of an output: features, then their products

PairedBases bases(Index outputs) {
  const Index n = kWidth * outputs;
  const auto one = [&] { return ImplicitBases(Bounds::everywhere(n, -10, 10), Start{n, 0, {}}, {1, 0.5}); };
  return {one(), one(), {kWidth, kWidth - kFeatures}};
}

// Which coordinates base k has moved.
std::vector<Index> moved(const PairedBases& bases, std::size_t k, Index n) {
  Vec x(static_cast<std::size_t>(n));
  bases.write(k, x);
  std::vector<Index> found;
  for (Index i = 0; i < n; ++i)
    if (x[static_cast<std::size_t>(i)] != 0) found.push_back(i);
  return found;
}

TEST(PairedBases, SomeSeeTheFeaturesAloneAndTheOthersAllOfTheRow) {
  PairedBases both = bases(1);
  ASSERT_EQ(both.size(), 4u);
  const std::vector<Index> at = {0, 1, 2, 3, 5};
  const Vec values = {1, -1, 0.5, -0.5, 0.5};
  const Covector features = Covector::sparse(at, values);
  const AnyLoss logistic = LogisticLoss();
  const KnownLoss known{features, logistic, 1};
  const Vec played(4, 0.0), losses(4, 0.7);
  both.receive(1, {.gradient = features, .known = &known, .predictions = {}}, {played, losses, {}}, {});
  for (std::size_t k : {0, 1}) EXPECT_EQ(moved(both, k, kWidth), (std::vector<Index>{0, 1}));
  for (std::size_t k : {2, 3}) EXPECT_EQ(moved(both, k, kWidth), at);
  Vec predictions(4);
  both.predict(features, predictions);
  Vec x(kWidth);
  for (std::size_t k = 0; k < 4; ++k) {  // each predicts by its own decision
    both.write(k, x);
    EXPECT_NEAR(predictions[k], features.dot(x), 1e-12);
  }
}

TEST(PairedBases, SoInEveryClass) {
  PairedBases both = bases(3);
  std::vector<Index> at;
  Vec values;
  for (Index c = 0; c < 3; ++c)
    for (Index i : {0, 1, 3}) {
      at.push_back(c * kWidth + i);
      values.push_back(1);
    }
  const Covector features = Covector::sparse(at, values).with_outputs(3);
  const AnyLoss softmax = SoftmaxLoss(3, 0, {});
  const KnownLoss known{features, softmax, 2};
  const Vec played(12, 0.0), losses(4, 1.1);
  both.receive(1, {.gradient = features, .known = &known, .predictions = {}}, {played, losses, {}}, {});
  EXPECT_EQ(moved(both, 0, 3 * kWidth), (std::vector<Index>{0, 1, 6, 7, 12, 13}));
  EXPECT_EQ(moved(both, 2, 3 * kWidth), at);
}

}  // namespace
}  // namespace tarry
