#include "tarry/quality/drift.h"

#include <gtest/gtest.h>

#include <set>

#include "tarry/base/error.h"
#include "unit/quality/planted_week.h"

namespace tarry::quality {
namespace {

using planted::Fault;
using planted::Week;

std::size_t alarms_of(const Drift& drift, DriftKind kind) { return drift.raised(kind); }

std::uint64_t all_alarms(const Drift& drift) {
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kDriftKinds; ++k) all += drift.raised(static_cast<DriftKind>(k));
  return all;
}

Drift played(const Week& week, double days, std::uint64_t seed = 1) {
  Drift drift;
  planted::play(week, days, seed, drift);
  return drift;
}

// E-values that are 1 on average and often large: 50 with probability 1/50, otherwise 0; or near 1.
TEST(EDetector, RaisesNoMoreFalseAlarmsThanItsBudget) {
  RandomSequence draw(3);
  for (const double large : {50.0, 2.0, 1.2}) {
    EDetector detector;
    double alarms = 0;
    constexpr int kSteps = 200'000;
    constexpr double kBudget = 0.002;
    for (int t = 0; t < kSteps; ++t) alarms += detector.step(kBudget, draw.uniform() < 1 / large ? large : 0);
    EXPECT_LT(alarms, kBudget * kSteps * 1.25) << large;
  }
}

TEST(EDetector, NoticesEvidenceThatPilesUp) {
  EDetector detector;
  for (int t = 0; t < 100; ++t) EXPECT_FALSE(detector.step(1e-6, 0.8));
  int steps = 1;
  while (!detector.step(1e-6, 10)) ++steps;
  EXPECT_EQ(steps, 6);
}

TEST(ScoreRanks, GivesUniformRanksWhateverTheDistribution) {
  RandomSequence draw(5);
  for (const double power : {1.0, 8.0}) {
    ScoreRanks ranks;
    double bets = 0, below = 0;
    constexpr int kScores = 20'000;
    for (int t = 0; t < kScores; ++t) {
      const double score = std::exp(power * draw.gaussian());
      const double p = ranks.p_value(score, draw.uniform());
      bets += ScoreRanks::bet(p);
      below += p < 0.1;
      ranks.add(score);
    }
    EXPECT_NEAR(below / kScores, 0.1, 0.01);
    EXPECT_LT(bets / kScores, 1.1);
  }
}

TEST(Bins, NumbersThatManyValuesHaveAreBinsOfTheirOwn) {
  Bins bins;
  for (int k = 0; k < 200; ++k) bins.learn(k % 2 == 0 ? 0.0 : 7.0, 0.5);
  bins.fix();
  EXPECT_NE(bins.bin_of(0.0), bins.bin_of(7.0));
  EXPECT_NE(bins.bin_of(0.0), bins.bin_of(-1.0));
  EXPECT_NE(bins.bin_of(7.0), bins.bin_of(8.0));
  EXPECT_EQ(bins.bin_of(std::string_view("x")), kOtherBin);
}

TEST(Bins, KeepTheMostFrequentWords) {
  Bins bins;
  for (int k = 0; k < 200; ++k) bins.learn(std::string_view(k % 3 == 0 ? "rare" : "often"), 0.5);
  bins.fix();
  EXPECT_EQ(bins.name_of(0).word, "often");
  EXPECT_EQ(bins.bin_of(std::string_view("rare")), 1u);
  EXPECT_EQ(bins.bin_of(std::string_view("never")), kOtherBin);
  EXPECT_EQ(bins.bin_of(3.0), kOtherBin);
}

struct Planted {
  Fault fault;
  DriftKind kind;
  const char* column;
  BinName::Kind bin;
};
class EachFault : public testing::TestWithParam<Planted> {};

TEST_P(EachFault, IsNoticedAndNamedWithinTwoDays) {
  const auto& [fault, kind, column, bin] = GetParam();
  const Drift drift = played({.a_day = 2000, .fault = fault, .begins_days = 16}, 18);
  ASSERT_EQ(alarms_of(drift, kind), 1u);
  const std::int64_t begins = planted::kFirst + 16 * planted::kDay;
  for (const Alarm& alarm : drift.alarms()) {
    EXPECT_GT(alarm.raised_ms, begins);
    if (alarm.kind != kind) continue;
    EXPECT_EQ(alarm.column, column);
    EXPECT_GT(alarm.since_ms, begins - planted::kDay / 4);
    EXPECT_LT(alarm.since_ms, alarm.raised_ms);
    EXPECT_EQ(alarm.over_ms, 0);
    if (kind == DriftKind::kFeature) {
      EXPECT_EQ(alarm.difference.bin.kind, bin);
    }
    if (fault == Fault::kMissing || fault == Fault::kOtherWord) {
      EXPECT_LT(alarm.difference.usual, 0.01);  // never seen before the fault
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Drift, EachFault,
                         testing::Values(Planted{Fault::kMissing, DriftKind::kFeature, "amount", BinName::kMissing},
                                         Planted{Fault::kOtherWord, DriftKind::kFeature, "country", BinName::kOther},
                                         Planted{Fault::kShifted, DriftKind::kFeature, "amount", BinName::kFrom},
                                         Planted{Fault::kNewName, DriftKind::kNewNames, "amuont", BinName::kIs},
                                         Planted{Fault::kPrediction, DriftKind::kPrediction, "", BinName::kOther},
                                         Planted{Fault::kSlower, DriftKind::kDelay, "", BinName::kOther},
                                         Planted{Fault::kNoClass, DriftKind::kLabel, "", BinName::kOther},
                                         Planted{Fault::kOutage, DriftKind::kArrivals, "", BinName::kOther}));

// One false alarm a year is allowed: in these two and a half years together there were none.
TEST(Drift, IsQuietWithoutAFault) {
  const Week weeks[] = {{.a_day = 1000},
                        {.a_day = 1000, .seasonal = false},
                        {.a_day = 1000, .skewed = true},
                        {.a_day = 1000, .lost = 0.5},
                        {.a_day = 30},
                        {.a_day = 1000, .wait_hours = 60}};
  std::uint64_t alarms = 0;
  for (const Week& week : weeks)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) alarms += all_alarms(played(week, 60, seed));
  EXPECT_LE(alarms, 2u);
}

TEST(Drift, SaysNothingWhileItLearns) {
  const Drift drift = played({.a_day = 1000, .fault = Fault::kOutage, .begins_days = 5}, 8);
  EXPECT_EQ(all_alarms(drift), 0u);
  EXPECT_EQ(drift.learns_until_ms() / planted::kDay, (planted::kFirst + 8 * planted::kDay) / planted::kDay);
}

// Three weeks, a decision every two minutes; then every second one has no amount.
TEST(Drift, AnAlarmNamesRoundsBehindIt) {
  Drift drift;
  RandomSequence draw(7);
  std::set<std::uint64_t> without;
  std::uint64_t round = 0;
  const std::int64_t breaks = planted::kFirst + 21 * planted::kDay;
  for (std::int64_t now = planted::kFirst; now < breaks + planted::kDay; now += 120'000) {
    drift.decided(now, ++round);
    if (now >= breaks && round % 2 == 0)
      without.insert(round);
    else
      drift.feature("amount", draw.uniform());
    drift.feature("hour", static_cast<double>(now % planted::kDay / planted::kHour));
  }
  ASSERT_EQ(drift.lasting(DriftKind::kFeature), 1u);
  const Alarm& alarm = drift.alarms().back();
  EXPECT_EQ(alarm.column, "amount");
  EXPECT_EQ(alarm.number, 1u);
  EXPECT_NEAR(alarm.difference.now, 0.5, 0.01);
  EXPECT_LT(alarm.difference.usual, 0.001);
  EXPECT_EQ(alarm.rounds.size(), Drift::kMostRounds);
  for (const std::uint64_t behind : alarm.rounds) EXPECT_TRUE(without.contains(behind)) << behind;
  ByteWriter out;
  drift.save(out);
  const std::string bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(Drift::load(in).alarms().back().rounds, alarm.rounds);
}

TEST(Drift, AnAlarmIsOverWhenAllIsAsUsualAgain) {
  const Drift drift = played({.fault = Fault::kMissing, .begins_days = 16, .ends_days = 18}, 21);
  ASSERT_EQ(alarms_of(drift, DriftKind::kFeature), 1u);
  const Alarm& alarm = drift.alarms().front();
  EXPECT_GT(alarm.over_ms, planted::kFirst + 18 * planted::kDay);
  EXPECT_EQ(drift.lasting(DriftKind::kFeature), 0u);
}

TEST(Drift, WhatLastsAWeekIsUsualFromThenOn) {
  const Drift drift = played({.fault = Fault::kMissing, .begins_days = 16}, 35);
  EXPECT_EQ(alarms_of(drift, DriftKind::kFeature), 1u);
  EXPECT_EQ(drift.lasting(DriftKind::kFeature), 0u);
}

TEST(Drift, HoursInWhichNobodyWasThereAreNoOutage) {
  Drift drift;
  planted::play({.a_day = 2000}, 16, 1, drift);
  const std::int64_t later = planted::kFirst + 19 * planted::kDay;
  drift.advance(later);
  drift.decided(later + 1);
  EXPECT_EQ(all_alarms(drift), 0u);
}

std::string bytes_of(const Drift& drift) {
  ByteWriter out;
  drift.save(out);
  return out.take();
}

TEST(Drift, GoesOnFromSavedBytes) {
  const Drift drift = played({.a_day = 500, .fault = Fault::kMissing, .begins_days = 12}, 15);
  const std::string bytes = bytes_of(drift);
  ByteReader in(bytes);
  Drift loaded = Drift::load(in);
  in.expect_end();
  EXPECT_EQ(bytes_of(loaded), bytes);
  EXPECT_EQ(loaded.alarms().size(), drift.alarms().size());
  EXPECT_LT(bytes.size(), 40'000u);
}

TEST(Drift, DamagedBytesAreRefused) {
  const std::string bytes = bytes_of(played({.a_day = 300, .fault = Fault::kMissing, .begins_days = 12}, 14));
  RandomSequence draw(9);
  for (int k = 0; k < 300; ++k) {
    std::string damaged = bytes;
    if (k % 2 == 0)
      damaged.resize(draw.below(bytes.size()));
    else
      damaged[draw.below(bytes.size())] ^= static_cast<char>(1 + draw.below(255));
    try {
      ByteReader in(damaged);
      Drift loaded = Drift::load(in);
      loaded.decided(planted::kFirst + 15 * planted::kDay);
      loaded.advance(planted::kFirst + 16 * planted::kDay);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt);
    }
  }
}

}  // namespace
}  // namespace tarry::quality
