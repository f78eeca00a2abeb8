#include "tarry/learners/combined/forgetting_bases.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/losses/classification.h"
#include "tarry/losses/softmax.h"

namespace tarry {
namespace {

constexpr Index kSeen = 2, kRow = 2 + 4;  // of an output: features, then their products

ImplicitBases two_rates(Index outputs, Vec keeps = {}) {
  const Index n = kRow * outputs;
  return {Bounds::everywhere(n, -10, 10), Start{n, 0, {}}, {1, 0.5}, std::move(keeps)};
}

ForgettingBases forgetting(Index outputs) {
  return {BankedBases(two_rates(outputs), {kRow, kRow - kSeen}), two_rates(outputs, {0.5, 0.9})};
}

const std::vector<Index> kAt = {0, 1, 2, 3, 5};
const Vec kValues = {1, -1, 0.5, -0.5, 0.5};

template <class Bases>
Vec predicted(const Bases& bases) {
  Vec predictions(bases.size());
  bases.predict(Covector::sparse(kAt, kValues), predictions);
  return predictions;
}

template <class Bases>
void learn_label(Bases& bases, double label) {
  const Covector features = Covector::sparse(kAt, kValues);
  const AnyLoss logistic = LogisticLoss();
  const KnownLoss known{features, logistic, label};
  const Vec played = predicted(bases), losses(bases.size(), 0.7);
  bases.receive(1, {.gradient = features, .known = &known, .predictions = {}}, {played, losses, {}}, {});
}

TEST(ForgettingBases, TheOthersLearnWhatTheyWouldAlone) {
  ForgettingBases both = forgetting(1);
  BankedBases alone(two_rates(1), {kRow, kRow - kSeen});
  for (int t = 0; t < 5; ++t) {
    learn_label(both, t % 2);
    learn_label(alone, t % 2);
  }
  const Vec all = predicted(both);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(Vec(all.begin(), all.begin() + 4), predicted(alone));
}

TEST(ForgettingBases, ThoseThatForgetSeeTheFeaturesAlone) {
  ForgettingBases both = forgetting(1);
  learn_label(both, 1);
  Vec x(kRow);
  both.write(4, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(x[i] != 0, i < 2) << i;
}

// After labels that agree for long, one that does not moves those that forget by more.
TEST(ForgettingBases, TheyFollowWhatChanges) {
  ForgettingBases both = forgetting(1);
  for (int t = 0; t < 2000; ++t) learn_label(both, t % 2 == 0 ? 1 : -1);
  const Vec before = predicted(both);
  learn_label(both, 1);
  const Vec after = predicted(both);
  EXPECT_GT(std::fabs(after[4] - before[4]), 3 * std::fabs(after[0] - before[0]));
}

TEST(ForgettingBases, SoInEveryClassAndAfterLoading) {
  ForgettingBases both = forgetting(3);
  std::vector<Index> at;
  for (Index c = 0; c < 3; ++c)
    for (Index i : {0, 1, 3}) at.push_back(c * kRow + i);
  const Vec values(at.size(), 1.0), played(18, 0.0), losses(6, 1.1);
  const Covector features = Covector::sparse(at, values).with_outputs(3);
  const AnyLoss softmax = SoftmaxLoss(3, 0, {});
  const KnownLoss known{features, softmax, 2};
  both.receive(1, {.gradient = features, .known = &known, .predictions = {}}, {played, losses, {}}, {});
  Vec x(3 * kRow), again(3 * kRow);
  both.write(5, x);
  EXPECT_LT(x[0], 0);
  EXPECT_GT(x[2 * kRow], 0);
  EXPECT_EQ(x[3], 0);
  ByteWriter out;
  both.save(out);
  ForgettingBases loaded = forgetting(3);
  ByteReader in(out.bytes());
  loaded.load(in);
  loaded.write(5, again);
  EXPECT_EQ(x, again);
}

}  // namespace
}  // namespace tarry
