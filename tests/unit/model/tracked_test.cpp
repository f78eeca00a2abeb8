// Models that keep only some of the rounds that wait.
#include "tarry/theory/tracked.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sanitized.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string spec(const std::string& learner, const std::string& more) {
  return R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": )" + learner + more + "}";
}

const std::string kOgd = R"({"type": "delayed_ogd", "eta": 0.1})";

Model tracking(const std::string& tracked, const std::string& learner = kOgd) {
  return make_model(ModelSpec::parse(spec(learner, R"(, "tracked": )" + tracked)));
}

std::size_t size_of(const Model& model) {
  ByteWriter out;
  model.save(out);
  return out.bytes().size();
}

TEST(Tracked, AMillionPlaysWithoutLabelsTakeNoMoreMemory) {
  Model model = tracking("64");
  std::size_t early = 0;
  const int rounds = cases(1'000'000);
  for (int t = 1; t <= rounds; ++t) {
    model.play();
    ASSERT_LE(model.ledger().outstanding(), 64u);
    if (t == rounds / 10) early = size_of(model);
  }
  EXPECT_EQ(model.ledger().untracked() + model.ledger().outstanding(), static_cast<std::uint64_t>(rounds));
  EXPECT_LT(static_cast<double>(size_of(model)), 1.2 * static_cast<double>(early));
}

