// The same rows with named features through the C++ API, a replay and a run of the lab: the same predictions, to the
// bit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/play/game.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/replay.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

constexpr const char* kTask = R"({"task": "binary"})";

struct Example {
  NamedFeatures features;
  bool label;
  Round delay;
};

std::vector<Example> examples(std::size_t count) {
  RandomSequence draw(11, 1);
  std::vector<Example> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string city = "city" + std::to_string(draw.below(40));
    NamedFeatures features{{"city", city}, {"hour", static_cast<double>(draw.below(24))}};
    if (draw.below(10) > 0)
      features.push_back({"amount", 1000 * draw.uniform()});
    else
      features.push_back({"amount", std::monostate{}});
    const bool label = draw.uniform() < (city < "city2" ? 0.7 : 0.2);
    rows.push_back({features, label, 1 + static_cast<Round>(draw.below(200))});
  }
  return rows;
}

// The rounds that are answered after each play.
std::vector<std::vector<Round>> due(const std::vector<Example>& rows) {
  std::vector<std::vector<Round>> at(rows.size() + 1);
  for (Round t = 1; t <= rows.size(); ++t)
    if (const Round when = t + rows[t - 1].delay - 1; when <= rows.size()) at[when].push_back(t);
  return at;
}

Vec by_api(const std::vector<Example>& rows) {
  Model model = make_model(ModelSpec::parse(kTask));
  const auto at = due(rows);
  Vec predictions;
  for (Round t = 1; t <= rows.size(); ++t) {
    predictions.push_back(model.shown(model.play(rows[t - 1].features).prediction));
    for (const Round k : at[t]) model.label(k, rows[k - 1].label);
  }
  return predictions;
}

Vec by_replay(const std::vector<Example>& rows) {
  Replay replay;
  replay.line(std::string(R"({"format": "tarry-replay/2", "model": )") + kTask + "}");
  const auto at = due(rows);
  Vec predictions;
  for (Round t = 1; t <= rows.size(); ++t) {
    const std::string play =
        "{\"play\": " + std::to_string(t) + ", \"features\": " + to_json(rows[t - 1].features) + "}";
    const spec::Value reply = spec::parse_json(replay.line(play));
    predictions.push_back(spec::Node(reply, "reply").number("prediction"));
    for (const Round k : at[t])
      replay.line("{\"label\": " + std::to_string(k) + ", \"value\": " + (rows[k - 1].label ? "true" : "false") + "}");
  }
  return predictions;
}

std::string cell(const FeatureValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    std::string digits;
    spec::append_json(digits, *number);
    return digits;
  }
  const auto* word = std::get_if<std::string>(&value);
  return word == nullptr ? "" : *word;
}

Vec by_run(const std::vector<Example>& rows) {
  const auto path = std::filesystem::temp_directory_path() / ("tarry_rows_" + std::to_string(::getpid()) + ".csv");
  {
    std::ofstream file(path);
    file << "city,hour,amount,seen,known,paid\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const NamedFeature& feature : rows[i].features) file << cell(feature.value) << ',';
      file << i << ',' << static_cast<double>(i + rows[i].delay) - 0.5 << ',' << (rows[i].label ? 1 : 0) << '\n';
    }
  }
  const spec::Value stream_spec = spec::parse_json(
      R"({"type": "csv", "path": ")" + path.string() +
      R"(", "label": "paid", "loss": "logistic", "categorical": ["city"], "features": ["hour", "amount"],
          "event_time": "seen", "feedback_time": "known", "names": true, "missing": "zero"})");
  const Stream stream = make_stream(spec::Node(stream_spec, "stream"), 0, 1);
  std::filesystem::remove(path);
  const spec::Value delay_spec = spec::parse_json(R"({"type": "recorded"})");
  const auto delays = make_delays(spec::Node(delay_spec, "delay"), 1,
                                  [&](double wait) { return recorded_delays(*stream.table()->data, wait); });
  Model model = make_model(ModelSpec::parse(kTask));
  Vec predictions;
  const auto keep = [&](const RoundPlayed& round, const Played&) {
    predictions.push_back(model.shown(round.prediction));
  };
  play_game(model, stream, *delays, {.rounds = stream.rounds, .after = keep, .clock = {}});
  return predictions;
}

TEST(SameRows, GiveTheSamePredictionsByEveryWay) {
  const auto rows = examples(cases(5000));
  const Vec api = by_api(rows);
  ASSERT_EQ(api.size(), rows.size());
  EXPECT_NE(api[rows.size() - 1], api[0]) << "nothing was learnt";
  EXPECT_EQ(by_replay(rows), api);
  EXPECT_EQ(by_run(rows), api);
}

}  // namespace
}  // namespace tarry::lab
