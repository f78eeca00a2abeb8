#include "tarry/lab/play/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"

namespace tarry::lab {
namespace {

Metrics metrics_of(const std::string& loss) { return Metrics(measure_of(loss)); }

RoundPlayed round(double prediction, double label) { return {.prediction = prediction, .label = label}; }

using Values = std::map<std::string, double>;

TEST(Metrics, OfRegressionAreRootMeanSquareAndMeanAbsoluteError) {
  for (const char* loss : {"squared", "absolute", "huber"}) {
    Metrics metrics = metrics_of(loss);
    metrics.add(round(1, 4));   // off by −3
    metrics.add(round(5, 1));   // by 4
    metrics.add(round(2, 2));   // by 0
    metrics.add(round(-1, 0));  // by −1
    EXPECT_EQ(metrics.values(), (Values{{"rmse", std::sqrt(26 / 4.0)}, {"mae", 2}})) << loss;
  }
}

TEST(Metrics, OfRatingsJudgeWhatIsShown) {
  using data::RatingSpace;
  Metrics metrics(Measure::kError,
                  std::make_shared<const RatingSpace>(RatingSpace{.users = 1, .items = 1, .low = 1, .high = 5}));
  metrics.add(round(7, 5));   // shown as 5
  metrics.add(round(-2, 3));  // as 1
  EXPECT_EQ(metrics.values(), (Values{{"rmse", std::sqrt(2)}, {"mae", 1}}));
}

TEST(Metrics, OfClassificationWorkedOutByHand) {
  for (const char* loss : {"logistic", "hinge"}) {
    Metrics metrics = metrics_of(loss);
    metrics.add(round(std::log(3), 1));    // right: P(+1) = ¾
    metrics.add(round(std::log(3), -1));   // wrong: P(−1) = ¼, and tied with the first
    metrics.add(round(-std::log(9), -1));  // right: P(−1) = 0.9
    metrics.add(round(0, 1));              // a margin of 0 is no prediction of +1
    const Values values = metrics.values();
    EXPECT_EQ(values.size(), 3u);
    EXPECT_NEAR(values.at("log_loss"), -(std::log(0.75) + std::log(0.25) + std::log(0.9) + std::log(0.5)) / 4, 1e-15);
    EXPECT_EQ(values.at("accuracy"), 0.5);
    EXPECT_EQ(values.at("auc"), (0.5 + 1 + 0 + 1) / 4);  // the pairs (1,2), (1,3), (4,2), (4,3)
  }
}

double auc_by_pairs(const std::vector<RoundPlayed>& rounds) {
  double better = 0, pairs = 0;
  for (const RoundPlayed& a : rounds)
    for (const RoundPlayed& b : rounds)
      if (a.label > 0 && b.label < 0) {
        pairs += 1;
        better += a.prediction > b.prediction ? 1 : a.prediction == b.prediction ? 0.5 : 0;
      }
  return better / pairs;
}

TEST(Metrics, AucIsTheShareOfPairsInOrder) {
  RandomSequence random(5);
  for (int game = 0; game < 40; ++game) {
    const double levels = game % 4 == 0 ? 3 : 40;  // few levels: mostly ties
    Metrics metrics = metrics_of("logistic");
    std::vector<RoundPlayed> rounds = {round(0.25, 1), round(0.25, -1)};
    for (int i = 0; i < 120; ++i)
      rounds.push_back(round(std::floor(random.uniform(-levels, levels)) / 8, random.uniform(0, 1) < 0.3 ? 1 : -1));
    for (const RoundPlayed& one : rounds) metrics.add(one);
    EXPECT_NEAR(metrics.values().at("auc"), auc_by_pairs(rounds), 1e-14);
  }
}

TEST(Metrics, AucWithoutBothClassesIsAHalf) {
  Metrics metrics = metrics_of("logistic");
  metrics.add(round(2, 1));
  metrics.add(round(3, 1));
  EXPECT_EQ(metrics.values().at("auc"), 0.5);
}

TEST(Metrics, WealthIsTheProductOfGrowthFactors) {
  Metrics metrics = metrics_of("log_wealth");
  EXPECT_EQ(metrics.values().at("wealth"), 1);
  for (double growth : {1.5, 0.5, 1.25}) metrics.add(round(growth, 0));
  EXPECT_NEAR(metrics.values().at("wealth"), 1.5 * 0.5 * 1.25, 1e-15);
}

TEST(Metrics, GainIsTheMeanOfWhatWasNotLost) {
  Metrics metrics = metrics_of("diminishing");
  metrics.add({.round = 1, .prediction = 1, .label = 3, .loss = -2});
  metrics.add({.round = 2, .prediction = 1, .label = 3, .loss = -5});
  EXPECT_EQ(metrics.values(), (std::map<std::string, double>{{"gain", 3.5}}));
}

TEST(Metrics, LinearLossesHaveNone) {
  Metrics metrics = metrics_of("linear");
  metrics.add(round(1, 1));
  EXPECT_TRUE(metrics.values().empty());
}

// A label that nobody ever knew judges nothing; columns of curves still need a number from the first round.
TEST(Metrics, RoundsThatAreNotJudgedCountForNothing) {
  Metrics metrics = metrics_of("squared");
  metrics.add({.prediction = 9, .label = std::nan(""), .judged = false});
  EXPECT_EQ(metrics.values().size(), 2u);
  EXPECT_TRUE(std::isnan(metrics.values().at("rmse")));
  metrics.add(round(3, 1));
  EXPECT_EQ(metrics.values(), (Values{{"rmse", 2}, {"mae", 2}}));
}

}  // namespace
}  // namespace tarry::lab
