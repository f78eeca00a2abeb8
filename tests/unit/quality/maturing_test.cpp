#include "tarry/quality/maturing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tarry/base/random.h"

namespace tarry::quality {
namespace {

constexpr std::int64_t kFirst = 1'794'000'000'000, kMinute = 60'000;

// A decision every ten seconds, whose label takes `wait` minutes on average; losses by `loss(time)`, those of late
// labels larger by `late`.
struct World {
  double wait = 60, late = 0, lost = 0;
  double stops = 1e9;  // hours after which no label comes any more
  double turn = 0;     // hours after which late labels lose less instead, and so on
  double (*loss)(double hours) = [](double) { return 1.0; };
  double gain = 0.5;
};

struct Seen {
  Maturing maturing;
  std::int64_t now = kFirst;
  std::map<std::int64_t, std::pair<double, double>>
      all;  // by span of four hours: labels and losses, also those to come
};

Seen play(const World& world, double hours, std::uint64_t seed = 1) {
  Seen seen;
  RandomSequence random(seed);
  std::multimap<std::int64_t, std::pair<std::int64_t, Judged>> coming;
  const std::int64_t end = kFirst + static_cast<std::int64_t>(60 * hours) * kMinute;
  for (; seen.now < end; seen.now += 10'000) {
    const bool stopped = seen.now > kFirst + static_cast<std::int64_t>(world.stops * 60) * kMinute;
    for (; !stopped && !coming.empty() && coming.begin()->first <= seen.now; coming.erase(coming.begin())) {
      const auto& [then, of] = *coming.begin();
      seen.maturing.answered(of.first, then, 0, of.second);
    }
    seen.maturing.decided(seen.now, 0);
    if (seen.now % (10 * kMinute) == 0) seen.maturing.review(seen.now);
    if (random.uniform() < world.lost) continue;
    const double share = random.uniform();
    const auto wait = static_cast<std::int64_t>(-world.wait * std::log(1 - share) * kMinute);
    const double hour = static_cast<double>(seen.now - kFirst) / (60 * kMinute);
    const bool turned = world.turn > 0 && static_cast<int>(hour / world.turn) % 2 == 1;
    const double late = turned ? -world.late : world.late;
    const double mean = world.loss(hour) + (share > 0.5 ? late : 0);
    const double loss = mean * (0.5 + random.uniform());
    coming.insert({seen.now + wait, {seen.now, {loss, world.gain + random.uniform() - 0.5}}});
    auto& [labels, losses] = seen.all[(seen.now - kFirst) / (240 * kMinute)];
    ++labels;
    losses += loss;
  }
  return seen;
}

TEST(Maturing, SaysNothingBeforeItsHistoryIsTwiceAsLongAsLabelsTake) {
  const Seen seen = play({.wait = 60}, 3);
  EXPECT_TRUE(std::isnan(seen.maturing.lately(seen.now).loss.expected));
  EXPECT_FALSE(std::isnan(seen.maturing.lately(seen.now).loss.so_far));
}

TEST(Maturing, ExpectsWhatLateLabelsWillLose) {
  const Seen seen = play({.wait = 240, .late = 2}, 96);
  const Prospect lately = seen.maturing.lately(seen.now, 300);
  EXPECT_LT(lately.share(), 0.9);
  EXPECT_NEAR(lately.loss.expected, 2, 0.15);           // half of the labels lose 1, the late half 3
  EXPECT_LT(lately.loss.so_far, lately.loss.expected);  // those that came are the early ones
  EXPECT_LT(lately.loss.low, 2);
  EXPECT_GT(lately.loss.high, 2);
  EXPECT_NEAR(lately.gain.expected, 0.5, 0.05);
  EXPECT_GT(lately.gain.low, 0);
}

TEST(Maturing, KnowsWhatShareOfDecisionsHasItsLabelByAge) {
  const Seen young = play({.wait = 60}, 3), seen = play({.wait = 240, .lost = 0.4}, 96);
  EXPECT_FALSE(young.maturing.matured(60 * kMinute, young.now));
  EXPECT_NEAR(*seen.maturing.matured(240 * kMinute, seen.now), 0.6 * (1 - std::exp(-1)), 0.04);
  EXPECT_NEAR(*seen.maturing.matured(10'000 * kMinute, seen.now), 0.6, 0.03);
}

TEST(Maturing, LabelsThatNeverComeAreNotAwaited) {
  const Seen seen = play({.wait = 240, .lost = 0.4}, 96);
  const Prospect lately = seen.maturing.lately(seen.now, 300);
  EXPECT_LT(lately.share(), 0.95);
  EXPECT_NEAR((lately.labels + lately.to_come) / lately.decisions, 0.6, 0.03);
}

TEST(Maturing, FollowsALossThatChangesFasterThanTheLastCompleteSpans) {
  const Seen seen = play({.wait = 120, .loss = [](double hours) { return 1 + 0.5 * std::sin(hours / 4); }}, 240);
  for (const Checks& checks : seen.maturing.checks()) {
    ASSERT_GT(checks.estimates, 50) << checks.share;
    EXPECT_LT(checks.off, 0.8 * checks.last_known_off) << checks.share;
    EXPECT_GE(checks.within, 0.9) << checks.share;
  }
}

TEST(Maturing, IntervalsHoldWhereNothingChangesAndAreNotWide) {
  double estimates = 0, within = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Seen seen = play({.wait = 120}, 120, seed);
    for (const Checks& checks : seen.maturing.checks()) {
      estimates += checks.estimates;
      within += checks.estimates * checks.within;
    }
    const Prospect lately = seen.maturing.lately(seen.now, 1000);
    EXPECT_LT(lately.loss.high - lately.loss.low, 0.2);
  }
  ASSERT_GT(estimates, 100);
  EXPECT_GE(within / estimates, 0.93);
}

// What early labels say is wrong for late ones, now in one direction and now in the other: intervals learn that.
TEST(Maturing, IntervalsBecomeWiderWhereTheyFail) {
  const Seen seen = play({.wait = 120, .late = 2, .turn = 18, .loss = [](double) { return 3.0; }}, 400);
  double estimates = 0, within = 0;
  for (const Checks& checks : seen.maturing.checks()) {
    estimates += checks.estimates;
    within += checks.estimates * checks.within;
  }
  ASSERT_GT(estimates, 200);
  EXPECT_GE(within / estimates, 0.8);  // 0.09 where nothing is learnt from failures
}

TEST(Maturing, ASourceOfLabelsThatStopsIsSeenWithinTheirUsualWait) {
  const auto overdue = [](const World& world, double hours) {
    const Seen seen = play(world, hours);
    return seen.maturing.arrivals(seen.now).overdue();
  };
  EXPECT_FALSE(overdue({.wait = 60, .lost = 0.3, .stops = 100}, 100));
  EXPECT_TRUE(overdue({.wait = 60, .lost = 0.3, .stops = 100}, 103));
}

TEST(Maturing, NobodyIsAlarmedWhereLabelsComeAsTheyDo) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const double hours : {30.0, 47.0, 90.0}) {
      const Seen seen = play({.wait = 90, .lost = 0.5}, hours, seed);
      alarms += seen.maturing.arrivals(seen.now).overdue();
    }
  }
  EXPECT_EQ(alarms, 0);
}

