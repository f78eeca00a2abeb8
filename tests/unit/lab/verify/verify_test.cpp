#include "tarry/lab/verify/verify.h"

#include <gtest/gtest.h>

#include "sanitized.h"

namespace tarry::lab {
namespace {

TEST(Verification, FailsWhenAnyCheckDoes) {
  const BoundCheck within{
      .learner = "a", .set = "b", .delay = "c", .adversary = "d", .rounds = 1, .regret = 1, .bound = 2};
  BoundCheck above = within, infeasible = within, without = within, unexpected = within;
  above.regret = 2.01;
  infeasible.feasible = false;
  without.bound.reset();
  unexpected.has_theorem = false;
  EXPECT_TRUE(within.passed());
  for (const BoundCheck& bad : {above, infeasible, without, unexpected}) {
    EXPECT_FALSE(bad.passed());
    Verification result;
    result.bounds = {within, bad};
    EXPECT_FALSE(result.passed());
  }
  BoundCheck no_theorem = without;
  no_theorem.has_theorem = false;
  EXPECT_TRUE(no_theorem.passed());
}

TEST(Verification, AnAnswerIsTwoSided) {
  AnswerCheck answer{.instance = "i", .learner = "l", .measured = 1.1, .exact = 1, .tolerance = 0.2};
  EXPECT_TRUE(answer.passed());
  answer.measured = 1.3;
  EXPECT_FALSE(answer.passed());
  answer.measured = 0.7;
  EXPECT_FALSE(answer.passed()) << "too good is wrong too";
  answer.must_differ = true;
  EXPECT_TRUE(answer.passed());
  answer.measured = 1;
  EXPECT_FALSE(answer.passed()) << "a planted fault that is not seen";
  Verification result;
  result.answers = {answer};
  EXPECT_FALSE(result.passed());
}

TEST(Verification, ARateMayNotExceedTheTheorysAndOnAHardInstanceNotFallBelow) {
  RateCheck rate{.learner = "l", .instance = "i", .fitted = 0.74, .theory = 0.75};
  EXPECT_TRUE(rate.passed());
  rate.fitted = 0.3;
  EXPECT_TRUE(rate.passed());
  rate.exact = true;
  EXPECT_FALSE(rate.passed());
  rate.fitted = 0.81;
  EXPECT_FALSE(rate.passed());
  Verification result;
  result.rates = {rate};
  EXPECT_FALSE(result.passed());
}

// A stream whose sign a learner could read off earlier feedback: the check of SPEC §6, instance 3, must see it.
TEST(Verify, EveryTenthCheckRunsCleanly) {
  if (!kSanitized) GTEST_SKIP() << "all of them are played in tests/e2e/verify_test.py";
  const VerifyEffort effort{.quick = true, .climb = 10};
  Verification result;
  for (const Jobs& part : {answer_jobs(true, result.answers), rate_jobs(true, result.rates),
                           pool_jobs(true, result.pools), climb_jobs(effort, result.climbs)})
    for (std::size_t i = 0; i < part.size(); i += 10) part[i]();
  std::vector<BoundCheck> drawn, labelled;
  for (const Jobs& part : {bound_jobs(true, drawn), label_jobs(true, labelled)})
    for (std::size_t i = 0; i < part.size(); i += 10) part[i]();
}

// The other checks are played by the program, in tests/e2e/verify_test.py.
TEST(Verify, AnswersAreExactAndThePlantedLeakIsSeen) {
  if (kSanitized) GTEST_SKIP() << "the plain build judges them all";
  std::vector<AnswerCheck> answers;
  for (const auto& job : answer_jobs(true, answers)) job();
  int leaks = 0;
  for (AnswerCheck check : answers) {
    EXPECT_TRUE(check.passed()) << check.instance << ", " << check.learner << ": " << check.measured;
    if (!check.must_differ) continue;
    ++leaks;
    check.must_differ = false;  // the same numbers as an honest learner's would fail
    EXPECT_FALSE(check.passed());
    EXPECT_LT(check.measured, check.exact);
  }
  EXPECT_GE(leaks, 1);
}

TEST(WithRounds, ReplacesEveryMark) { EXPECT_EQ(with_rounds("a $T b $T", 12), "a 12 b 12"); }

}  // namespace
}  // namespace tarry::lab
