#include "tarry/model/waiting_view.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/model/explain.h"
#include "tarry/model/explanation_text.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"

namespace tarry {
namespace {

// Half of the rounds are "yes". Labels come after these many rounds; 0: never.
struct Delays {
  Round yes, no;
};

Model played(const std::string& more, const Delays& delays, Round rounds = 4000) {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary", "features": {"capacity": 64})" + more + "}"));
  RandomSequence random(7);
  std::vector<std::vector<std::pair<Round, bool>>> coming(rounds + 2000);
  for (Round t = 1; t <= rounds; ++t) {
    const double x = 2 * random.uniform() - 1;
    const bool yes = random.uniform() < 1 / (1 + std::exp(-x));
    model.apply(Play{NamedFeatures{{"x", x}}});
    const Round mean = yes ? delays.yes : delays.no;
    if (mean > 0) coming[t + static_cast<Round>(2 * random.uniform() * static_cast<double>(mean))].push_back({t, yes});
    for (const auto& [round, label] : coming[t]) model.apply(Label{round, label});
  }
  return model;
}

double open_at(const BelievedWaits::Clock& clock, std::size_t kind, double age) {
  for (std::size_t i = 0; i < clock.ages.size(); ++i)
    if (clock.ages[i] >= age) return clock.classes[kind].open[i];
  return 0;
}

bool says(const WaitingView& view, const std::string& part) {
  for (const std::string& line : spoken(view))
    if (line.find(part) != std::string::npos) return true;
  return false;
}

TEST(WaitingView, TellsAClassThatComesLater) {
  const Model model = played("", {.yes = 200, .no = 20});
  const WaitingView view = waiting_view(model);
  ASSERT_TRUE(view.believed);
  EXPECT_EQ(view.classes, (std::vector<std::string>{"no", "yes"}));
  ASSERT_EQ(view.believed->clocks.size(), 1u);
  const BelievedWaits::Clock& clock = view.believed->clocks[0];
  EXPECT_EQ(clock.from, BelievedWaits::From::kLabels);
  EXPECT_NEAR(*clock.classes[0].half, 20, 4);
  EXPECT_NEAR(*clock.classes[1].half, 200, 30);
  EXPECT_EQ(*clock.classes[1].others_half, *clock.classes[0].half);
  EXPECT_LT(open_at(clock, 0, 48), 0.1);
  EXPECT_NEAR(open_at(clock, 1, 192), 0.5, 0.12);
  EXPECT_EQ(clock.classes[0].open[0], 1);
  EXPECT_GT(clock.trust, 0.5);
  EXPECT_LE(clock.trust, 1);
  EXPECT_TRUE(says(view, "labels of \"yes\" come later: half of them within about "));
  EXPECT_TRUE(says(view, "targets of open rounds have moved "));
  EXPECT_GT(view.believed->moves, 1000);
  EXPECT_GT(view.believed->mean_move, 0.02);
  EXPECT_LT(view.believed->mean_move, 0.5);
}

TEST(WaitingView, SaysNothingOfDelaysThatDoNotDependOnTheClass) {
  const WaitingView view = waiting_view(played("", {.yes = 50, .no = 50}));
  EXPECT_FALSE(says(view, "come later"));
  EXPECT_FALSE(says(view, "come sooner"));
  for (std::size_t age = 0; age < view.believed->clocks[0].known; ++age)
    EXPECT_NEAR(view.believed->clocks[0].classes[0].open[age], view.believed->clocks[0].classes[1].open[age], 0.1);
  EXPECT_LT(view.believed->moves, 200);
}

TEST(WaitingView, SaysWhereItsBeliefsComeFrom) {
  const WaitingView none = waiting_view(played("", {.yes = 50, .no = 50}, 100));
  EXPECT_EQ(none.believed->clocks[0].from, BelievedWaits::From::kNothing);
  EXPECT_TRUE(says(none, "nothing is known about waiting yet"));
  const WaitingView one = waiting_view(played("", {.yes = 20, .no = 0}));
  EXPECT_EQ(one.believed->clocks[0].from, BelievedWaits::From::kOneClass);
  EXPECT_TRUE(says(one, "only labels of \"yes\" have come"));
  const WaitingView window =
      waiting_view(played(R"(, "expiry": {"rounds": 300, "then": {"label": false}})", {.yes = 60, .no = 0}));
  EXPECT_EQ(window.believed->clocks[0].from, BelievedWaits::From::kWindow);
  EXPECT_TRUE(says(window, "of \"no\", "));
}

TEST(WaitingView, CountsOpenRoundsAndThoseGivenUpByAge) {
  const Model model = played(R"(, "expiry": {"rounds": 100})", {.yes = 20, .no = 0});
  const WaitingView view = waiting_view(model);
  double open = 0, given_up = 0;
  for (const WaitingView::Age& age : view.by_age) {
    open += age.open;
    given_up += age.given_up;
    if (age.from > 100) {
      EXPECT_EQ(age.open + age.given_up, 0);
    }
  }
  EXPECT_EQ(open, static_cast<double>(model.ledger().outstanding()));
  EXPECT_EQ(given_up, static_cast<double>(model.ledger().expired()));
  EXPECT_GT(given_up, 1000);
  EXPECT_TRUE(says(view, "of rounds were given up without a label"));
  EXPECT_FALSE(says(waiting_view(played(R"(, "expiry": {"rounds": 100}, "lost": "random")", {.yes = 20, .no = 0})),
                    "given up without a label"));
}

TEST(WaitingView, IsTheSameOfAModelThatWasSaved) {
  const Model model = played("", {.yes = 200, .no = 20});
  const Model loaded = load_snapshot(snapshot_bytes(model));
  EXPECT_EQ(spec::to_json(to_value(waiting_view(loaded))), spec::to_json(to_value(waiting_view(model))));
  const Explanation told = explain(loaded);
  ASSERT_TRUE(told.waits);
  const std::string text = explanation_text(told);
  EXPECT_NE(text.find("labels of \"yes\" come later"), std::string::npos);
  EXPECT_NE(text.find("still open after"), std::string::npos);
  EXPECT_NE(explanation_json(told).find("\"waiting\": {\"rounds\": 4000"), std::string::npos);
}

// A learner that does not look at open rounds still has them.
TEST(WaitingView, OfOtherLearnersHasTheLedgerAlone) {
  Model model = make_model(
      ModelSpec::parse(R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": {"type": "stay"}})"));
  for (int i = 0; i < 30; ++i) model.apply(Play{});
  const WaitingView view = waiting_view(model);
  EXPECT_FALSE(view.believed);
  ASSERT_EQ(view.by_age.size(), 3u);
  EXPECT_EQ(view.by_age[0].open + view.by_age[1].open + view.by_age[2].open, 30);
  EXPECT_EQ(view.by_age[0].open, 8);
  EXPECT_TRUE(spoken(view).empty());
}

}  // namespace
}  // namespace tarry
