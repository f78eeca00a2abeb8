#include "tarry/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/sets/polytopes/simplex.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

class ModelTest : public testing::Test {
 protected:
  Model model_{Simplex(3), DelayedOfw<AnySet>(Simplex(3), OfwRule(0.5))};

  Answer receive(Round round, const Vec& g) { return model_.apply(Gradient{round, Covector::dense(g)}).answer; }
  Answer receive(Round round, const std::vector<Index>& at, const Vec& g) {
    return model_.apply(Gradient{round, Covector::sparse(at, g)}).answer;
  }
  Vec decision() const {
    Vec x(3);
    model_.write(x);
    return x;
  }
};

TEST_F(ModelTest, PlaysRoundsInOrder) {
  for (Round t = 1; t <= 3; ++t) {
    const auto outcome = model_.apply(Play{});
    EXPECT_EQ(outcome.round, t);
    EXPECT_EQ(outcome.answer, Answer::kApplied);
  }
  EXPECT_EQ(model_.ledger().outstanding(), 3u);
}

TEST_F(ModelTest, TakesFeedbackOutOfOrder) {
  for (int t = 0; t < 3; ++t) model_.apply(Play{});
  EXPECT_EQ(receive(3, {1, 0, 0}), Answer::kApplied);
  EXPECT_EQ(receive(1, {0, 1, 0}), Answer::kApplied);
  EXPECT_EQ(receive(2, {0}, {0.5}), Answer::kApplied);
  EXPECT_EQ(model_.ledger().settled(), 3u);
  EXPECT_NEAR(decision()[0] + decision()[1] + decision()[2], 1, 1e-15);
}

TEST_F(ModelTest, AnswersDuplicatesAndUnknownRoundsWithoutLearningFromThem) {
  model_.apply(Play{});
  receive(1, {1, 0, 0});
  const Vec before = decision();
  EXPECT_EQ(receive(1, {-5, 0, 0}), Answer::kDuplicate);
  EXPECT_EQ(receive(2, {-5, 0, 0}), Answer::kUnknown);
  EXPECT_EQ(receive(0, {-5, 0, 0}), Answer::kUnknown);
  EXPECT_EQ(decision(), before);
  EXPECT_EQ(model_.ledger().settled(), 1u);
}

TEST_F(ModelTest, RefusesABadGradientAndIsThenUnchanged) {
  model_.apply(Play{});
  const Vec before = decision();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_ERROR(receive(1, {1, 2}), Code::kBadInput, "gradient must have 3 entries, the set's dimension (2 came)");
  EXPECT_ERROR(receive(1, {1, nan, 0}), Code::kBadInput,
               "gradient must be finite and at most 1e100 in size (nan came)");
  EXPECT_ERROR(receive(1, {1, 0, -2e100}), Code::kBadInput,
               "gradient must be finite and at most 1e100 in size (-2e+100 came)");
  EXPECT_ERROR(receive(1, {0, 3}, {1, 1}), Code::kBadInput, "indices must be from 0 to 2 (3 came)");
  EXPECT_ERROR(receive(1, {-1}, {1}), Code::kBadInput, "indices must be from 0 to 2 (-1 came)");
  EXPECT_ERROR(receive(1, {1, 1}, {1, 1}), Code::kBadInput, "indices must be ascending, each once (1 after 1)");
  EXPECT_ERROR(receive(1, {2, 0}, {1, 1}), Code::kBadInput, "indices must be ascending, each once (0 after 2)");
  EXPECT_ERROR(receive(1, {0, 1}, {1}), Code::kBadInput, "values must have as many entries as indices (1 and 2 came)");
  EXPECT_EQ(decision(), before);
  EXPECT_EQ(model_.ledger().outstanding(), 1u);
  EXPECT_EQ(receive(1, {1, 0, 0}), Answer::kApplied);  // its round is still open
}

TEST_F(ModelTest, AcceptsTheLargestGradientAndStaysFeasible) {
  for (int t = 1; t <= 4; ++t) {
    model_.apply(Play{});
    receive(static_cast<Round>(t), {1e100, -1e100, 1e100});
    EXPECT_TRUE(model_.set().contains(decision(), 1e-9));
  }
}

TEST_F(ModelTest, AnEmptySparseGradientCountsAsAnAnswer) {
  model_.apply(Play{});
  EXPECT_EQ(receive(1, std::vector<Index>{}, Vec{}), Answer::kApplied);
  EXPECT_EQ(receive(1, std::vector<Index>{}, Vec{}), Answer::kDuplicate);
}

// Answers only ever praise coordinate 0; the rounds that are given up punished it.
TEST(ModelCertificate, CoversRoundsThatAreGivenUp) {
  constexpr Round kPlays = 200000;
  const double eta = std::numbers::sqrt2 / std::pow(kPlays, 0.75);  // Theorem 1's
  Model model{Simplex(2), DelayedOfw<AnySet>(Simplex(2), OfwRule(eta))};
  const Vec praise = {-1, 0};
  Vec x(2);
  double loss = 0, sum = 0;
  for (Round t = 1; t <= kPlays; ++t) {
    model.apply(Play{});
    model.write(x);
    const bool answered = t % 10 == 0;
    const double g = answered ? praise[0] : 1;
    loss += g * x[0];
    sum += g;
    if (answered)
      model.apply(Gradient{t, Covector::dense(praise)});
    else
      model.apply(Expire{t});
  }
  const double regret = loss - std::min(0.0, sum);
  EXPECT_GT(regret, 0.6 * kPlays);
  ASSERT_TRUE(model.certificate().has_value());
  EXPECT_LE(regret, *model.certificate());
}

}  // namespace
}  // namespace tarry