TEST(Maturing, MemoryIsBoundedAndSpansReachBackAsFarAsLabelsTake) {
  const Seen seen = play({.wait = 600}, 400);
  EXPECT_LE(seen.maturing.spans(seen.now).size(), 256u);
  EXPECT_GE(256 * seen.maturing.span_ms(), 4 * seen.maturing.losses().nearly_all_ms());
}

TEST(Maturing, WhatWasDecidedBeforeTheWatchBeganIsOnlyLearntFrom) {
  Maturing maturing;
  maturing.decided(kFirst, 0);
  maturing.answered(kFirst - 1'000'000, kFirst + 1, 0, {1, 1});
  EXPECT_EQ(maturing.spans(kFirst + 2).front().labels, 0);
  EXPECT_EQ(maturing.losses().labels(), 1);
  maturing.answered(kFirst, kFirst + 2, 0, {std::nan(""), 1});
  EXPECT_EQ(maturing.losses().labels(), 1);
}

TEST(CheckedInterval, FailsAsOftenAsItMayWhateverComes) {
  RandomSequence random(3);
  for (const double scale : {0.5, 1.0, 4.0}) {  // deviations that were too large, right, and far too small
    CheckedInterval interval;
    for (int i = 0; i < 4000; ++i) interval.check(scale * std::fabs(random.gaussian()));
    EXPECT_NEAR(interval.failed() / interval.checked(), CheckedInterval::kAllowed, 0.015) << scale;
  }
}

