#include "tarry/lab/world/table_world.h"

#include <gtest/gtest.h>

#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/play/game.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"
#include "unit/data/files.h"

namespace tarry::lab {
namespace {

using data::TestFile;

Stream read(const TestFile& file, const std::string& more) {
  const spec::Value spec = spec::parse_json(R"({"type": "csv", "path": ")" + file.path() + "\", " + more + "}");
  return make_stream(spec::Node(spec, "stream"), 0, 1);
}

Vec in_full(const Covector& gradient, Index dimension) {
  Vec x(static_cast<std::size_t>(dimension), 0.0);
  gradient.add_to(x);
  return x;
}

// Of zero scores each class has a third: the gradient is (p − 1)·row for the label's block, p·row for the others.
TEST(TableWorld, KnowsTheGradientOfSeveralClasses) {
  const TestFile file("t.csv", "x,y\n3,b\n6,a\n");
  const Stream stream = read(file, R"("label": "y", "features": ["x"], "intercept": false, "classes": ["a", "b", "c"],
                                      "loss": {"type": "softmax", "classes": 3})");
  Model model = make_model(ModelSpec::parse(R"({"set": {"type": "l2_ball", "dimension": 3, "radius": 1},
      "learner": {"type": "stay"}, "loss": {"type": "softmax", "classes": 3}})"));
  TableWorld world(*stream.table(), false);
  const Vec wanted[] = {{1, -2, 1}, {-4, 2, 2}};
  for (Round t = 1; t <= 2; ++t) {
    const Model::Outcome decided = model.apply(world.next()->play);
    const Coming coming = world.answer(t, model, decided);
    const Vec gradient = in_full(world.gradient(), stream.dimension);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(gradient[i], wanted[t - 1][i], 1e-12);
    EXPECT_EQ(std::get<Label>(*coming.feedback).label, LabelValue(t == 1 ? 1 : 0));
  }
  EXPECT_FALSE(world.next());
}

// Times are seconds where their unit is known; here it is known by the columns' names.
TEST(TableWorld, PlaysAndLabelsSayWhenTheyCameWhereLabelsAreDue) {
  const TestFile file("t.csv",
                      "asked_ms,known_ms,due_ms,x,y\n1000,2000,4000,3,1\n2000,9000,,4,0\n3000,,8000,4,\n"
                      "20000,21000,30000,4,1\n");
  const auto played = [&](const std::string& keys) {
    const spec::Value spec = spec::parse_json(R"({"type": "late_labels", "path": ")" + file.path() + "\"" + keys + "}");
    const Stream stream = make_stream(spec::Node(spec, "stream"), 0, 1);
    Model model =
        make_model(ModelSpec::parse(R"({"set": {"type": "l2_ball", "dimension": )" + std::to_string(stream.dimension) +
                                    R"(, "radius": 1}, "learner": {"type": "stay"}, "loss": "logistic"})"));
    std::vector<PlayTimes> plays;
    std::vector<std::optional<double>> labels;
    const auto told = [&](const Event& event) {
      if (const auto* play = std::get_if<Play>(&event)) plays.push_back(play->times);
      if (const auto* label = std::get_if<Label>(&event)) labels.push_back(label->revising.now);
    };
    play_game(model, stream, *recorded_delays(*stream.table()->data),
              {.rounds = 4, .after = {}, .clock = {}, .told = told});
    return std::pair(plays, labels);
  };
  const auto [plays, labels] = played(R"(, "due": "due_ms")");
  EXPECT_EQ(plays, (std::vector<PlayTimes>{{1, 4}, {2, std::nullopt}, {3, 8}, {20, 30}}));
  EXPECT_EQ(labels, (std::vector<std::optional<double>>{2, 9}));
  const auto [untimed, unsaid] = played(R"(, "ignore": ["due_ms"])");
  EXPECT_EQ(untimed, std::vector<PlayTimes>(4));
  EXPECT_EQ(unsaid, std::vector<std::optional<double>>(2));
}

TEST(TableWorld, ALabelThatNobodyKnewIsNeverAnswered) {
  const TestFile file("t.csv", "asked,known,x,y\n1,2,3,1\n2,,4,\n");
  const Stream stream = read(file, R"("label": "y", "features": ["x"], "loss": "squared", "event_time": "asked",
                                      "feedback_time": "known", "names": true)");
  Model model = make_model(ModelSpec::parse(R"({"task": "regression"})"));
  TableWorld world(*stream.table(), true);
  for (Round t = 1; t <= 2; ++t) {
    const Model::Outcome decided = model.apply(world.next()->play);
    const Coming coming = world.answer(t, model, decided);
    EXPECT_EQ(coming.feedback.has_value(), t == 1);
    EXPECT_EQ(coming.round.judged, t == 1);
    EXPECT_EQ(world.never(t), t == 2);
    EXPECT_EQ(world.gradient().stored() > 0, t == 1);
  }
}

}  // namespace
}  // namespace tarry::lab
