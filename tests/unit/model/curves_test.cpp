#include "tarry/model/curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

Model curves_task(const std::string& name) { return make_model(ModelSpec::parse(R"({"task": ")" + name + R"("})")); }

// Cars by the hour: few at night, which hour 13 never sees; the wind adds a little.
Model cars(Round rounds = 2500) {
  Model model = curves_task("regression");
  RandomSequence random(5);
  for (Round t = 1; t <= rounds; ++t) {
    const double hour = static_cast<double>(t * 7 % 24), wind = 3 + 2 * random.uniform();
    if (hour == 13) continue;
    const NamedFeatures features{{"hour", hour}, {"wind", wind}, {"place", std::string(t % 3 == 0 ? "a" : "b")}};
    const Round round = model.play(FeaturesView(features)).round;
    model.label(round, 1000 * (hour >= 6 && hour < 20 ? 2 : 1) + 20 * wind);
  }
  return model;
}

TEST(Curves, ShowANumberOfFewValuesAtEachOfThem) {
  const auto curves = cars().curves(5);
  ASSERT_EQ(curves.size(), 2u);
  const Model::Curve& hour = curves[0];  // which says most
  EXPECT_EQ(hour.name, "hour");
  EXPECT_TRUE(hour.whole && hour.of_labels);
  EXPECT_EQ(hour.at.front(), 0);
  EXPECT_EQ(hour.at.back(), 23);
  for (const double at : hour.at) EXPECT_EQ(at, std::round(at));
  const auto effect = [&](double at) {
    return hour.effect.at(static_cast<std::size_t>(std::ranges::find(hour.at, at) - hour.at.begin()));
  };
  EXPECT_GT(effect(10) - effect(3), 500);
  EXPECT_GT(effect(18) - effect(22), 500);
  double sum = 0;
  for (const double x : hour.effect) sum += x;
  EXPECT_NEAR(sum, 0, 1e-6);
}

TEST(Curves, StayWhereRowsHaveBeen) {
  const auto curves = cars().curves(5);
  ASSERT_EQ(curves.size(), 2u);
  const Model::Curve& wind = curves[1];
  EXPECT_FALSE(wind.whole);
  EXPECT_GT(wind.at.size(), 10u);
  EXPECT_GE(wind.at.front(), 3);
  EXPECT_LE(wind.at.back(), 5);
  EXPECT_TRUE(std::ranges::is_sorted(wind.at));
}

TEST(Curves, AreThereForLateModelsAlone) {
  EXPECT_TRUE(curves_task("binary").curves(5).empty());
  EXPECT_TRUE(curves_task("classes").curves(5).empty());
  EXPECT_EQ(cars().curves(1).size(), 1u);
}

TEST(Curves, AreWrittenAlikeEverywhere) {
  const std::string text =
      spec::to_json(to_value({{.name = "hour", .at = {0, 1}, .effect = {-0.5, 0.5}, .whole = true}}));
  EXPECT_EQ(text, R"([{"name": "hour", "unit": "log odds", "whole": true, "at": [0, 1], "effect": [-0.5, 0.5]}])");
}

}  // namespace
}  // namespace tarry
