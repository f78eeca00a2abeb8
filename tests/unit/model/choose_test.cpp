#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <deque>
#include <map>

#include "tarry/base/random.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/replay.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

const std::string kSmallChooser = R"({"task": "choose", "features": {"capacity": 64}})";

Model chooser(const std::string& spec = kSmallChooser) { return make_model(ModelSpec::parse(spec)); }

Event event_in(const std::string& json) {
  const spec::Value value = spec::parse_json(json);
  return read_event(spec::Node(value, "event"));
}

Choosing menu(const std::string& weather) {
  return {.context = {{"weather", weather}}, .actions = {{"ice"}, {"soup", {{"price", 3.0}}}, {"tea"}}};
}

Choosing excluding(std::vector<std::string> ids) {
  Choosing asked = menu("sun");
  asked.exclude = std::move(ids);
  return asked;
}

Choosing instead(const std::string& id, std::optional<double> probability = std::nullopt) {
  Choosing asked = menu("sun");
  asked.shown = ShownInstead{id, probability};
  return asked;
}

// Rounds whose rewards come late: a history with everything in it.
std::vector<Event> choices(int rounds) {
  std::vector<Event> events;
  for (int t = 1; t <= rounds; ++t) {
    Play play{.key = t % 3 == 0 ? "k" + std::to_string(t) : "", .choosing = menu(t % 2 == 0 ? "sun" : "rain")};
    if (t % 5 == 0) play.choosing->exclude = {"tea"};
    if (t % 7 == 0) play.choosing->shown = ShownInstead{"soup", 0.25};
    events.emplace_back(std::move(play));
    if (t % 11 == 0) events.emplace_back(Void{static_cast<Round>(t - 8)});
    if (t > 9) events.emplace_back(Label{static_cast<Round>(t - 9), t % 4 == 0});
  }
  return events;
}

TEST(Choose, SaysWhatItChoseAndHowLikelyEachWas) {
  Model model = chooser();
  const Model::Outcome outcome = model.choose(menu("sun"));
  ASSERT_TRUE(outcome.choice);
  const Choice& choice = *outcome.choice;
  ASSERT_EQ(choice.ranking.size(), 3u);
  for (const RankedAction& each : choice.ranking) {
    EXPECT_NEAR(each.probability, 1.0 / 3, 1e-12);
    EXPECT_EQ(each.reward, 0.5);
    EXPECT_TRUE(each.id != choice.action || choice.probability == each.probability);
  }
  EXPECT_EQ(model.ledger().outstanding(), 1u);
  EXPECT_EQ(model.label(outcome.round, true).answer, Answer::kApplied);
}

TEST(Choose, DrawsByItsProbabilities) {
  Model model =
      chooser(R"({"task": "choose", "features": {"capacity": 64}, "explore": {"type": "epsilon", "epsilon": 0.6}})");
  std::vector<double> expected(3), seen(3);
  const int rounds = std::getenv("TARRY_SOAK") != nullptr ? 1'000'000 : 3000;
  for (int t = 0; t < rounds; ++t) {
    const Model::Outcome outcome = model.choose(menu("sun"));
    for (std::size_t a = 0; a < 3; ++a) {
      expected[a] += outcome.choice->ranking[a].probability;
      seen[a] += outcome.choice->ranking[a].id == outcome.choice->action;
    }
    if (t < 3000)
      model.label(outcome.round, outcome.choice->action == "tea");
    else
      model.declare_void(outcome.round);
  }
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(seen[a], expected[a], 5 * std::sqrt(expected[a])) << a;
}

TEST(Choose, TheSameHistoryChoosesTheSame) {
  Model one = chooser(), two = chooser();
  Model seeded = chooser(R"({"task": "choose", "features": {"capacity": 64}, "seed": 9})");
  bool other = false;
  for (const Event& event : choices(60)) {
    const Model::Outcome a = one.apply(event), b = two.apply(event_from_bytes(event_bytes(event)));
    const Model::Outcome c = seeded.apply(event);
    EXPECT_EQ(a.choice, b.choice);
    other = other || a.choice != c.choice;
  }
  EXPECT_EQ(one.hash(), two.hash());
  EXPECT_TRUE(other);
}

TEST(Choose, ALogIsReplayed) {
  Model model = chooser();
  Replay replay;
  replay.line(R"({"format": "tarry-replay/2", "model": )" + kSmallChooser + "}");
  for (const Event& event : choices(40)) {
    const Model::Outcome outcome = model.apply(event);
    EXPECT_EQ(replay.line(event_json(event)), reply_json(model, event, outcome));
  }
  EXPECT_EQ(replay.model().hash(), model.hash());
}