// Chargebacks: bad ones are known after 50 to 140 minutes, all others at once a little later. The first labels of a
// span are all bad, as always, and say nothing about the others.
TEST(Maturing, EarlyLabelsOfOneKindAreNoBadSign) {
  Maturing maturing;
  RandomSequence random(3);
  std::multimap<std::int64_t, std::pair<std::int64_t, double>> coming;
  for (std::int64_t now = kFirst; now < kFirst + 200 * 60 * kMinute; now += 2'000) {
    for (; !coming.empty() && coming.begin()->first <= now; coming.erase(coming.begin()))
      maturing.answered(coming.begin()->second.first, coming.begin()->first, 0, {coming.begin()->second.second, 0});
    maturing.decided(now, 0);
    if (now % kMinute == 0) maturing.review(now);
    const bool bad = random.uniform() < ((now - kFirst) / (300 * kMinute) % 2 == 0 ? 0.01 : 0.05);
    const double minutes = bad ? 50 + 90 * random.uniform() : 141.2;
    coming.insert({now + static_cast<std::int64_t>(minutes * kMinute), {now, bad ? 1 : 0}});
  }
  for (const Checks& checks : maturing.checks()) {
    if (checks.estimates < 20) continue;
    EXPECT_LT(checks.off, 0.01) << checks.share;
    EXPECT_GE(checks.within, 0.9) << checks.share;
  }
  EXPECT_GE(maturing.checks().front().estimates, 20);
}

// Spans become longer than labels take where decisions are few: what is missing then is of the newest decisions.
TEST(Maturing, TheNewestDecisionsOfALongSpanHaveNotWaitedAsLongAsItsMiddle) {
  Maturing maturing;
  RandomSequence random(1);
  std::multimap<std::int64_t, std::pair<std::int64_t, double>> coming;
  std::int64_t now = kFirst;
  const auto ends = [&] { return maturing.span_ms() > 240 * kMinute && now % maturing.span_ms() < kMinute; };
  for (int minute = 0; minute < 60'000 || !ends(); ++minute, now += kMinute) {
    for (; !coming.empty() && coming.begin()->first <= now; coming.erase(coming.begin()))
      maturing.answered(coming.begin()->second.first, coming.begin()->first, 0, {coming.begin()->second.second, 0});
    if (ends() && minute >= 60'000) break;
    maturing.decided(now, 0);
    const double wait = 60 * random.uniform();
    coming.insert({now + static_cast<std::int64_t>(wait * kMinute), {now, wait}});
    if (minute % 10 == 0) maturing.review(now);
  }
  const Prospect newest = maturing.spans(now).back();
  EXPECT_NEAR(newest.to_come, static_cast<double>(coming.size()), 4);
  double loss = newest.loss.so_far * newest.labels;
  for (const auto& [then, of] : coming) loss += of.second;
  EXPECT_NEAR(newest.loss.expected, loss / newest.decisions, 0.5);
  EXPECT_GT(newest.loss.expected, newest.loss.so_far + 0.5);
}

// Bookings: those that are cancelled are known first, and how many there are changes from hour to hour while the others
// hardly change. The first intervals, before any could be checked, must know that late labels may be different.
TEST(Maturing, TheFirstIntervalsHoldWhereMostlyEarlyLabelsChange) {
  double estimates = 0, within = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Maturing maturing;
    RandomSequence random(seed);
    std::multimap<std::int64_t, std::pair<std::int64_t, double>> coming;
    double today = 1;
    for (std::int64_t now = kFirst; now < kFirst + 60 * 60 * kMinute; now += 10'000) {
      if ((now - kFirst) % (60 * kMinute) == 0) today = 3 * random.uniform();
      for (; !coming.empty() && coming.begin()->first <= now; coming.erase(coming.begin()))
        maturing.answered(coming.begin()->second.first, coming.begin()->first, 0, {coming.begin()->second.second, 0});
      maturing.decided(now, 0);
      if (now % (10 * kMinute) == 0) maturing.review(now);
      const double minutes = 600 * random.uniform();
      const double loss = (minutes < 300 ? today : 1 + (today - 1) / 5) + random.uniform() - 0.5;
      coming.insert({now + static_cast<std::int64_t>(minutes * kMinute), {now, loss}});
    }
    for (const Checks& checks : maturing.checks()) {
      estimates += checks.estimates;
      within += checks.estimates * checks.within;
    }
  }
  ASSERT_GT(estimates, 100);
  EXPECT_GE(within / estimates, 0.9);
}

}  // namespace
}  // namespace tarry::quality
