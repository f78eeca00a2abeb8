#include "tarry/lab/report/leaderboard.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/lab/report/results.h"
#include "tarry/spec/toml.h"

namespace tarry::lab {
namespace {

// An experiment that has these delays; the rest of it is not looked at.
Experiment with_delays(const std::string& delays) {
  return read_experiment(
      spec::parse_toml("rounds = 5\n[set]\ntype = \"l2_ball\"\ndimension = 1\nradius = 1\n[stream]\n"
                       "type = \"constant\"\ndimension = 1\n" +
                       delays + "[[learners]]\ntype = \"auto\"\n"));
}

const std::string kNoneAndFixed =
    "[[delays]]\nname = \"off\"\ntype = \"none\"\n[[delays]]\ntype = \"fixed\"\ndelay = 3\n";

GroupSummary group(const std::string& delay, const std::string& learner, const std::string& metric, double value,
                   double lost = 0) {
  GroupSummary g;
  g.stream = "s";
  g.delay = delay;
  g.learner = learner;
  g.metrics[metric] = value;
  g.lost_share = lost;
  return g;
}

std::vector<std::string> ranking(const Leaderboard& board) {
  std::vector<std::string> names;
  for (const LeaderboardRow& row : board.rows) names.push_back(row.learner);
  return names;
}

using Names = std::vector<std::string>;

TEST(Leaderboard, RanksAndComparesWithNoDelay) {
  const auto boards = leaderboards(with_delays(kNoneAndFixed),
                                   {group("off", "a", "rmse", 2), group("off", "b", "rmse", 4),
                                    group("fixed 3", "a", "rmse", 6, 0.25), group("fixed 3", "b", "rmse", 5)});
  ASSERT_EQ(boards.size(), 2u);
  EXPECT_EQ(ranking(boards[0]), (Names{"a", "b"}));
  EXPECT_FALSE(boards[0].compared_to);
  EXPECT_FALSE(boards[0].rows[0].undelayed);
  EXPECT_EQ(ranking(boards[1]), (Names{"b", "a"}));
  EXPECT_EQ(boards[1].compared_to, "off");
  EXPECT_EQ(boards[1].rows[0].undelayed, 4);
  EXPECT_DOUBLE_EQ(*boards[1].rows[0].lateness, 0.25);
  EXPECT_DOUBLE_EQ(*boards[1].rows[1].lateness, 2);
  EXPECT_EQ(boards[1].rows[1].lost, 0.25);
}

TEST(Leaderboard, MoreWealthIsBetter) {
  const auto boards = leaderboards(with_delays(kNoneAndFixed),
                                   {group("off", "a", "wealth", 20), group("off", "b", "wealth", 8),
                                    group("fixed 3", "a", "wealth", 5), group("fixed 3", "b", "wealth", 10)});
  EXPECT_EQ(ranking(boards[0]), (Names{"a", "b"}));
  EXPECT_EQ(ranking(boards[1]), (Names{"b", "a"}));
  EXPECT_DOUBLE_EQ(*boards[1].rows[0].lateness, -0.25);  // it gained by the delay
  EXPECT_DOUBLE_EQ(*boards[1].rows[1].lateness, 0.75);
}

TEST(Leaderboard, MoreGainIsBetter) {
  const auto boards =
      leaderboards(with_delays(kNoneAndFixed), {group("off", "a", "gain", 2), group("off", "b", "gain", 8)});
  EXPECT_EQ(ranking(boards[0]), (Names{"b", "a"}));
}

TEST(Leaderboard, WhatIsNoNumberComesLast) {
  const auto boards =
      leaderboards(with_delays(kNoneAndFixed),
                   {group("off", "a", "log_loss", NAN), group("off", "b", "log_loss", 1),
                    group("fixed 3", "a", "log_loss", INFINITY), group("fixed 3", "b", "log_loss", 0.5)});
  EXPECT_EQ(ranking(boards[0]), (Names{"b", "a"}));
  EXPECT_EQ(ranking(boards[1]), (Names{"b", "a"}));
  EXPECT_FALSE(boards[1].rows[1].lateness);
}

TEST(Leaderboard, OnlyADelayThatLosesNothingIsTheUndelayedOne) {
  const auto boards = leaderboards(with_delays("[[delays]]\ntype = \"none\"\nlost = 0.5\n[[delays]]\ntype = \"fixed\"\n"
                                               "delay = 1\n"),
                                   {group("none 0.5", "a", "rmse", 2), group("fixed 1", "a", "rmse", 4)});
  ASSERT_EQ(boards.size(), 2u);
  for (const Leaderboard& board : boards) EXPECT_FALSE(board.compared_to);
}

TEST(Leaderboard, StreamsWithoutPredictionsHaveNone) {
  EXPECT_TRUE(leaderboards(with_delays(kNoneAndFixed), {group("off", "a", "accuracy", 1)}).empty());
}

}  // namespace
}  // namespace tarry::lab
