#include "tarry/lab/world/table_world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/play/game.h"
#include "tarry/model/codec.h"
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

// A model that nobody has told of a class yet is no better than a guess, and not right at no cost.
TEST(TableWorld, JudgesAmongAllClassesOfTheTableBeforeTheyAreHeardOf) {
  const TestFile file("t.csv",
                      "asked_ms,known_ms,x,y\n1000,9000,3,ant\n2000,9001,4,bee\n3000,9002,4,cow\n4000,9003,4,cow\n");
  const spec::Value spec =
      spec::parse_json(R"({"type": "late_labels", "path": ")" + file.path() + "\", \"names\": true}");
  const Stream stream = make_stream(spec::Node(spec, "stream"), 0, 1);
  Model model = make_model(ModelSpec::parse(R"({"task": "classes", "features": {"capacity": 16}})"));
  ASSERT_TRUE(model.names_classes());
  TableWorld world(*stream.table(), true);
  for (Round t = 1; t <= 3; ++t) {
    const Model::Outcome decided = model.apply(world.next()->play);
    EXPECT_NEAR(world.answer(t, model, decided).round.loss, std::log(3), 1e-12) << t;
  }
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

// A tenth of the labels is corrected later. A model that was told the same events one by one, each at its time, is in
// the same state.
TEST(TableWorld, CorrectsLabelsAsTheReplayOfTheSameEventsDoes) {
  std::string text = "id,asked,known,x,y\n";
  std::map<double, std::vector<std::string>> events;  // by time
  for (int i = 0; i < 300; ++i) {
    const double asked = i, known = i + 5.5 + i % 7, x = (i * 37 % 101) / 50.0 - 1;
    const bool yes = x + (i % 3) - 1 > 0, corrected = i % 10 == 3;
    const auto row = [&](double at, bool label) {
      text += fmt::format("k{},{},{},{},{}\n", i, asked, at, x, label ? 1 : 0);
    };
    row(known, corrected ? !yes : yes);
    const auto label = [&](double at, bool value, const char* more) {
      if (at < 299)
        events[at].push_back(
            fmt::format(R"({{"label": {}, "value": {}, "sequence": {}{}}})", i + 1, value ? 1 : 0, at, more));
    };
    events[asked].push_back(fmt::format(R"({{"play": {}, "features": {{"x": {}}}}})", i + 1, x));
    label(known, corrected ? !yes : yes, "");
    if (!corrected) continue;
    row(known + 30.25, yes);
    label(known + 30.25, yes, R"(, "revise": true)");
  }
  const TestFile file("t.csv", text);
  const Stream stream = read(file, R"("label": "y", "features": ["x"], "loss": "logistic", "event_time": "asked",
      "feedback_time": "known", "key": "id", "sort": true, "names": true, "intercept": false)");
  EXPECT_EQ(stream.table()->data->rows(), 300u);
  EXPECT_EQ(stream.table()->data->corrected.size(), 30u);
  const std::string spec = R"({"task": "binary", "features": {"capacity": 16}, "revisable": 1000})";
  Model model = make_model(ModelSpec::parse(spec)), told = make_model(ModelSpec::parse(spec));
  int revised = 0;
  const auto count = [&](const Event& event) {
    if (const auto* label = std::get_if<Label>(&event)) revised += label->revising.revise ? 1 : 0;
  };
  double loss = 0;
  const auto after = [&](const RoundPlayed& round, const Played&) { loss += round.loss; };
  play_game(model, stream, *recorded_delays(*stream.table()->data),
            {.rounds = 300, .after = after, .clock = {}, .told = count});
  for (const auto& [time, lines] : events)
    for (const std::string& line : lines) {
      const spec::Value event = spec::parse_json(line);
      told.apply(read_event(spec::Node(event, "event")));
    }
  EXPECT_GT(revised, 20);
  EXPECT_EQ(model.hash(), told.hash());
  EXPECT_TRUE(std::isfinite(loss));
  // A model that keeps first labels is told no corrections.
  Model plain = make_model(ModelSpec::parse(R"({"task": "binary", "features": {"capacity": 16}})"));
  revised = 0;
  play_game(plain, stream, *recorded_delays(*stream.table()->data),
            {.rounds = 300, .after = {}, .clock = {}, .told = count});
  EXPECT_EQ(revised, 0);
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
