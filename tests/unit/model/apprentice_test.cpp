#include "tarry/model/apprentice.h"

#include <gtest/gtest.h>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"

namespace tarry {
namespace {

constexpr const char* kApprentice = R"({"task": "choose", "features": {"capacity": 64}, "actions": ["a", "b"]})";

// Something else decides: a third of the time the first action, else the second, which alone earns.
Model apprentice(int rounds, int late) {
  Model model = make_model(ModelSpec::parse(kApprentice));
  RandomSequence random(5);
  for (int t = 1; t <= rounds; ++t) {
    const bool first = random.uniform() < 1.0 / 3;
    model.choose({.shown = ShownInstead{first ? "a" : "b", first ? 1.0 / 3 : 2.0 / 3}});
    if (t > late) model.apply(Label{static_cast<Round>(t - late), (t - late) % 2 == 0});
  }
  return model;
}

TEST(Apprentice, SaysHowOftenItAgreesAndWhatItWouldEarn) {
  Model model = make_model(ModelSpec::parse(kApprentice));
  RandomSequence random(5);
  int agreed = 0;
  double weighted = 0, doubly = 0, earned = 0;
  constexpr int kRounds = 200;
  for (int t = 1; t <= kRounds; ++t) {
    const bool first = random.uniform() < 1.0 / 3;
    const std::string id = first ? "a" : "b";
    const double p = first ? 1.0 / 3 : 2.0 / 3, reward = first ? 0 : 1;
    const Choice choice = *model.choose({.shown = ShownInstead{id, p}}).choice;
    agreed += choice.action == id;
    const RankedAction &a = choice.ranking[0], &b = choice.ranking[1], &taken = first ? a : b;
    weighted += taken.probability / p * reward;
    doubly += a.probability * a.reward + b.probability * b.reward + taken.probability / p * (reward - taken.reward);
    earned += reward;
    EXPECT_EQ(model.label(static_cast<Round>(t), reward == 1).answer, Answer::kApplied);
  }
  const Apprentice::Figures seen = model.apprentice().figures();
  EXPECT_EQ(seen.shown, static_cast<std::uint64_t>(kRounds));
  EXPECT_EQ(seen.agreed, static_cast<std::uint64_t>(agreed));
  EXPECT_EQ(seen.judged, static_cast<std::uint64_t>(kRounds));
  EXPECT_NEAR(seen.as_shown, earned / kRounds, 1e-12);
  EXPECT_NEAR(seen.ips.value, weighted / kRounds, 1e-12);
  EXPECT_NEAR(seen.dr.value, doubly / kRounds, 1e-12);
  EXPECT_LE(*seen.ips.low, seen.ips.value);
  EXPECT_GT(seen.dr.value, seen.as_shown) << "it has learnt that the second is better";
}

TEST(Apprentice, CountsRoundsInTheOrderOfTheirPlays) {
  Model model = apprentice(60, 10);
  EXPECT_EQ(model.apprentice().figures().judged, 50u);
  model.apply(Label{Round{53}, true});  // a quick reward counts when those before it have ended
  EXPECT_EQ(model.apprentice().figures().judged, 50u);
  model.apply(Expire{Round{51}});
  model.apply(Void{Round{52}});
  EXPECT_EQ(model.apprentice().figures().judged, 51u);
  const Model again = load_snapshot(snapshot_bytes(model));
  EXPECT_EQ(again.hash(), model.hash());
  EXPECT_EQ(again.apprentice().figures().ips.value, model.apprentice().figures().ips.value);
  EXPECT_EQ(snapshot_bytes(model.freeze()), snapshot_bytes(model));
}

// The figures of rounds whose rewards changed are those of rounds that had the last one at once.
void expect_same_figures(const Model& a, const Model& b) {
  const Apprentice::Figures x = a.apprentice().figures(), y = b.apprentice().figures();
  EXPECT_EQ(x.judged, y.judged);
  EXPECT_NEAR(x.as_shown, y.as_shown, 1e-12);
  EXPECT_NEAR(x.ips.value, y.ips.value, 1e-12);
  EXPECT_NEAR(x.snips.value, y.snips.value, 1e-12);
  EXPECT_NEAR(x.dr.value, y.dr.value, 1e-12);
}

TEST(Apprentice, CountsTheWholeSum) {
  const auto make = [] {
    return make_model(ModelSpec::parse(
        R"({"task": "choose", "reward": "number", "rewards": "sum", "explore": "none", "features": {"capacity": 64},
            "learner": {"type": "stay"}, "actions": ["a", "b"]})"));
  };
  Model parts = make(), whole = make();
  const auto part = [](Model& model, Round round, double value, const std::string& name) {
    Label label{round, value};
    label.revising.part = name;
    return model.apply(label).answer;
  };
  for (Round t = 1; t <= 20; ++t) {
    const ShownInstead shown{t % 3 == 0 ? "a" : "b", t % 3 == 0 ? 0.3 : 0.7};
    for (Model* model : {&parts, &whole}) model->choose({.shown = shown});
  }
  for (Round t = 1; t <= 20; ++t) {
    part(parts, t, 1, "one");
    part(whole, t, 1 + static_cast<double>(t), "one");
  }
  EXPECT_NEAR(parts.apprentice().figures().as_shown, 1, 1e-12);
  for (Round t = 20; t > 0; --t) EXPECT_EQ(part(parts, t, static_cast<double>(t), "two"), Answer::kApplied);
  EXPECT_EQ(part(parts, 7, 7, "two"), Answer::kDuplicate);
  expect_same_figures(parts, whole);
  EXPECT_NEAR(parts.apprentice().figures().as_shown, 1 + 10.5, 1e-12);
  Model again = load_snapshot(snapshot_bytes(parts));
  EXPECT_EQ(again.hash(), parts.hash());
  part(again, 3, 5, "three");
  part(parts, 3, 5, "three");
  EXPECT_EQ(again.hash(), parts.hash());
  EXPECT_NEAR(again.apprentice().figures().as_shown, 1 + 10.5 + 5.0 / 20, 1e-12);
}

TEST(Apprentice, CountsTheLastRewardInItsIntervals) {
  const auto make = [] {
    return make_model(ModelSpec::parse(
        R"({"task": "choose", "rewards": "last", "features": {"capacity": 64}, "actions": ["a", "b"]})"));
  };
  Model revised = make(), once = make();
  // All are shown before any reward comes: both models choose alike.
  for (Round t = 1; t <= 30; ++t)
    for (Model* model : {&revised, &once}) model->choose({.shown = ShownInstead{t % 3 == 0 ? "a" : "b", 0.5}});
  for (Round t = 30; t > 0; --t) {
    revised.label(t, t % 2 == 1);
    once.label(t, t % 2 == 0);
  }
  for (Round t = 1; t <= 30; ++t) revised.label(t, t % 2 == 0);
  expect_same_figures(revised, once);
  const evaluation::Estimate a = revised.apprentice().figures().ips, b = once.apprentice().figures().ips;
  EXPECT_LT(*a.low, *b.high);
  EXPECT_LT(*a.high - *a.low, 1);
  Model later = make_model(ModelSpec::parse(
      R"({"task": "choose", "labels": "last", "revisable": {"rounds": 3}, "features": {"capacity": 64}, "actions": ["a", "b"]})"));
  for (Round t = 1; t <= 10; ++t) {
    later.choose({.shown = ShownInstead{"a", 0.5}});
    later.label(t, true);
  }
  later.label(Round{1}, false);  // too late
  EXPECT_NEAR(later.apprentice().figures().as_shown, 1, 1e-12);
  later.label(Round{10}, false);
  EXPECT_NEAR(later.apprentice().figures().as_shown, 0.9, 1e-12);
}

TEST(Apprentice, AShownActionWithoutAProbabilityCountsForAgreementAlone) {
  Model model = make_model(ModelSpec::parse(kApprentice));
  model.choose({.shown = ShownInstead{"b"}});
  model.label(Round{1}, true);
  EXPECT_EQ(model.apprentice().figures().shown, 1u);
  EXPECT_EQ(model.apprentice().figures().judged, 0u);
}

}  // namespace
}  // namespace tarry