TEST(Choose, GoesOnFromASnapshot) {
  Model model = chooser();
  const std::vector<Event> events = choices(60);
  std::optional<Model> loaded;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i == events.size() / 2) loaded.emplace(load_snapshot(snapshot_bytes(model), ModelSpec::parse(kSmallChooser)));
    const Model::Outcome outcome = model.apply(events[i]);
    EXPECT_TRUE(!loaded || loaded->apply(events[i]).choice == outcome.choice);
  }
  EXPECT_EQ(loaded->hash(), model.hash());
}

TEST(Choose, ARepeatedKeyGetsTheSameAction) {
  Model model = chooser();
  const Model::Outcome first = model.choose(menu("sun"), "a");
  for (int t = 0; t < 20; ++t) model.label(model.choose(menu("sun")).round, true);
  model.label(first.round, false);
  const std::string before = model.hash();
  const Model::Outcome again = model.choose(menu("sun"), "a");
  EXPECT_EQ(again.answer, Answer::kDuplicate);
  EXPECT_EQ(again.round, first.round);
  EXPECT_EQ(again.choice->action, first.choice->action);
  EXPECT_EQ(again.choice->probability, first.choice->probability);
  EXPECT_EQ(model.hash(), before);
  EXPECT_ERROR(model.choose(menu("rain"), "a"), Code::kConflict, "key \"a\" was played in round 1 with other features");
}

TEST(Choose, WhatIsExcludedKeepsItsPlaceAndIsNeverChosen) {
  Model model = chooser();
  for (int t = 0; t < 50; ++t) {
    const Choice choice = *model.choose(excluding({"soup"})).choice;
    EXPECT_NE(choice.action, "soup");
    EXPECT_EQ(choice.ranking[1].id, "soup");
    EXPECT_EQ(choice.ranking[1].probability, 0);
    EXPECT_NEAR(choice.ranking[0].probability + choice.ranking[2].probability, 1, 1e-12);
  }
}

TEST(Choose, WhatWasShownIsLearntFrom) {
  Model told = chooser();
  for (int t = 0; t < 60; ++t) {
    const Model::Outcome outcome = told.choose(instead(t % 2 == 0 ? "ice" : "tea", 0.5));
    EXPECT_EQ(outcome.choice->shown, t % 2 == 0 ? "ice" : "tea");
    told.label(outcome.round, t % 2 == 0);
  }
  const Choice choice = *told.choose(menu("sun")).choice;
  EXPECT_GT(choice.ranking[0].reward, 0.7);
  EXPECT_LT(choice.ranking[2].reward, 0.3);
}

TEST(Choose, ActionsMayStandInTheSpecification) {
  Model model = chooser(
      R"({"task": "choose", "features": {"capacity": 64}, "actions": ["a", {"id": "b", "features": {"x": 1}}]})");
  const Choice choice = *model.choose({.context = {{"hour", 3.0}}}).choice;
  ASSERT_EQ(choice.ranking.size(), 2u);
  EXPECT_EQ(choice.ranking[1].id, "b");
  EXPECT_EQ(ModelSpec::parse(model.spec()).json(), model.spec());
}

TEST(Choose, EventsAreTheSameAgain) {
  Play play{.key = "k", .round = 1, .times = {5.0, 9.0}, .choosing = instead("tea", 0.5)};
  play.choosing->exclude = {"ice"};
  EXPECT_EQ(event_in(event_json(play)), Event(play));
  EXPECT_EQ(event_from_bytes(event_bytes(play)), Event(play));
  EXPECT_EQ(event_bytes(play)[0], 3);
  EXPECT_EQ(event_bytes(Play{.times = {5.0, 9.0}})[0], 2);
  EXPECT_EQ(event_bytes(Play{})[0], 1);
  EXPECT_EQ(event_in(R"({"choose": true, "context": {"x": 1}, "actions": ["a"], "shown": "a"})"),
            event_in(R"({"play": true, "context": {"x": 1}, "actions": [{"id": "a"}], "shown": {"id": "a"}})"));
}

TEST(Choose, RepliesAreTheSameAgain) {
  Model model = chooser();
  const Play play{.choosing = instead("tea")};
  const PlayReply reply = reply_to_play(model, play, model.apply(play));
  ASSERT_TRUE(reply.choice);
  EXPECT_EQ(read_play_reply(to_json(reply)), reply);
}

