// How far trees are believed: cohorts of 32 rounds, in which trees lose by 0.1 less than the banks, or more.
#include "tarry/learners/combined/tree_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr TreeTrial::Steps kAhead = {-0.4, -0.1, -0.2, -0.3}, kFarBehind = {4, 1, 2, 3}, kLevel = {};

double belief(const TreeTrial& trial) {
  double sum = 0;
  for (double odds : trial.odds(0.25)) sum += odds;
  return sum;
}

std::size_t bytes_of(const TreeTrial& trial) {
  ByteWriter out;
  trial.save(out);
  return out.size();
}

TEST(TreeTrial, TreesAreBelievedOnceTheyAreSurelyAhead) {
  TreeTrial trial;
  const double before = belief(trial);
  EXPECT_LT(before, 0.03);
  for (Round t = 1; t <= 320; ++t) {
    trial.play();
    trial.came(t, kAhead);
  }
  EXPECT_GT(belief(trial), 100 * before);
  EXPECT_GT(trial.odds(0.25)[0], 100 * trial.odds(0.25)[1]);  // and of the steps the one that lost least
}

TEST(TreeTrial, WhatIsAheadByChanceIsNotBelieved) {
  TreeTrial trial;
  const double before = belief(trial);
  for (Round t = 1; t <= 320; ++t) {  // 0.1 ahead in the mean, by 3 and −2.8
    trial.play();
    TreeTrial::Steps noisy;
    noisy.fill(t % 2 == 0 ? 2.8 : -3.0);
    trial.came(t, noisy);
  }
  EXPECT_LT(belief(trial), before);
}

TEST(TreeTrial, LabelsThatComeFirstWaitForTheOthersOfTheirCohort) {
  TreeTrial trial;
  const double before = belief(trial);
  const auto early = [](Round t) { return t % 4 != 0; };
  for (Round t = 1; t <= 640; ++t) {
    trial.play();
    if (t > 30 && early(t - 30)) trial.came(t - 30, kAhead);
  }
  EXPECT_EQ(belief(trial), before);
  for (Round t = 1; t <= 320; ++t)
    if (!early(t)) trial.came(t, kFarBehind);
  EXPECT_LT(belief(trial), before);
}

TEST(TreeTrial, LabelsThatNeverComeAreNotWaitedForForEver) {
  TreeTrial trial, given_up;
  const double before = belief(trial);
  for (Round t = 1; t <= 6400; ++t) {
    trial.play();
    given_up.play();
    if (t > 100 && t % 4 != 0) trial.came(t - 100, kAhead);
    if (t > 640) continue;
    if (t % 4 == 0)
      given_up.gone(t);
    else
      given_up.came(t, kAhead);
    if (t == 640) {
      EXPECT_EQ(belief(trial), before);
      EXPECT_GT(belief(given_up), 100 * before);
    }
  }
  EXPECT_GT(belief(trial), 100 * before);
}

TEST(TreeTrial, WhereLabelsAreLostAtRandomNobodyWaitsForThem) {
  TreeTrial trial;
  Round t = 0;
  const auto play = [&](Round rounds, const TreeTrial::Steps& behind) {
    for (; rounds > 0; --rounds) {
      trial.play();
      if (++t > 20 && t % 8 != 0) trial.came(t - 20, behind);  // one in eight is lost
    }
  };
  play(4096, kLevel);
  const double before = belief(trial);
  play(640, kAhead);
  EXPECT_GT(belief(trial), 100 * before);
  play(640, kFarBehind);
  EXPECT_LT(belief(trial), before);
}

// What an earlier version wrote ends where it begins to say how many labels are lost.
TEST(TreeTrial, GoesOnFromWhatAnEarlierVersionSaved) {
  TreeTrial trial;
  for (Round t = 1; t <= 640; ++t) {
    trial.play();
    if (t > 70) trial.came(t - 70, kAhead);
  }
  ByteWriter out;
  trial.save(out);
  std::string bytes(out.bytes());
  bytes.resize(bytes.size() - (2 + 3 * 10) * 8);  // of rounds 1, 2 to 3, … 512 to 640
  TreeTrial again;
  ByteReader in(bytes);
  again.load(in, false);
  EXPECT_EQ(trial.odds(0.25), again.odds(0.25));
  for (TreeTrial* one : {&trial, &again}) {
    one->play();
    one->came(641, kFarBehind);
  }
  EXPECT_EQ(trial.odds(0.25), again.odds(0.25));
}

TEST(TreeTrial, WhatTreesWereAheadFades) {
  TreeTrial trial;
  Round t = 0;
  const auto play = [&](Round rounds, const TreeTrial::Steps& behind) {
    for (; rounds > 0; --rounds) {
      trial.play();
      trial.came(++t, behind);
    }
    return belief(trial);
  };
  const double ahead = play(640, kAhead), later = play(8192, kLevel);
  EXPECT_LT(later, ahead / 1000);
}

TEST(TreeTrial, MemoryDoesNotGrowWithHowLateLabelsAre) {
  TreeTrial trial;
  std::size_t most = 0;
  for (Round t = 1; t <= 40'000; ++t) {
    trial.play();
    if (t > 20'000) trial.came(t - 20'000, kAhead);
    most = std::max(most, t % 1000 == 0 ? bytes_of(trial) : 0);
  }
  EXPECT_LT(most, 16'000U);
  EXPECT_GT(belief(trial), 1);
}

TEST(TreeTrial, IsSavedWhole) {
  TreeTrial trial;
  for (Round t = 1; t <= 5000; ++t) {
    trial.play();
    if (t > 70 && t % 9 != 0) trial.came(t - 70, kAhead);
  }
  ByteWriter out;
  trial.save(out);
  TreeTrial again;
  ByteReader in(out.bytes());
  again.load(in, true);
  for (TreeTrial* one : {&trial, &again}) one->came(4950, kFarBehind);
  EXPECT_EQ(trial.odds(0.25), again.odds(0.25));
  EXPECT_EQ(bytes_of(trial), bytes_of(again));
  std::string wrong(out.bytes());
  wrong[0] = static_cast<char>(wrong[0] + 1);  // one more round than the cohorts have
  wrong[1] = static_cast<char>(wrong[1] + 1);
  ByteReader bad(wrong);
  EXPECT_THROW(again.load(bad, true), Error);
}

}  // namespace
}  // namespace tarry
