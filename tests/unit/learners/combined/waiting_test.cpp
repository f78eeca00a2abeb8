#include "tarry/learners/combined/waiting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "tarry/base/random.h"

namespace tarry {
namespace {

constexpr double kNever = 1e18;

// Rounds of two classes, looked at again as a model does. `delay` of a round and its class; kNever: no label.
struct Course {
  Round rounds;
  std::function<std::size_t(Round, RandomSequence&)> kind;
  std::function<double(Round, std::size_t, RandomSequence&)> delay;
  std::function<double(Round)> prediction = [](Round) { return 0.0; };
};

Waiting played(const Course& course, std::optional<Default> otherwise = std::nullopt) {
  Waiting waiting(2, otherwise);
  RandomSequence random(7);
  std::multimap<double, std::pair<Round, std::size_t>> due;
  std::vector<bool> open(course.rounds + 1, true);
  for (Round t = 1; t <= course.rounds; ++t) {
    for (; !due.empty() && due.begin()->first < static_cast<double>(t); due.erase(due.begin())) {
      const auto [k, kind] = due.begin()->second;
      open[k] = false;
      waiting.came(k, course.prediction(k), kind);
    }
    waiting.play(course.prediction(t));
    for (std::size_t look = 0; age_at(look) < t; ++look)
      if (const Round k = t - age_at(look); open[k]) waiting.came_of_age(look, course.prediction(k));
    const std::size_t kind = course.kind(t, random);
    const double delay = course.delay(t, kind, random);
    if (delay < kNever) due.emplace(static_cast<double>(t) + delay, std::pair(t, kind));
  }
  return waiting;
}

double exponential(RandomSequence& random, double mean) { return -mean * std::log(1 - random.uniform()); }

std::size_t look_at(Round age) {
  std::size_t look = 0;
  while (age_at(look + 1) <= age) ++look;
  return look;
}

// By how much the odds of class 1 grow, in logarithms, for a round that is open at that age.
double odds(const Waiting& waiting, Round age, double prediction = 0) {
  Vec says(2);
  waiting.says(look_at(age), prediction, says);
  return says[1] - says[0];
}

std::size_t third(Round, RandomSequence& random) { return random.uniform() < 0.3 ? 1 : 0; }

TEST(Waiting, SaysThatOpenRoundsAreOfTheClassThatIsLate) {
  const Waiting waiting = played({20000, third, [](Round, std::size_t kind, RandomSequence& random) {
                                    return exponential(random, kind == 1 ? 1000 : 100);
                                  }});
  EXPECT_NEAR(odds(waiting, 256), 256 * (1.0 / 100 - 1.0 / 1000), 0.5);  // ln of e^{−256/1000} / e^{−256/100}
  EXPECT_GT(odds(waiting, 256), odds(waiting, 64));
}

TEST(Waiting, SaysNothingWhereDelayAndClassAreIndependent) {
  const Waiting waiting =
      played({20000, third, [](Round, std::size_t, RandomSequence& random) { return exponential(random, 300); }});
  for (Round age = 16; age <= 1024; age *= 2) EXPECT_NEAR(odds(waiting, age), 0, 0.1) << age;
}

TEST(Waiting, SaysNothingWhereLabelsAreLostAtRandom) {
  const Waiting waiting =
      played({20000, [](Round, RandomSequence& random) -> std::size_t { return random.uniform() < 0.01; },
              [](Round, std::size_t, RandomSequence& random) {
                return random.uniform() < 0.1 ? kNever : exponential(random, 300);
              }});
  for (Round age = 16; age <= 8192; age *= 2) EXPECT_NEAR(odds(waiting, age), 0, 0.15) << age;
}

// A feature causes both; within a stratum of the prediction the class says nothing about the delay.
TEST(Waiting, DoesNotBlameTheClassForWhatThePredictionKnows) {
  const auto late = [](Round t) { return t % 5 == 0; };
  const Waiting waiting = played(
      {20000, [&](Round t, RandomSequence& random) -> std::size_t { return random.uniform() < (late(t) ? 0.7 : 0.02); },
       [&](Round t, std::size_t, RandomSequence& random) { return exponential(random, late(t) ? 2000 : 50); },
       [&](Round t) { return late(t) ? 0.85 : -3.9; }});
  for (Round age = 64; age <= 2048; age *= 2) EXPECT_NEAR(odds(waiting, age, 0.85), 0, 0.2) << age;
}

// Conversions: a yes comes soon, a no when the window ends, which has not happened yet.
TEST(Waiting, TakesWhatStaysOpenForAClassThatWasNeverSeen) {
  const Waiting waiting = played({2000, third, [](Round, std::size_t kind, RandomSequence& random) {
                                    return kind == 1 ? exponential(random, 100) : 5000;
                                  }});
  EXPECT_LT(odds(waiting, 1024), -2);
}

TEST(Waiting, TakesLabelsThatStillComeForAllRounds) {  // one class so far, and no sign of another
  const Waiting waiting = played({400, [](Round, RandomSequence&) -> std::size_t { return 0; },
                                  [](Round, std::size_t, RandomSequence& random) { return exponential(random, 300); }});
  EXPECT_LT(odds(waiting, 256), 1);
}

// No labels come for a while, of any class: rounds that are open now say nothing.
TEST(Waiting, IsSilentWhileNothingComesAtAll) {
  const auto delay = [](Round t, std::size_t kind, RandomSequence& random) {
    return t > 10000 ? kNever : exponential(random, kind == 1 ? 200 : 100);
  };
  EXPECT_GT(odds(played({10000, third, delay}), 256), 0.5);
  EXPECT_LT(std::fabs(odds(played({11000, third, delay}), 256)), 0.1);
}

TEST(Waiting, BelievesWhatItIsToldOfTheEnd) {
  const Course nothing_yet{2000, third, [](Round, std::size_t, RandomSequence&) { return 5000.0; }};
  EXPECT_EQ(odds(played(nothing_yet), 1024), 0);
  EXPECT_LT(odds(played(nothing_yet, Default{0, 5000}), 1024), -0.1);
  EXPECT_GT(odds(played(nothing_yet, Default{1, 5000}), 1024), 0.1);
}

TEST(Waiting, KeepsLittleHoweverLongItRuns) {
  const auto size = [](Round rounds) {
    ByteWriter out = ByteWriter::counting();
    played({rounds, third, [](Round, std::size_t, RandomSequence& random) { return exponential(random, 5); }})
        .save(out);
    return out.size();
  };
  EXPECT_EQ(size(40000), size(20000));
  EXPECT_LT(size(20000), 40000u);
}

TEST(Waiting, ContinuesFromASnapshotBitForBit) {
  const Waiting waiting = played({3000, third, [](Round, std::size_t kind, RandomSequence& random) {
                                    return exponential(random, kind == 1 ? 1000 : 100);
                                  }});
  ByteWriter out;
  waiting.save(out);
  Waiting again(2);
  ByteReader in(out.bytes());
  again.load(in);
  in.expect_end();
  ByteWriter twice;
  again.save(twice);
  EXPECT_EQ(out.bytes(), twice.bytes());
  EXPECT_EQ(odds(waiting, 256), odds(again, 256));
}

}  // namespace
}  // namespace tarry