// Answers between rounds that were not kept must not make the set of those grow for ever.
TEST(Tracked, MemoryStaysBoundedWhereSomeLabelsCome) {
  Model model = tracking("16");
  std::size_t largest = 0;
  for (Round t = 1; t <= static_cast<Round>(cases(1'000'000)); ++t) {
    model.play();
    if (t % 3 == 0) model.receive(t, Covector::dense(Vec{1, 0}));
    if (t % 50'000 == 0) largest = std::max(largest, size_of(model));
  }
  EXPECT_LT(largest, std::size_t{4} << 20);
  EXPECT_EQ(model.receive(1, Covector::dense(Vec{1, 0})).answer, Answer::kUntracked);
}

TEST(Tracked, FeedbackOfARoundThatWasNotKeptIsUntracked) {
  Model model = tracking("2");
  Vec before(2), after(2);
  int untracked = 0;
  for (Round t = 1; t <= 20; ++t) model.play(std::nullopt, "k" + std::to_string(t));
  for (Round t = 1; t <= 20; ++t) {
    model.write(before);
    const Gradient gradient{"k" + std::to_string(t), Vec{1, 0}};
    const Model::Outcome outcome = model.apply(gradient);
    if (outcome.answer == Answer::kApplied) continue;
    ASSERT_EQ(name_of(outcome.answer), "untracked");
    model.write(after);
    EXPECT_EQ(before, after);
    EXPECT_EQ(reply_json(model, gradient, outcome),
              R"({"key": "k)" + std::to_string(t) + R"(", "answer": "untracked"})");
    ++untracked;
  }
  EXPECT_EQ(untracked, 18);
  EXPECT_FALSE(model.certificate().has_value());
}

TEST(Tracked, AGradientIsDividedByTheChanceThatItsRoundWasKept) {
  Model model = tracking("8");
  for (int t = 1; t <= 100; ++t) model.play();
  const Round oldest = model.ledger().oldest_outstanding();
  const double chance = model.ledger().peek(oldest)->chance;
  ASSERT_LT(chance, 0.5);
  model.receive(oldest, Covector::dense(Vec{0.01, 0}));
  model.play();
  EXPECT_NEAR(model.decision()[0], -0.1 * 0.01 / chance, 1e-12);
}

TEST(Tracked, WhatIsDroppedIsDroppedEverywhere) {
  Model model = tracking("8", R"({"type": "bold", "base": )" + kOgd + "}");
  for (int t = 1; t <= 300; ++t) model.play(std::nullopt, "k" + std::to_string(t));
  EXPECT_LE(model.learner().instances(), 9u);
  EXPECT_EQ(model.keys().lists().open.size(), model.ledger().outstanding());
}

TEST(Tracked, NothingChangesWhileThereIsRoom) {
  Model model = tracking("10"), whole = make_model(ModelSpec::parse(spec(kOgd, "")));
  for (Model* each : {&model, &whole})
    for (Round t = 1; t <= 200; ++t) {
      each->play();
      if (t > 9) each->receive(t - 9, Covector::dense(Vec{std::sin(static_cast<double>(t)), 1}));
    }
  EXPECT_EQ(model.decision(), whole.decision());
  EXPECT_EQ(model.certificate(), whole.certificate());
}

// Two halves of a game through a snapshot are the game.
TEST(Tracked, ContinuesFromASnapshotBitForBit) {
  const auto go = [](Model& model, Round from, Round to) {
    for (Round t = from; t <= to; ++t) {
      model.play();
      if (t % 2 == 0 && t > 30)
        model.receive(t - 30 + t % 7, Covector::dense(Vec{1, std::cos(static_cast<double>(t))}));
      if (t % 97 == 0) model.expire(t - 5);
    }
  };
  for (const std::string& learner :
       {kOgd, std::string(R"({"type": "gauge_ftrl"})"), std::string(R"({"type": "bold", "base": )") + kOgd + "}"}) {
    Model whole = tracking(R"({"rounds": 12, "seed": 5})", learner), first = whole.clone();
    go(whole, 1, 700);
    go(first, 1, 350);
    Model second = first.clone();
    EXPECT_EQ(second.hash(), first.hash());
    go(second, 351, 700);
    EXPECT_EQ(second.hash(), whole.hash()) << learner;
    EXPECT_GT(whole.ledger().untracked(), 100u);
  }
}

// Theorem 21.2, in the mean over seeds, on sign blocks longer than what is tracked.
TEST(Tracked, RegretIsBelowTheTheoremsInTheMean) {
  constexpr Round kRounds = 400, kDelay = 100;
  const double eta = std::sqrt(1.0 / (2.0 * kDelay * kRounds));
  const int seeds = cases(200);
  double mean = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    Model model = tracking(R"({"rounds": 10, "seed": )" + std::to_string(seed) + "}",
                           R"({"type": "delayed_ogd", "eta": )" + std::to_string(eta) + "}");
    Vec x(2);
    double loss = 0, sum = 0;
    for (Round t = 1; t <= kRounds; ++t) {
      const auto slope = [](Round k) { return (k / kDelay) % 4 == 1 ? -1.0 : 1.0; };
      model.play();
      model.write(x);
      loss += slope(t) * x[0];
      sum += slope(t);
      if (t >= kDelay) model.receive(t - kDelay + 1, Covector::dense(Vec{slope(t - kDelay + 1), 0}));
    }
    mean += (loss + std::fabs(sum)) / seeds;
  }
  double waiting = 0;
  for (Round t = 1; t <= kRounds; ++t) waiting += static_cast<double>(std::min(kDelay, t) - 1);
  const double square = kRounds * theory::tracked_square(9, kRounds, kDelay);
  EXPECT_LT(mean, theory::tracked_ogd(2, eta, 1, square, waiting));
  EXPECT_GT(mean, 0);
}

TEST(Tracked, RefusesWhatItCannotKeep) {
  const auto refused = [](const std::string& more) {
    return thrown_by([&] { make_model(ModelSpec::parse(spec(kOgd, more))); }).message;
  };
  for (const std::string bad : {"1", "0", "2.5", "\"many\"", "{\"seed\": 3}"})
    EXPECT_NE(refused(R"(, "tracked": )" + bad).find("2 or more"), std::string::npos) << bad;
  EXPECT_NE(refused(R"(, "tracked": {"rounds": 9, "sed": 3})").find("sed"), std::string::npos);
  EXPECT_EQ(ModelSpec::parse(spec(kOgd, R"(, "tracked": {"rounds": 9, "seed": 0})")).json(),
            ModelSpec::parse(spec(kOgd, R"(, "tracked": 9)")).json());
}

}  // namespace
}  // namespace tarry
