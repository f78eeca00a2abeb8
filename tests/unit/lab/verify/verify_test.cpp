#include "tarry/lab/verify/verify.h"

#include <gtest/gtest.h>

#include <mutex>

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
  if (!kSanitized) GTEST_SKIP() << "all of them are played below";
  const VerifyEffort effort{.quick = true, .climb = 10};
  Verification result;
  for (const Jobs& part : {answer_jobs(true, result.answers), rate_jobs(true, result.rates),
                           pool_jobs(true, result.pools), climb_jobs(effort, result.climbs)})
    for (std::size_t i = 0; i < part.size(); i += 10) part[i]();
  std::vector<BoundCheck> drawn, labelled;
  for (const Jobs& part : {bound_jobs(true, drawn), label_jobs(true, labelled)})
    for (std::size_t i = 0; i < part.size(); i += 10) part[i]();
}

TEST(Verify, QuickPassesAndSawItsPlantedLeak) {
  if (kSanitized) GTEST_SKIP() << "the plain build judges them all";
  std::mutex mutex;
  std::size_t calls = 0, last = 0, total = 0;
  const Verification result = verify({.quick = true}, [&](std::size_t done, std::size_t of) {
    const std::lock_guard lock(mutex);
    ++calls;
    EXPECT_EQ(done, last + 1);
    last = done;
    total = of;
  });
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(calls, total);
  EXPECT_GT(result.bounds.size(), 1000u);
  EXPECT_GT(result.rates.size(), 4u);
  int leaks = 0;
  for (AnswerCheck check : result.answers) {
    EXPECT_TRUE(check.passed()) << check.instance << ", " << check.learner << ": " << check.measured;
    if (!check.must_differ) continue;
    ++leaks;
    check.must_differ = false;  // the same numbers as an honest learner's would fail
    EXPECT_FALSE(check.passed());
    EXPECT_LT(check.measured, check.exact);
  }
  EXPECT_GE(leaks, 1);
  for (const BoundCheck& check : result.bounds)
    EXPECT_TRUE(check.passed()) << check.learner << " on " << check.set << ", " << check.delay << ", "
                                << check.adversary;
}

TEST(WithRounds, ReplacesEveryMark) { EXPECT_EQ(with_rounds("a $T b $T", 12), "a 12 b 12"); }

}  // namespace
}  // namespace tarry::lab
