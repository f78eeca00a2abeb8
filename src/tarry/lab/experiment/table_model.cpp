#include "tarry/lab/experiment/table_model.h"

#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/interrupted.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/play/metrics.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/lab/world/table_world.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/tasks.h"

namespace tarry::lab {
namespace {

// Labels of some tables are corrected, at any time.
Model model_for(const Table& table, Round rounds) {
  const spec::Value task{spec::Object{{"task", spec::Value{task_for_loss(table.loss_name)}}}};
  ModelSpec spec = ModelSpec::read(task);
  Model model = make_model(spec);
  if (table.data->corrected.empty() || spec.revisable.any() || spec.tracked.any() || !model.learner().revises())
    return model;
  spec.revisable.rounds = rounds;
  return make_model(spec);
}

void play(TableModel& made, const Stream& stream, const std::atomic<bool>& stop) {
  const Table& table = *stream.table();
  made.rows = stream.rounds;
  made.model = model_for(table, stream.rounds);
  Metrics metrics(measure_of(table.loss_name));
  TableWorld world(table, true);
  const auto delays = recorded_delays(*table.data);
  const auto after = [&](const RoundPlayed& round, const Played&) {
    metrics.add(round);
    made.labels += round.judged ? 1 : 0;
    if (round.round % 64 == 0 && stop.load()) throw Interrupted{};
  };
  const Played played = play_game(*made.model, world, *delays, {.rounds = stream.rounds, .after = after, .clock = {}});
  made.loss = made.labels > 0 ? played.loss / static_cast<double>(made.labels) : 0;
  made.metrics = metrics.values();
}

}  // namespace

TableModel model_of_table(const std::string& name, std::string_view table, const spec::Value& keys,
                          const std::atomic<bool>& stop) {
  spec::Value value = keys;
  auto& members = std::get<spec::Object>(value.as);
  for (const auto& [key, text] : {std::pair{"type", "csv"}, {"features", "found"}})
    members.push_back({key, spec::Value{std::string(text)}});
  members.push_back({"path", spec::Value{name}});
  members.push_back({"names", spec::Value{true}});
  const spec::Node node(value, "query");
  const data::OpenLines open = [&] { return data::TextLines::of_text(name, table); };
  TableModel made{.found = looked_at(node, open), .model = std::nullopt};
  if (!made.found.reading.questions.empty()) return made;
  const Stream stream = read_csv_stream(node, &made.found, open);
  made.found.read_as = stream.read_as;
  play(made, stream, stop);
  return made;
}

}  // namespace tarry::lab
