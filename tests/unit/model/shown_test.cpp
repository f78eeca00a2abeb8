// Rewards that say what was shown in the place of the model's choice.
#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

Model shop_model(const std::string& more = "") {
  return make_model(ModelSpec::parse(R"({"task": "choose", "features": {"capacity": 64})" + more + "}"));
}

Choosing asking(double hour) {
  return {.context = {{"hour", hour}, {"device", std::string("phone")}},
          .actions = {{"a", {{"price", 1.0}}}, {"b", {{"price", 3.0}}}, {"c", {{"price", 7.0}}}}};
}

Label reward(Round round, bool value, const std::string& id, double price) {
  return {.round = round, .label = value, .shown = ShownLater{.action = {id, {{"price", price}}}}};
}

// A round that was told at play what was shown, and one that is told it with the reward, before anything was learnt in
// between, are learnt alike.
TEST(Shown, WithTheRewardIsLearntAsIfItHadBeenSaidAtThePlay) {
  Model at_play = shop_model(), later = shop_model();
  RandomSequence random(3);
  for (Round t = 1; t <= 200; ++t) {
    const double hour = random.uniform();
    const Action taken = asking(hour).actions[t % 3];
    Choosing told = asking(hour);
    told.shown = ShownInstead{taken.id};
    at_play.choose(told);
    later.choose(asking(hour));
    const bool good = taken.id == "b";
    at_play.label(t, good);
    EXPECT_EQ(later.apply(reward(t, good, taken.id, std::get<double>(taken.features[0].value))).answer,
              Answer::kApplied);
  }
  EXPECT_EQ(later.apprentice().figures().shown, 200u);
  const auto best = [](const Model& model) { return model.clone().choose(asking(0.5)).choice->ranking; };
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(best(at_play)[i].reward, best(later)[i].reward, 0.05);
  EXPECT_GT(best(later)[1].reward, 0.9);
  EXPECT_LT(best(later)[0].reward, 0.1);
}

// While rewards are late the round has contributed what its being open said: that is taken back.
TEST(Shown, LateRewardsLearnTheActionThatWasShown) {
  Model model = shop_model();
  constexpr Round kLate = 40;
  for (Round t = 1; t <= 600; ++t) {
    model.choose(asking(static_cast<double>(t % 24)));
    if (t <= kLate) continue;
    const std::string id(1, static_cast<char>('a' + t % 3));
    model.apply(reward(t - kLate, id == "c", id, id == "a" ? 1 : id == "b" ? 3 : 7));
  }
  const auto ranking = model.choose(asking(12)).choice->ranking;
  EXPECT_GT(ranking[2].reward, 0.8);
  EXPECT_LT(ranking[1].reward, 0.2);
  EXPECT_EQ(load_snapshot(snapshot_bytes(model)).hash(), model.hash());
}

TEST(Shown, TheActionThatWasTakenIsAPlainReward) {
  Model plain = shop_model(), said = shop_model();
  for (Round t = 1; t <= 50; ++t) {
    const std::string action = plain.choose(asking(1)).choice->action;
    ASSERT_EQ(said.choose(asking(1)).choice->action, action);
    plain.label(t, action == "a");
    said.apply(Label{.round = t, .label = action == "a", .shown = ShownLater{.action = {action}}});
  }
  EXPECT_EQ(said.apprentice().figures().agreed, 50u);
  const auto a = plain.choose(asking(1)).choice->ranking, b = said.choose(asking(1)).choice->ranking;
  EXPECT_EQ(a, b);
}

TEST(Shown, FeaturesAreTheSpecificationsWhereNoneCome) {
  const std::string actions =
      R"(, "actions": [{"id": "a", "features": {"price": 1}}, {"id": "b", "features": {"price": 3}}])";
  Model listed = shop_model(actions), told = shop_model(actions);
  for (Round t = 1; t <= 30; ++t) {
    for (Model* model : {&listed, &told}) model->choose({.context = {{"x", static_cast<double>(t)}}});
    const std::string id = t % 2 == 0 ? "a" : "b";
    listed.apply(Label{.round = t, .label = id == "a", .shown = ShownLater{.action = {id}}});
    told.apply(reward(t, id == "a", id, id == "a" ? 1 : 3));
  }
  EXPECT_EQ(listed.hash(), told.hash());
}

TEST(Shown, EventsSaySoAsJsonAndAsBytes) {
  Label label = reward(7, true, "gift", 4);
  label.shown->probability = 0.25;
  const Event event = label;
  EXPECT_EQ(event_json(event),
            R"({"label": 7, "value": true, "shown": {"id": "gift", "probability": 0.25, "features": {"price": 4}}})");
  EXPECT_EQ(read_event(spec::Node(spec::parse_json(event_json(event)), "event")), event);
  const std::string bytes = event_bytes(event);
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(event_from_bytes(bytes), event);
  EXPECT_EQ(event_bytes(Label{Round{7}, true})[0], 1);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_THROW(event_from_bytes(bytes.substr(0, size)), Error);
}

TEST(Shown, WhatCannotBeIsRefusedAndChangesNothing) {
  Model model = shop_model(R"(, "rewards": "last")");
  model.choose(asking(1));
  const std::string before = model.hash();
  const auto refused = [&](const ShownLater& shown, const std::string& why) {
    try {
      model.apply(Label{.round = Round{1}, .label = true, .shown = shown});
      ADD_FAILURE() << why;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), why);
    }
    EXPECT_EQ(model.hash(), before);
  };
  refused({.action = {""}}, "shown: an id must have 1 to 1024 bytes (0 came)");
  refused({.action = {"a"}, .probability = 0}, "shown.probability must be above 0 and at most 1 (0 came)");
  refused({.action = {"d", {{"p", 1.0}, {"p", 2.0}}}}, "features.action.p is given twice");
  EXPECT_EQ(model.apply(reward(1, true, "b", 3)).answer, Answer::kApplied);
  EXPECT_EQ(model.apply(reward(1, false, "b", 3)).answer, Answer::kApplied) << "a revision";
  EXPECT_THROW(model.apply(reward(1, true, "c", 7)), Error) << "it was learnt as another action";
  Model own = shop_model(R"(, "learner": {"type": "stay"})");
  own.choose(asking(1));
  try {
    own.apply(reward(1, true, "b", 3));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUnsupported);
  }
}

}  // namespace
}  // namespace tarry
