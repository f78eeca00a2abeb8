#include "tarry/model/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"

namespace tarry {
namespace {

Model compared_model(const std::string& more = "") {
  return make_model(ModelSpec::parse(R"({"task": "choose", "features": {"capacity": 64})" + more + "}"));
}

Choosing asking() { return {.context = {{"x", 1.0}}, .actions = {{"a"}, {"b"}, {"c"}}}; }

double earns(const std::string& id) { return id == "a" ? 0.2 : id == "b" ? 0.7 : 0.4; }

// The estimators once more, plainly.
TEST(Comparison, SaysWhatUniformAndEachActionAloneWouldHaveEarned) {
  Model model = compared_model(R"(, "explore": {"type": "epsilon", "epsilon": 0.5})");
  RandomSequence random(11);
  constexpr int kRounds = 400;
  double earned = 0, uniform_ips = 0, uniform_dr = 0, given_up = 0, best = 0;
  std::map<std::string, double> always, weights, always_dr;
  std::map<std::string, evaluation::PolicyValue> plain;
  for (const char* id : {"a", "b", "c"})
    plain.emplace(id, evaluation::PolicyValue(evaluation::RewardRange{}, evaluation::Effort::kQuick));
  for (Round t = 1; t <= kRounds; ++t) {
    const Choice choice = *model.choose(asking()).choice;
    const double reward = random.uniform() < earns(choice.action) ? 1 : 0;
    earned += reward;
    double mean = 0, taken = 0, expected = 0, most = 0;
    for (const RankedAction& each : choice.ranking) {
      mean += each.reward / 3;
      if (each.id == choice.action) taken = each.reward;
      always_dr[each.id] += each.reward;
      expected += each.probability * each.reward;
      most = std::max(most, each.reward);
      const double f = each.reward, p = each.probability;
      plain.at(each.id).add({.weight = each.id == choice.action ? 1 / p : 0,
                             .reward = reward,
                             .model = evaluation::Modelled{f, f, (1 - f) / p, f / p}});
    }
    always_dr[choice.action] += (reward - taken) / choice.probability;
    given_up += most - expected;
    best += most;
    uniform_ips += reward / 3 / choice.probability;
    uniform_dr += mean + (reward - taken) / 3 / choice.probability;
    always[choice.action] += reward / choice.probability;
    weights[choice.action] += 1 / choice.probability;
    model.label(t, reward == 1);
  }
  const Comparison::Figures seen = model.comparison().figures();
  EXPECT_EQ(seen.rounds, static_cast<std::uint64_t>(kRounds));
  EXPECT_NEAR(seen.earned.value, earned / kRounds, 1e-9);
  EXPECT_NEAR(seen.uniform.ips.value, uniform_ips / kRounds, 1e-9);
  EXPECT_NEAR(seen.uniform.dr->value, uniform_dr / kRounds, 1e-9);
  EXPECT_LT(*seen.uniform.dr->low, (0.2 + 0.7 + 0.4) / 3);
  EXPECT_GT(*seen.uniform.dr->high, (0.2 + 0.7 + 0.4) / 3);
  ASSERT_EQ(seen.always.size(), 3u);
  EXPECT_EQ(seen.always[0].first, "b") << "the best first";
  for (const auto& [id, policy] : seen.always) {
    EXPECT_NEAR(policy.ips.value, always[id] / kRounds, 1e-9);
    EXPECT_NEAR(policy.snips.value, always[id] / weights[id], 1e-9);
    EXPECT_LT(*policy.ips.low, earns(id));
    EXPECT_GT(*policy.ips.high, earns(id));
    EXPECT_NEAR(policy.dr->value, always_dr[id] / kRounds, 1e-7) << "predictions are kept as floats";
    EXPECT_LT(*policy.dr->low, earns(id));
    EXPECT_GT(*policy.dr->high, earns(id));
    const evaluation::Estimate dr = *plain.at(id).dr(0.05 / 6), ips = plain.at(id).ips(0.05 / 6);
    EXPECT_NEAR(*policy.dr->low, std::max(*dr.low, *ips.low), 1e-4) << id << ": the tighter of both";
    EXPECT_NEAR(*policy.dr->high, std::min(*dr.high, *ips.high), 1e-4) << id;
  }
  EXPECT_EQ(seen.exploration.rounds, static_cast<std::uint64_t>(kRounds));
  EXPECT_NEAR(seen.exploration.all.reward, given_up / kRounds, 1e-12);
  EXPECT_NEAR(*seen.exploration.all.share, given_up / best, 1e-12);
  Model again = load_snapshot(snapshot_bytes(model));
  EXPECT_EQ(again.hash(), model.hash());
  EXPECT_EQ(snapshot_bytes(model.freeze()), snapshot_bytes(model));
}

TEST(Comparison, CountsRoundsInTheOrderOfTheirPlaysAndNothingThatWasNotShown) {
  Model model = compared_model();
  for (Round t = 1; t <= 6; ++t) model.choose(asking());
  model.label(Round{2}, true);
  EXPECT_EQ(model.comparison().figures().rounds, 0u) << "the first is still open";
  model.label(Round{1}, false);
  EXPECT_EQ(model.comparison().figures().rounds, 2u);
  model.declare_void(Round{3});
  model.label(Round{4}, true);
  EXPECT_EQ(model.comparison().figures().rounds, 3u);
  Model again = load_snapshot(snapshot_bytes(model));
  for (Model* each : {&model, &again}) {
    each->apply(Label{.round = Round{5}, .label = true, .shown = ShownLater{.action = {"z"}}});
    each->apply(Label{.round = Round{6}, .label = true, .shown = ShownLater{.action = {"b"}, .probability = 0.5}});
    EXPECT_EQ(each->comparison().figures().rounds, 4u) << "one was shown with no probability";
    for (const auto& [id, policy] : each->comparison().figures().always)
      EXPECT_TRUE(policy.dr && (id == "z" || !policy.dr->low)) << id << ": as for uniform";
  }
  EXPECT_EQ(again.hash(), model.hash());
  EXPECT_FALSE(model.comparison().figures().uniform.dr->low) << "of what was shown, only its own probability is known";
  EXPECT_TRUE(model.comparison().figures().uniform.ips.low);
}

TEST(Comparison, OfAVoidRoundNothingCounts) {
  const Choice choice{.action = "a", .probability = 0.5, .ranking = {{"a", 0.5, 0.4}, {"b", 0.5, 0.2}}};
  Comparison some(evaluation::RewardRange{}), others(evaluation::RewardRange{});
  Round kept = 0;
  for (Round t = 1; t <= 90; ++t) {
    some.played(t, choice, std::nullopt);
    if (t % 3 == 0) {
      some.voided(t);
      continue;
    }
    some.rewarded(t, 1, false);
    others.played(++kept, choice, std::nullopt);
    others.rewarded(kept, 1, false);
  }
  EXPECT_GT(*others.figures().earned.low, 0);
  EXPECT_EQ(some.figures().earned.low, others.figures().earned.low) << "it is not one whose reward is missing";
  EXPECT_EQ(some.figures().always[0].second.dr->low, others.figures().always[0].second.dr->low);
}

TEST(Comparison, WhereSomethingElseWasShownNothingWasExplored) {
  const Choice choice{.action = "a", .probability = 0.5, .ranking = {{"a", 0.5, 0.4}, {"b", 0.5, 0.2}}};
  Comparison compared;
  compared.played(1, choice, ShownInstead{.id = "b", .probability = 0.5});
  EXPECT_EQ(compared.figures().exploration.rounds, 0u);
  compared.played(2, choice, std::nullopt);
  EXPECT_EQ(compared.figures().exploration.rounds, 1u);
}

TEST(Comparison, AnotherRewardTakesThePlaceOfTheFirst) {
  Model revised = compared_model(R"(, "rewards": "last")"), once = compared_model(R"(, "rewards": "last")");
  for (Round t = 1; t <= 30; ++t)
    for (Model* model : {&revised, &once}) model->choose(asking());
  for (Round t = 1; t <= 30; ++t) {
    revised.label(t, t % 3 == 0);
    once.label(t, t % 2 == 0);
  }
  for (Round t = 30; t > 0; --t) revised.label(t, t % 2 == 0);
  const Comparison::Figures a = revised.comparison().figures(), b = once.comparison().figures();
  EXPECT_EQ(a.rounds, b.rounds);
  EXPECT_NEAR(a.earned.value, b.earned.value, 1e-12);
  EXPECT_NEAR(a.uniform.dr->value, b.uniform.dr->value, 1e-12);
  EXPECT_NEAR(*a.uniform.dr->low, *b.uniform.dr->low, 0.1);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(a.always[k].second.ips.value, b.always[k].second.ips.value, 1e-12);
    EXPECT_NEAR(a.always[k].second.dr->value, b.always[k].second.dr->value, 1e-12);
    EXPECT_NEAR(*a.always[k].second.dr->low, *b.always[k].second.dr->low, 0.1);
  }
  EXPECT_EQ(load_snapshot(snapshot_bytes(revised)).hash(), revised.hash());
}

// Predictions wait with their rounds, each action's at its own place, whatever the order in which actions came.
TEST(Comparison, AnActionThatCouldNotBeTakenIsNotJudged) {
  Model model = compared_model();
  const std::vector<Action> orders[] = {{{"a"}, {"b"}, {"c"}}, {{"c"}, {"a"}}, {{"b"}, {"c"}}};
  std::map<std::string, double> always, rounds;
  std::vector<std::pair<Round, bool>> later;
  RandomSequence random(5);
  for (Round t = 1; t <= 90; ++t) {
    Choosing asked{.context = {{"x", 1.0}}, .actions = orders[t % 3]};
    if (t % 3 == 0) asked.exclude = {"b"};
    const Choice choice = *model.choose(asked).choice;
    const double reward = random.uniform() < earns(choice.action) ? 1 : 0;
    for (const RankedAction& each : choice.ranking) {
      if (each.probability == 0) continue;
      always[each.id] += each.reward;
      rounds[each.id] += 1;
      if (each.id == choice.action) always[each.id] += (reward - each.reward) / each.probability;
    }
    later.emplace_back(t, reward == 1);
    if (t % 10 != 0) continue;
    for (; !later.empty(); later.pop_back()) model.label(later.back().first, later.back().second);
    if (t == 50) model = load_snapshot(snapshot_bytes(model));
  }
  for (const auto& [id, policy] : model.comparison().figures().always) {
    EXPECT_EQ(static_cast<double>(policy.rounds), rounds[id]) << id;
    EXPECT_NEAR(policy.dr->value, always[id] / rounds[id], 1e-6) << id;
  }
}

TEST(Comparison, RoundsThatWaitAreSavedWithTheirPredictions) {
  Model model = compared_model(R"(, "rewards": "last")");
  for (Round t = 1; t <= 30; ++t) {
    model.choose(asking());
    if (t <= 10) model.label(t, t % 2 == 0);
  }
  Model again = load_snapshot(snapshot_bytes(model));
  for (Model* each : {&model, &again}) {
    for (Round t = 20; t > 0; --t) each->label(t, t % 3 == 0);
    each->declare_void(Round{21});
    for (Round t = 30; t > 21; --t) each->label(t, t % 3 == 0);
  }
  EXPECT_EQ(again.hash(), model.hash());
  EXPECT_EQ(again.comparison().figures().always[0].second.dr->value,
            model.comparison().figures().always[0].second.dr->value);
}

TEST(Comparison, TellsTheFirstSixteenActionsApart) {
  Model model = compared_model(R"(, "reward": "number")");
  Choosing many;
  for (int k = 0; k < 40; ++k) many.actions.push_back({"a" + std::to_string(k)});
  for (Round t = 1; t <= 100; ++t) {
    model.choose(many);
    model.label(t, static_cast<double>(t % 7));
  }
  const Comparison::Figures seen = model.comparison().figures();
  EXPECT_EQ(seen.rounds, 100u);
  EXPECT_EQ(seen.always.size(), Comparison::kMostActions);
  EXPECT_FALSE(seen.uniform.ips.low) << "of numbers no range is known";
  EXPECT_TRUE(seen.uniform.snips.low);
}

}  // namespace
}  // namespace tarry
