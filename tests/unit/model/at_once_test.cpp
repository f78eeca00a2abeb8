// play_and_label: a play and its label in one call are what they are in two, for every task and kind of model.
#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"

namespace tarry {
namespace {

NamedFeatures drawn_row(RandomSequence& random, bool ratings) {
  const auto one_of = [&](const char* name) {
    return std::string(name) + std::to_string(static_cast<int>(random.uniform(0, 4)));
  };
  if (ratings) return {{"user", one_of("u")}, {"item", one_of("i")}};
  return {{"x", random.uniform(-1, 1)}, {"y", random.uniform(5, 9)}, {"city", one_of("c")}};
}

// The state after `rounds`, of which every fourth waits for five others.
std::string state_after(const std::string& spec, bool at_once, int rounds) {
  Model model = make_model(ModelSpec::parse(spec));
  const bool ratings = spec.find("ratings") != std::string::npos, classes = spec.find("classes") != std::string::npos;
  RandomSequence random(3);
  std::vector<std::pair<Round, LabelValue>> late;
  for (int t = 0; t < rounds; ++t) {
    const NamedFeatures row = drawn_row(random, ratings);
    const double number = random.uniform();
    const LabelValue label = classes ? LabelValue(std::string(number < 0.4 ? "a" : "b"))
                             : spec.find("binary") != std::string::npos ? LabelValue(number < 0.4)
                                                                        : LabelValue(number);
    const PlayTimes times{static_cast<double>(t), std::nullopt};
    if (t % 4 == 0) {
      late.emplace_back(model.play(FeaturesView(row), {}, times).round, label);
      if (late.size() <= 5) continue;
      model.label(late.front().first, late.front().second);
      late.erase(late.begin());
    } else if (at_once) {
      model.play_and_label(row, label);
    } else {
      model.label(model.play(FeaturesView(row)).round, label);
    }
  }
  return model.hash();
}

TEST(AtOnce, EveryTaskLearnsTheSameInOneCallAsInTwo) {
  for (const char* spec :
       {R"({"task": "regression"})", R"({"task": "binary"})", R"({"task": "classes"})", R"({"task": "ratings"})",
        R"({"task": "binary", "learner": {"type": "adagrad"}})", R"({"task": "binary", "expiry": {"rounds": 9}})",
        R"({"task": "binary", "tracked": 3})", R"({"task": "regression", "revisable": {"rounds": 10}})"})
    EXPECT_EQ(state_after(spec, true, 300), state_after(spec, false, 300)) << spec;
}

TEST(AtOnce, WhatCannotBeALabelLeavesNothingBehind) {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary"})"));
  const std::string before = model.hash();
  EXPECT_THROW(model.play_and_label(NamedFeatures{{"x", 1.0}}, std::string("perhaps")), Error);
  EXPECT_EQ(model.hash(), before);
}

}  // namespace
}  // namespace tarry
