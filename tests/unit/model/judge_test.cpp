// Model::judge: what a label makes of a prediction, before it is learnt and whoever asks.
#include <gtest/gtest.h>

#include <cmath>

#include "tarry/base/random.h"
#include "tarry/losses/softmax.h"
#include "tarry/model/model_spec.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model model_of(const std::string& spec) { return make_model(ModelSpec::parse(spec)); }
LabelValue word(const char* text) { return std::string(text); }

TEST(Judge, IsWhatTheLabelWillSay) {
  struct Case {
    std::string spec;
    std::vector<LabelValue> labels;
  };
  const std::vector<Case> cases = {
      {R"({"task": "regression"})", {2.5, 17, true, word("3"), word("no")}},
      {R"({"task": "binary"})", {true, 0, -1, word("Y"), word("neg")}},
      {R"({"task": "classes", "classes": 3})", {word("a"), word("b"), 7, word("a")}},
      {R"({"set": {"type": "l2_ball", "dimension": 6, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.5},
           "loss": {"type": "softmax", "classes": 3, "first": 1, "weights": [1, 2, 3]}})",
       {1, 2, 3}},
  };
  for (const Case& one : cases) {
    Model model = model_of(one.spec);
    const bool named = model.features().takes_names();
    RandomSequence random(1);
    for (int round = 0; round < 40; ++round) {
      const double x = random.gaussian();
      const NamedFeatures names{{"x", x}};
      const Vec numbers{x, 1};
      const Model::Outcome played = named ? model.play(names) : model.play(Covector::dense(numbers));
      const LabelValue& label = one.labels[static_cast<std::size_t>(round) % one.labels.size()];
      const std::string before = model.hash();
      const Model::Judged judged = model.judge(played, label);
      EXPECT_EQ(model.hash(), before);
      EXPECT_EQ(judged.label, model.read(label));
      EXPECT_EQ(judged.loss, model.label(played.round, label).loss) << one.spec << " " << round;
    }
  }
}

TEST(Judge, ShowsTheLossAmongTheClassesThatHaveNames) {
  Model model = model_of(R"({"task": "classes", "classes": 3})");
  const NamedFeatures x{{"x", 1.0}};
  const Model::Outcome first = model.play(x);
  EXPECT_EQ(model.judge(first, word("a")).prediction, -1);  // no class has a name yet
  EXPECT_EQ(model.judge(first, word("a")).shown, 0);        // among itself alone
  EXPECT_EQ(model.judge(first, word("a")).loss, 0);         // nobody has heard of the others
  model.label(first.round, word("a"));
  const Model::Outcome second = model.play(x);
  EXPECT_EQ(model.judge(second, word("b")).label, 1);
  EXPECT_EQ(model.judge(second, word("b")).shown, softmax_loss(std::span(second.scores).first(2), 1));
  for (const char* name : {"b", "c"}) model.label(model.play(x).round, word(name));
  EXPECT_EQ(model.judge(second, word("d")).loss, INFINITY);  // there is no room for it
  EXPECT_ERROR(model.read(word("d")), Code::kBadInput, "label must be one of 3 classes: a, b, c (d came)");
}

// Classes that nobody has heard of cost nothing: with room for 32 as with room for the three that come.
TEST(Judge, RoomForMoreClassesCostsNothing) {
  const auto lost = [](const char* spec) {
    Model model = model_of(spec);
    RandomSequence random(1);
    double sum = 0;
    for (int i = 0; i < 300; ++i) {
      NamedFeatures row;
      for (const char* name : {"a", "b", "c", "d", "e", "f"}) row.push_back({name, random.gaussian()});
      const Model::Outcome play = model.play(row);
      const LabelValue label = word(std::string(1, "xyz"[random.below(3)]).c_str());
      sum += model.judge(play, label).shown;
      model.label(play.round, label);
    }
    return sum / 300;
  };
  // Alone: of how many features there are products and bends follows from the room.
  const double enough = lost(R"({"task": "classes", "classes": 3, "products": 0, "bends": false})");
  EXPECT_LT(enough, 1.1 * std::log(3));
  EXPECT_NEAR(lost(R"({"task": "classes", "products": 0, "bends": false})"), enough, 1e-9);
  EXPECT_LT(lost(R"({"task": "classes"})"), 1.1 * std::log(3));
}

TEST(Judge, NeedsALoss) {
  const Model model = model_of(R"({"task": "allocation", "options": ["a", "b"]})");
  EXPECT_ERROR(model.judge({.answer = Answer::kApplied}, 1), Code::kBadInput, "a label needs a model with a loss");
}

}  // namespace
}  // namespace tarry