TEST(Choose, BadInputChangesNothing) {
  Model model = chooser();
  model.choose(menu("sun"), "first");
  const std::string before = model.hash();
  const auto bad = [&](const Choosing& asked, const std::string& why) {
    EXPECT_ERROR(model.choose(asked), Code::kBadInput, why);
    EXPECT_EQ(model.hash(), before);
  };
  bad({}, "actions must have at least one action (none came)");
  bad({.actions = {{"a"}, {"b"}, {"a"}}}, "actions must have different ids (\"a\" came twice)");
  bad({.actions = {{""}}}, "actions: an id must have 1 to 1024 bytes (0 came)");
  bad({.actions = std::vector<Action>(1001)}, "actions must be at most 1000 (1001 came)");
  bad(excluding({"ice", "tea", "soup"}), "exclude must leave an action (3 of 3 are excluded)");
  bad(excluding({"cake"}), "exclude must name an action (\"cake\" came)");
  bad(instead("cake"), "shown must name an action (\"cake\" came)");
  bad(instead("tea", 0.0), "shown.probability must be above 0 and at most 1 (0 came)");
  bad(instead("tea", 1.5), "shown.probability must be above 0 and at most 1 (1.5 came)");
  bad(instead("tea", std::nan("")), "shown.probability must be above 0 and at most 1 (nan came)");
  bad({.context = {{"action", 1.0}}, .actions = {{"a"}}},
      "context must not have \"action\": that is a name of the action's");
  Choosing nan = menu("sun");
  nan.actions[2].features = {{"price", std::nan("")}};
  EXPECT_EQ(thrown_by([&] { model.choose(nan); }).code, Code::kBadInput);
  EXPECT_EQ(model.hash(), before);
}

TEST(Choose, PlaysAndChoicesAreNotMixedUp) {
  Model chooses = chooser(), predicts = chooser(R"({"task": "binary", "features": {"capacity": 16}})");
  const NamedFeatures row = {{"x", 1.0}};
  EXPECT_ERROR(chooses.play(FeaturesView(row)), Code::kBadInput,
               "this model chooses: a play must have context and actions");
  EXPECT_ERROR(predicts.choose(menu("sun")), Code::kBadInput,
               "context and actions are for a model that chooses: this one predicts, give features");
  EXPECT_ERROR(chooser(R"({"task": "classes", "features": {"capacity": 16}, "choose": {}})"), Code::kBadSpec,
               "choose needs features by name and a loss of numbers or of true and false");
}

// Which of four actions is right depends on the context; rewards come forty rounds late.
double mean_of_last_half(const std::string& spec, double scale, std::uint64_t seed = 5) {
  Model model = chooser(spec);
  RandomSequence random(seed);
  std::deque<std::pair<Round, double>> late;
  constexpr int kRounds = 2000;
  double sum = 0;
  for (int t = 0; t < kRounds; ++t) {
    const auto group = random.below(4);
    Choosing asked{.context = {{"group", "g" + std::to_string(group)}}};
    for (int a = 0; a < 4; ++a) asked.actions.push_back({"a" + std::to_string(a)});
    const Model::Outcome outcome = model.choose(asked);
    const bool right = outcome.choice->action == "a" + std::to_string((group + 1) % 4);
    const double reward = random.uniform() < (right ? 0.9 : 0.1) ? 1 : 0;
    late.emplace_back(outcome.round, reward);
    if (t >= kRounds / 2) sum += reward;
    if (late.size() > 40) {
      model.label(late.front().first, scale * late.front().second);
      late.pop_front();
    }
  }
  return sum / (kRounds / 2);
}

TEST(Choose, LearnsWhatToChooseFromLateRewards) {  // uniform choice earns 0.3, the best 0.9
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    EXPECT_GT(mean_of_last_half(R"({"task": "choose", "features": {"capacity": 64}})", 1, seed), 0.84) << seed;
    EXPECT_GT(mean_of_last_half(R"({"task": "choose", "reward": "number", "features": {"capacity": 64}})", 1000, seed),
              0.84)
        << seed;
  }
}

// An action that is taken in more than half of the rounds keeps its meaning: it is no frequent feature that is centred.
// High rewards come ten times as late as others, so that it says something of a round that it is still open.
TEST(Choose, LearnsFromNumbersWhoseWaitSaysWhatTheyAre) {
  Model model = chooser(R"({"task": "choose", "reward": "number", "features": {"capacity": 64}})");
  RandomSequence random(17);
  std::multimap<Round, std::pair<Round, double>> late;
  double earned = 0;
  constexpr Round kRounds = 2400;
  for (Round t = 1; t <= kRounds; ++t) {
    for (; !late.empty() && late.begin()->first <= t; late.erase(late.begin()))
      model.label(late.begin()->second.first, late.begin()->second.second);
    const bool sun = random.uniform() < 0.5;
    const Model::Outcome outcome = model.choose(menu(sun ? "sun" : "rain"));
    for (const RankedAction& each : outcome.choice->ranking)
      ASSERT_TRUE(std::isfinite(each.reward) && each.probability >= 0 && each.probability <= 1) << "round " << t;
    const bool right = outcome.choice->action == (sun ? "ice" : "tea");
    const double reward = (right ? 20 : 5) + random.uniform();
    late.emplace(t + 1 + static_cast<Round>((right ? 200 : 20) * -std::log(1 - random.uniform())),
                 std::pair(outcome.round, reward));
    if (t > kRounds / 2) earned += right;
  }
  EXPECT_GT(earned / (kRounds / 2), 0.9);
}

