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

TEST(Apprentice, AShownActionWithoutAProbabilityCountsForAgreementAlone) {
  Model model = make_model(ModelSpec::parse(kApprentice));
  model.choose({.shown = ShownInstead{"b"}});
  model.label(Round{1}, true);
  EXPECT_EQ(model.apprentice().figures().shown, 1u);
  EXPECT_EQ(model.apprentice().figures().judged, 0u);
}

}  // namespace
}  // namespace tarry
