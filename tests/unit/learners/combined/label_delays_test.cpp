#include "tarry/learners/combined/label_delays.h"

#include <gtest/gtest.h>

#include <cmath>
#include <queue>

#include "tarry/base/random.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

struct Waiting {
  double due;
  Round round;
  std::size_t kind;
  bool operator<(const Waiting& other) const { return due > other.due; }
};

// Plays rounds of two classes, whose labels take so long in the mean; calls at(round, delays) before each play.
template <class At>
LabelDelays play(Round rounds, double share_of_1, double mean_0, double mean_1, At at) {
  LabelDelays delays;
  RandomSequence random(11);
  std::priority_queue<Waiting> waiting;
  for (Round t = 1; t <= rounds; ++t) {
    for (; !waiting.empty() && waiting.top().due < static_cast<double>(t); waiting.pop())
      delays.receive(waiting.top().round, waiting.top().kind);
    at(t, delays);
    delays.play();
    const std::size_t kind = random.uniform() < share_of_1 ? 1 : 0;
    const double mean = kind == 1 ? mean_1 : mean_0;
    waiting.push({static_cast<double>(t) - mean * std::log(1 - random.uniform()), t, kind});
  }
  return delays;
}

TEST(LabelDelays, CountsTheClassThatIsLateForMore) {
  play(1500, 0.4, 50, 1500, [](Round t, const LabelDelays& delays) {
    if (t != 1500) return;
    EXPECT_GT(delays.weights()[1], 1.3);
    EXPECT_LT(delays.weights()[0], 1);
    EXPECT_LT(delays.trust(), 0.7);
  });
}

TEST(LabelDelays, IsFairToBothOnceAllThatIsOldIsAnswered) {
  const LabelDelays delays = play(30000, 0.4, 50, 1500, [](Round, const LabelDelays&) {});
  for (double weight : delays.weights()) EXPECT_NEAR(weight, 1, 0.01);
  EXPECT_GT(delays.trust(), 0.98);
}

TEST(LabelDelays, LeavesLabelsAloneWhoseDelaysSayNothing) {
  play(4000, 0.4, 300, 300, [](Round t, const LabelDelays& delays) {
    if (t > 1000) {
      EXPECT_GT(delays.trust(), 0.7) << t;
    }
  });
}

// One round in two waits for longer than anybody has seen, and those that were answered are nearly all of class 0,
// whatever their delay: what the others are is not known, so they count as either.
TEST(LabelDelays, TakesWhatStaysOpenForAnyClass) {
  LabelDelays delays;
  RandomSequence random(7);
  std::priority_queue<Waiting> waiting;
  for (Round t = 1; t <= 1000; ++t) {
    for (; !waiting.empty() && waiting.top().due < static_cast<double>(t); waiting.pop())
      delays.receive(waiting.top().round, waiting.top().kind);
    delays.play();
    const std::size_t kind = random.uniform() < 0.06 ? 1 : 0;
    const double delay = std::exp(6 * random.uniform());  // as many from 1 to 2 as from 128 to 256
    if (t % 2 == 0) waiting.push({static_cast<double>(t) + delay, t, kind});
  }
  EXPECT_GT(delays.weights()[1], 3);
  EXPECT_LT(delays.weights()[0], 0.9);
}

TEST(LabelDelays, ForgetsRoundsThatAreGivenUp) {
  LabelDelays delays;
  for (Round t = 1; t <= 200; ++t) delays.play();
  for (Round t = 1; t <= 100; ++t) delays.receive(t, 0);
  for (Round t = 101; t <= 200; ++t) delays.abandon(t);
  EXPECT_NEAR(delays.receive(50, 0), 1, 1e-2);
}

TEST(LabelDelays, KeepsLittleHoweverLongItRuns) {
  const auto bytes = [](Round rounds) {
    ByteWriter out;
    play(rounds, 0.4, 5, 20, [](Round, const LabelDelays&) {}).save(out);
    return out.size();
  };
  EXPECT_LT(bytes(40000), 16384u);
}

TEST(LabelDelays, ContinuesFromASnapshotBitForBit) {
  LabelDelays delays = play(700, 0.4, 20, 200, [](Round, const LabelDelays&) {});
  ByteWriter out;
  delays.save(out);
  LabelDelays copy;
  ByteReader in(out.bytes());
  copy.load(in);
  in.expect_end();
  for (Round t = 1; t <= 20; ++t) {
    delays.play();
    copy.play();
    EXPECT_EQ(delays.receive(t, t % 3), copy.receive(t, t % 3));
    EXPECT_EQ(delays.trust(), copy.trust());
  }
}

TEST(LabelDelays, RefusesASnapshotThatCannotBe) {
  LabelDelays delays;
  delays.play();
  ByteWriter out;
  delays.save(out);
  std::string bytes = out.bytes();
  bytes[7] = '\x7f';  // more rounds than there can be
  LabelDelays copy;
  ByteReader in(bytes);
  EXPECT_EQ(thrown_by([&] { copy.load(in); }).code, Code::kCorrupt);
}

}  // namespace
}  // namespace tarry