TEST(Choose, HowOftenAnActionIsTakenDoesNotChangeItsRows) {
  Model model = chooser();
  Choosing asked = instead("tea");
  asked.context = {};
  for (int t = 0; t < 30; ++t) model.label(model.choose(asked).round, t % 3 == 0);
  const Context context = model.ledger().peek(model.choose(asked).round)->context;
  Row wide;
  const Covector row = model.features().widen(Covector::sparse(context.indices, context.values), 1, wide);
  ASSERT_EQ(row.stored(), 1u);
  EXPECT_EQ(row.values()[0], 1);
  EXPECT_EQ(model.features().name_of(row.indices()[0]), "action=tea");
}

// More features than products of all pairs are made of: each still meets the action.
TEST(Choose, LearnsFromWideContexts) {
  Model model = make_model(ModelSpec::parse(R"({"task": "choose"})"));
  RandomSequence random(3);
  double last = 0;
  for (int t = 0; t < 800; ++t) {
    Choosing asked{.context = {}, .actions = {{"a"}, {"b"}}};
    double sum = 0;
    for (int i = 0; i < 70; ++i) {
      const double x = random.gaussian();
      asked.context.push_back({"x" + std::to_string(i), x});
      if (i < 2) sum += x;
    }
    const Model::Outcome outcome = model.choose(asked);
    const bool right = outcome.choice->action == (sum > 0 ? "a" : "b");
    if (t >= 600) last += right;
    model.label(outcome.round, right);
  }
  EXPECT_GT(last / 200, 0.75);
}

// An action that was never taken is drawn by more than it is predicted to earn.
TEST(Choose, TriesWhatLittleIsKnownOf) {
  const auto after = [](double optimism) {
    Model model =
        chooser(R"({"task": "choose", "features": {"capacity": 64}, "explore": {"type": "gaps", "optimism": )" +
                std::to_string(optimism) + "}}");
    Choosing asked{.context = {{"weather", "sun"}}, .actions = {{"ice"}, {"soup"}, {"tea"}}};
    for (int t = 0; t < 40; ++t) {
      asked.shown = ShownInstead{t % 2 == 0 ? "ice" : "tea"};
      model.label(model.choose(asked).round, t % 4 < 2);
    }
    asked.shown.reset();
    return *model.choose(asked).choice;
  };
  const Choice plain = after(0), hopeful = after(1);
  for (std::size_t a = 0; a < 3; ++a) EXPECT_EQ(plain.ranking[a].reward, hopeful.ranking[a].reward);
  EXPECT_LT(plain.ranking[1].probability, 0.9);
  EXPECT_GT(hopeful.ranking[1].probability, 0.9);
}

// A round's rewards, first to last, and what a model that had heard only this one would say.
void expect_rewards(const std::string& rewards, const std::vector<double>& given, double counts) {
  const std::string spec =
      R"({"task": "choose", "reward": "number", "features": {"capacity": 64}, "actions": ["a", "b"])";
  Model all = chooser(spec + R"(, "rewards": ")" + rewards + "\"}"), one = chooser(spec + "}");
  for (Model* model : {&all, &one})
    for (int t = 0; t < 20; ++t) {
      const Round round = model->choose({.shown = ShownInstead{t % 2 == 0 ? "a" : "b"}}).round;
      if (model == &one) {
        model->label(round, counts + t);
        continue;
      }
      for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string part = rewards == "sum" ? std::to_string(i) : "";
        const double more = rewards == "sum" && i > 0 ? 0 : t;
        const Answer answer = model->label(round, given[i] + more, std::nullopt, {.part = part}).answer;
        EXPECT_EQ(answer == Answer::kApplied, rewards != "first" || i == 0) << rewards;
      }
    }
  const double seen = all.predict(row_of({}, {"a"})).prediction, wanted = one.predict(row_of({}, {"a"})).prediction;
  EXPECT_NEAR(seen, wanted, 0.05 * wanted) << rewards;  // what was learnt meanwhile differs a little
}

TEST(Choose, OfSeveralRewardsTheFirstTheLastOrTheirSumCounts) {
  expect_rewards("first", {3, 50}, 3);
  expect_rewards("last", {3, 50}, 50);
  expect_rewards("sum", {3, 20, 27}, 50);
  EXPECT_ERROR(chooser(R"({"task": "choose", "rewards": "mean"})"), Code::kBadSpec,
               "model: rewards must be \"first\", \"last\" or \"sum\" (rewards = \"mean\")");
  EXPECT_ERROR(chooser(R"({"task": "choose", "rewards": "sum"})"), Code::kBadSpec,
               "model: rewards must be \"first\" or \"last\", unless reward is \"number\" (rewards = \"sum\")");
}

}  // namespace
}  // namespace tarry
