// What is expected of challengers before their labels have come.
#include "tarry/service/watch/challenger_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/report/model_section.h"
#include "tarry/service/watch/kept_watch.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kBeginMs = 1'794'009'600'000, kHourMs = 3'600'000;

// The label is the sign of a product, which only the challenger sees; "no" comes after an hour, "yes" after six.
struct Shadowed {
  Shadowed() : model("m", ModelSpec::parse(R"({"task": "binary", "products": 0, "bends": 0})").json()) {
    model.challenge({.incarnation = 0,
                     .at_ms = kBeginMs,
                     .challenger = "products",
                     .spec = ModelSpec::parse(R"({"task": "binary", "products": 16, "bends": 0})").json()});
  }

  void play(int decisions) {
    for (int i = 0; i < decisions; ++i, now += 120'000) {
      for (; !coming.empty() && coming.begin()->first <= now; coming.erase(coming.begin()))
        apply(Label{coming.begin()->second.first, coming.begin()->second.second}, coming.begin()->first);
      const double a = 2 * draw.uniform() - 1, b = 2 * draw.uniform() - 1;
      const NamedFeatures row{{"a", a}, {"b", b}};
      const Round round = apply(Play{.features = Features(row)}, now);
      const bool yes = a * b > 0;
      coming.insert({now + (yes ? 6 : 1) * kHourMs, {round, yes}});
      Watch::gauge(watched, now, coming.size(), 0, 0);
    }
  }
  Round apply(Event event, std::int64_t at) {
    const hosting::Apply entry{.incarnation = 0, .at_ms = at, .event = std::move(event)};
    const hosting::Folded folded = model.apply(entry, 1);
    watch.folded(watched, {model, entry.event, folded, 0.001, at});
    return folded.round;
  }
  hosting::ChallengerList::One one() { return challengers_of(model, watched, now).challengers.at(0); }

  hosting::HostedModel model;
  std::int64_t now = kBeginMs;
  RandomSequence draw{4};
  std::multimap<std::int64_t, std::pair<Round, bool>> coming;
  Watch watch;
  WatchedModel watched;
};

TEST(ChallengerWatch, ExpectsALossWithAnIntervalAndSaysWhichIsBetterOnceThatAllows) {
  Shadowed world;
  world.play(150);
  const auto early = world.one();
  EXPECT_FALSE(early.expected && early.expected->verdict != hosting::Verdict::kTooEarly);
  world.play(2000);
  const auto one = world.one();
  ASSERT_TRUE(one.expected.has_value());
  const auto& [verdict, decisions, share, loss, gain] = *one.expected;
  EXPECT_EQ(verdict, hosting::Verdict::kBetter);
  EXPECT_GE(decisions, 1000);
  EXPECT_GT(share, 0.5);
  EXPECT_LT(share, 0.99);
  EXPECT_LT(loss.low, loss.expected);
  EXPECT_GT(loss.high, loss.expected);
  EXPECT_GT(gain.low, 0);
  EXPECT_NEAR(loss.expected + gain.expected, std::log(2), 0.05);  // the model knows nothing
  EXPECT_LT(loss.expected, 0.5);
}

TEST(ChallengerWatch, SurvivesARestartAndBeginsAgainWithAnotherTrial) {
  Shadowed world;
  world.play(2000);
  const auto before = world.one();
  ASSERT_TRUE(before.expected.has_value());
  WatchedModel again;
  ASSERT_TRUE(keep_on(again, kept_bytes(world.watched)));
  const auto after = challengers_of(world.model, again, world.now).challengers.at(0);
  ASSERT_TRUE(after.expected.has_value());
  EXPECT_EQ(after.expected->loss.expected, before.expected->loss.expected);
  EXPECT_EQ(after.expected->gain.high, before.expected->gain.high);
  const ModelSection section = model_section(world.model, again, {kBeginMs, world.now, world.now});
  EXPECT_NE(section.section.find("once all labels are in, it is expected to lose"), std::string::npos)
      << section.section;
  const auto spec = world.model.challengers()[0].spec();
  world.model.dismiss({.incarnation = 0, .at_ms = world.now, .challenger = "products"});
  world.model.challenge({.incarnation = 0, .at_ms = world.now, .challenger = "products", .spec = spec});
  world.play(400);
  ASSERT_TRUE(world.one().expected.has_value());
  EXPECT_LT(world.one().expected->decisions, 400);  // those of the first are not its own
  world.model.promote({.incarnation = 0, .at_ms = world.now, .challenger = "products"});
  EXPECT_FALSE(world.one().expected.has_value());
  world.play(1);
  EXPECT_EQ(world.one().name, "original");
}

}  // namespace
}  // namespace tarry::service
