// Rounds that teach nothing until they are activated, and rankings that a repeated key gets again.
#include <gtest/gtest.h>

#include <limits>

#include "tarry/base/error.h"
#include "tarry/hosting/hosted_model.h"

namespace tarry::hosting {
namespace {

const char* const kMenu = R"({"task": "choose", "reward": "number", "features": {"capacity": 16}})";

Play asking(const std::string& key) {
  Play play{.key = key};
  play.choosing = Choosing{.context = {{"x", 1.0}}, .actions = {{"a"}, {"b"}}};
  return play;
}

class Deferred : public ::testing::Test {
 protected:
  Folded apply(Event event, bool deferred = false) {
    const Folded folded = model_.apply({.incarnation = 1, .event = std::move(event), .deferred = deferred}, 7);
    if (folded.fate == Fate::kApplied) model_.at(++position_);
    return folded;
  }
  Activated activate(Round round) { return model_.activate({.incarnation = 1, .round = round}); }
  Folded reward(const std::string& key, double value) { return apply(Label{key, value}); }

  // The same model, saved and loaded.
  HostedModel again() const {
    ByteWriter out;
    model_.save(out);
    const std::string bytes = out.take();
    ByteReader in(bytes);
    HostedModel loaded = HostedModel::load(in);
    in.expect_end();
    ByteWriter twice;
    loaded.save(twice);
    EXPECT_EQ(twice.take(), bytes);
    return loaded;
  }

  HostedModel model_ = made();
  Position position_ = 1;

 private:
  static HostedModel made() {
    HostedModel model("menu", kMenu);
    model.created(1);
    return model;
  }
};

TEST_F(Deferred, KeepsItsRewardUntilItIsActivated) {
  apply(asking("e"), true);
  const std::string before = model_.model().hash();
  const Folded held = reward("e", 1);
  EXPECT_TRUE(held.held);
  EXPECT_EQ(model_.model().hash(), before);
  EXPECT_EQ(reward("e", 1).fate, Fate::kDuplicate);
  EXPECT_EQ(reward("e", 0).fate, Fate::kConflict);
  model_ = again();
  EXPECT_TRUE(model_.is_deferred(1));
  const Activated done = activate(1);
  EXPECT_EQ(done.fate, Fate::kApplied);
  ASSERT_EQ(done.passed.size(), 1u);
  EXPECT_EQ(done.passed[0].folded.fate, Fate::kApplied);
  EXPECT_EQ(model_.model().ledger().settled(), 1u);
  EXPECT_EQ(activate(1).fate, Fate::kDuplicate);
  EXPECT_EQ(activate(2).fate, Fate::kUnknown);
  EXPECT_EQ(reward("e", 1).fate, Fate::kDuplicate);
}

// As they would be if the round were active: what is kept back is learnt on activation, all of it.
TEST_F(Deferred, RefusesARewardThatTheModelWouldRefuse) {
  apply(asking("e"), true);
  apply(asking("active"));
  Label part{std::string("e"), 1.0}, timed{std::string("e"), 1.0}, features{std::string("e"), 1.0};
  part.revising.part = "one";
  timed.revising.now = std::numeric_limits<double>::quiet_NaN();
  features.features = NamedFeatures{{"x", 1.0}};
  for (const Label& bad : {part, timed, features, Label{std::string("e"), 1e60}, Label{std::string("e"), "soup"}}) {
    Label same = bad;
    same.round = std::string("active");
    std::string held, told;
    try {
      apply(bad);
    } catch (const Error& error) {
      held = error.what();
      EXPECT_EQ(error.code(), Code::kBadInput);
    }
    try {
      apply(same);
    } catch (const Error& error) {
      told = error.what();
    }
    EXPECT_NE(told, "");
    EXPECT_EQ(held, told);
  }
  Label revised{std::string("e"), 2.0};
  revised.revising.revise = true;
  EXPECT_EQ(apply(Label{std::string("e"), 1.0}).fate, Fate::kApplied);
  EXPECT_EQ(apply(revised).fate, Fate::kConflict) << "nothing is revisable here";
  EXPECT_EQ(activate(1).passed.size(), 1u);
  EXPECT_EQ(apply(revised).fate, Fate::kConflict);
}

TEST_F(Deferred, KeepsPartsOfASumEachOnce) {
  model_ =
      HostedModel("menu", R"({"task": "choose", "reward": "number", "rewards": "sum", "features": {"capacity": 16}})");
  model_.created(1);
  apply(asking("e"), true);
  const auto part = [&](const std::string& name, double value) {
    Label label{std::string("e"), value};
    label.revising.part = name;
    return apply(label).fate;
  };
  EXPECT_THROW(reward("e", 1), Error) << "a part must have a name";
  EXPECT_EQ(part("one", 1), Fate::kApplied);
  EXPECT_EQ(part("two", 2), Fate::kApplied);
  EXPECT_EQ(part("one", 1), Fate::kDuplicate);
  EXPECT_EQ(part("two", 1), Fate::kConflict);
  EXPECT_THROW(part("three", 1e60), Error);
  EXPECT_EQ(activate(1).passed.size(), 2u);
  EXPECT_EQ(part("two", 2), Fate::kDuplicate);
}

TEST_F(Deferred, IsLearntAtOnceWhereItWasActivatedBefore) {
  apply(asking("e"), true);
  EXPECT_TRUE(activate(1).passed.empty());
  EXPECT_FALSE(reward("e", 1).held);
  EXPECT_EQ(model_.model().ledger().settled(), 1u);
}

TEST_F(Deferred, IsNoLongerWhenItIsVoid) {
  apply(asking("e"), true);
  reward("e", 1);
  apply(Void{Round{1}});
  EXPECT_FALSE(model_.is_deferred(1));
  EXPECT_EQ(activate(1).fate, Fate::kDuplicate);
  EXPECT_EQ(model_.model().ledger().settled(), 0u);
  again();
}

TEST_F(Deferred, TakesNoRewardThatIsNone) {
  apply(asking("e"), true);
  EXPECT_THROW(reward("e", std::numeric_limits<double>::quiet_NaN()), Error);
  EXPECT_TRUE(activate(1).passed.empty());
}

TEST_F(Deferred, NeedsAWaitInSeconds) {
  HostedModel rounds("menu", R"({"task": "choose", "features": {"capacity": 16}, "expiry": {"rounds": 3}})");
  rounds.created(1);
  EXPECT_THROW(rounds.apply({.incarnation = 1, .event = asking("e"), .deferred = true}, 7), Error);
  EXPECT_EQ(rounds.model().ledger().issued(), 0u);
}

TEST_F(Deferred, ARepeatedKeyHasItsRanking) {
  const PlayReply first = apply(asking("e")).reply.value();
  for (int i = 0; i < 5; ++i) {
    const std::string key = std::to_string(i);
    apply(asking(key));
    reward(key, i % 2);
  }
  model_ = again();
  PlayReply repeated = apply(asking("e")).reply.value();
  EXPECT_EQ(repeated.answer, Answer::kDuplicate);
  repeated.answer = Answer::kApplied;
  EXPECT_EQ(repeated, first);
  EXPECT_EQ(first.choice->ranking.size(), 2u);
}

}  // namespace
}  // namespace tarry::hosting
