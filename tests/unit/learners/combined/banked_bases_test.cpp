#include "tarry/learners/combined/banked_bases.h"

#include <gtest/gtest.h>

#include "tarry/losses/classification.h"
#include "tarry/losses/softmax.h"

namespace tarry {
namespace {

constexpr Index kFeatures = 2, kWidth = 2 + 4;  // of an output: features, then their products

BankedBases bases(Index outputs) {
  const Index n = kWidth * outputs;
  const auto one = [&] { return ImplicitBases(Bounds::everywhere(n, -10, 10), Start{n, 0, {}}, {1, 0.5}); };
  return {one(), {kWidth, kWidth - kFeatures}};
}

// Which coordinates base k has moved.
std::vector<Index> moved(const BankedBases& bases, std::size_t k, Index n) {
  Vec x(static_cast<std::size_t>(n));
  bases.write(k, x);
  std::vector<Index> found;
  for (Index i = 0; i < n; ++i)
    if (x[static_cast<std::size_t>(i)] != 0) found.push_back(i);
  return found;
}

TEST(BankedBases, SomeSeeTheFeaturesAloneAndTheOthersAllOfTheRow) {
  BankedBases both = bases(1);
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

TEST(BankedBases, SoInEveryClass) {
  BankedBases both = bases(3);
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

constexpr Index kBends = 3, kWider = kWidth + kBends;

BankedBases with_bends(Index products = kWidth - kFeatures) {
  const Index n = kWider;
  return {ImplicitBases(Bounds::everywhere(n, -10, 10), Start{n, 0, {}}, {1, 0.5}), {n, products, 0, kBends}};
}

// Plays a row and learns its label: what each base predicted.
Vec learn(BankedBases& bases, const std::vector<Index>& at, double label) {
  const Vec values(at.size(), 1.0);
  const Covector features = Covector::sparse(at, values);
  const AnyLoss logistic = LogisticLoss();
  const KnownLoss known{features, logistic, label};
  Vec played(bases.size()), losses(bases.size(), 0.7);
  bases.predict(features, played);
  bases.receive(1, {.gradient = features, .known = &known, .predictions = {}}, {played, losses, {}}, {});
  return played;
}

std::string bytes_of(const BankedBases& bases) {
  ByteWriter out;
  bases.save(out);
  return std::string(out.bytes());
}

TEST(BankedBases, TheBankThatSeesBendsIsTheOneBeforeItUntilThereAreSome) {
  BankedBases all = with_bends();
  ASSERT_EQ(all.size(), 6u);
  for (double label : {1, -1, 1, 1}) learn(all, {0, 1, 3}, label);
  const Vec before = learn(all, {0, 1, 3}, 1);
  EXPECT_NE(before[2], before[0]);
  EXPECT_EQ(before[4], before[2]);
  EXPECT_EQ(before[5], before[3]);
  const std::size_t asleep = bytes_of(all).size();
  learn(all, {0, 3, 7}, 1);
  EXPECT_GT(bytes_of(all).size(), asleep) << "it has weights of its own now";
  for (std::size_t k : {2, 3}) EXPECT_EQ(moved(all, k, kWider), (std::vector<Index>{0, 1, 3}));
  for (std::size_t k : {4, 5}) EXPECT_EQ(moved(all, k, kWider), (std::vector<Index>{0, 1, 3, 7}));
  Vec features(kWider), products(kWider), bends(kWider);
  all.write(0, features);
  all.write(2, products);
  all.write(4, bends);
  EXPECT_EQ(bends[1], products[1]) << "not in the last row: as it was copied";
  EXPECT_NE(bends[1], features[1]);
}

TEST(BankedBases, BendsWithoutProductsBeginAsTheFeatures) {
  BankedBases all = with_bends(0);
  ASSERT_EQ(all.size(), 4u);
  learn(all, {0, 1}, 1);
  learn(all, {0, 1, 7}, 1);
  EXPECT_EQ(moved(all, 0, kWider), (std::vector<Index>{0, 1}));
  EXPECT_EQ(moved(all, 2, kWider), (std::vector<Index>{0, 1, 7}));
}

TEST(BankedBases, AreSavedAsleepAndAwake) {
  BankedBases all = with_bends();
  for (int round = 0; round < 4; ++round) {
    BankedBases copy = with_bends();
    const std::string bytes = bytes_of(all);
    ByteReader in(bytes);
    copy.load(in);
    in.expect_end();
    EXPECT_EQ(bytes_of(copy), bytes);
    EXPECT_EQ(learn(copy, {0, 1, 3, 8}, -1), learn(all, {0, 1, 3, 8}, -1));
    EXPECT_EQ(bytes_of(copy), bytes_of(all));
  }
}

}  // namespace
}  // namespace tarry
