#include "tarry/service/watch/timeline.h"

#include <gtest/gtest.h>

#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kStart = 1'794'000'000'000;

TEST(Timeline, KeepsEveryRangeAtItsOwnResolution) {
  Timeline timeline;
  for (std::int64_t s = 0; s < 3600; ++s) timeline.now(kStart + 1000 * s, [](Step& step) { ++step.decisions; });
  EXPECT_EQ(timeline.steps(0).size(), 120u);  // ten minutes
  EXPECT_EQ(timeline.steps(1).size(), 60u);   // the whole hour
  EXPECT_EQ(timeline.steps(2).size(), 6u);
  std::uint64_t in_all = 0;
  for (const Step& step : timeline.steps(1)) in_all += step.decisions;
  EXPECT_EQ(in_all, 3600u);
  EXPECT_EQ(timeline.steps(0).front().decisions, 5u);
}

TEST(Timeline, MemoryIsBounded) {
  Timeline timeline;
  for (std::int64_t minute = 0; minute < 10'000; ++minute)
    timeline.now(kStart + 60'000 * minute, [](Step& step) { ++step.feedback; });
  for (std::size_t k = 0; k < kRanges.size(); ++k)
    EXPECT_LE(timeline.steps(k).size(), static_cast<std::size_t>(kRanges[k].kept));
}

TEST(Timeline, LateFeedbackChangesTheStepOfItsDecision) {
  Timeline timeline;
  timeline.now(kStart, [](Step& step) { ++step.decisions; });
  timeline.now(kStart + 1'800'000, [](Step& step) { ++step.feedback; });
  timeline.then(kStart, [](Step& step) { ++step.answered; });
  EXPECT_EQ(timeline.steps(0).size(), 1u);  // the first range does not reach back so far, and is left alone
  EXPECT_EQ(timeline.steps(0).front().answered, 0u);
  EXPECT_EQ(timeline.steps(1).front().answered, 1u);
  EXPECT_EQ(timeline.steps(1).back().answered, 0u);
  EXPECT_EQ(timeline.steps(2).front().answered, 1u);
}

TEST(Timeline, TimesThatItNeverSawAreLeftOut) {
  Timeline timeline;
  timeline.now(kStart, [](Step& step) { ++step.decisions; });
  timeline.then(kStart - 60'000, [](Step& step) { ++step.answered; });
  timeline.then(kStart + 60'000, [](Step& step) { ++step.answered; });
  EXPECT_EQ(timeline.steps(1).size(), 1u);
  EXPECT_EQ(timeline.steps(1).front().answered, 0u);
}

TEST(Timeline, SaysWhichStepsChanged) {
  Timeline timeline;
  timeline.now(kStart, [](Step& step) { ++step.decisions; });
  timeline.now(kStart + 5000, [](Step& step) { ++step.decisions; });
  const std::uint64_t seen = timeline.revision();
  timeline.then(kStart, [](Step& step) { ++step.answered; });
  EXPECT_GT(timeline.steps(0).front().changed, seen);
  EXPECT_LE(timeline.steps(0).back().changed, seen);
}

TEST(Timeline, APointHasANumberForEachColumn) {
  Step step{.number = 7};
  step.certificate = 1.5;
  std::string text;
  append_point(text, step, 5000);
  const auto point = spec::parse_json(text);
  const auto columns = spec::parse_json(kPointColumns);
  EXPECT_EQ(std::get<spec::Array>(point.as).size(), std::get<spec::Array>(columns.as).size());  // with nulls
  EXPECT_EQ(text.substr(0, 7), "[35000,");
}

TEST(DelayTimes, CountsByPowersOfTwo) {
  DelayTimes delays;
  for (const std::int64_t ms : {-5, 0, 1, 2, 3, 4, 1000}) delays.add(ms);
  delays.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(delays.counts[0], 3u);
  EXPECT_EQ(delays.counts[1], 2u);
  EXPECT_EQ(delays.counts[2], 1u);
  EXPECT_EQ(delays.counts[9], 1u);
  EXPECT_EQ(delays.counts.back(), 1u);
  delays.counts.back() = 0;
  std::string text;
  append_counts(text, delays);
  EXPECT_EQ(text, "[3,2,1,0,0,0,0,0,0,1]");
}

}  // namespace
}  // namespace tarry::service
