// lab/, for frames: the table that a frame is written down as, read as `tarry run` reads it, in the game that it plays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

#include "bind.h"
#include "decision.h"
#include "features.h"
#include "held_model.h"
#include "tarry/base/error.h"
#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/lab/world/table_world.h"
#include "tarry/losses/registry.h"
#include "tarry/model/tasks.h"
#include "tarry/spec/json.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

// A table as `tarry run` reads it, with what was found in it.
struct FrameTable {
  lab::Stream stream;

  const lab::Table& table() const { return *stream.table(); }
  std::string task() const { return task_for_loss(table().loss_name); }
  std::size_t corrected() const { return table().data->corrected.size(); }
  // Which row of the file each is, in order of time.
  std::vector<std::size_t> order() const {
    std::vector<std::size_t> rows = table().data->origin;
    if (rows.empty()) {
      rows.resize(stream.rounds);
      std::iota(rows.begin(), rows.end(), std::size_t{0});
    }
    return rows;
  }
};

// Labels as they were in the end, which nothing corrects any more.
std::shared_ptr<const lab::Dataset> settled(const lab::Dataset& data) {
  lab::Dataset last = data;
  for (const auto& correction : data.corrected) last.labels[correction.row] = correction.label;
  last.corrected.clear();
  return std::make_shared<const lab::Dataset>(std::move(last));
}

// Empty: it is written in Python.
std::string loss_named_in(const Model& model) {
  const spec::Value spec = spec::parse_json(model.spec());
  const spec::Value* loss = spec.find("loss");
  if (loss == nullptr) return {};
  const auto* text = std::get_if<std::string>(&loss->as);
  const std::string name = text != nullptr ? *text : loss->text_at("type");
  const auto known = loss_registry();
  const bool has_entry = std::any_of(known.begin(), known.end(), [&](const auto& entry) { return entry.name == name; });
  return has_entry ? name : std::string();
}

// `keys`: of a stream `csv` whose columns are found, as JSON. A model's own loss, if it has one that has a name,
// decides what labels are.
FrameTable read_table(const std::string& path, const std::string& keys, HeldModel* held) {
  spec::Value value = spec::parse_json(keys);
  auto& members = std::get<spec::Object>(value.as);
  members.push_back({"type", spec::Value{std::string("csv")}});
  members.push_back({"features", spec::Value{std::string("found")}});
  members.push_back({"path", spec::Value{path}});
  members.push_back({"names", spec::Value{true}});
  if (held != nullptr) {
    const Use use(*held);
    if (!held->model.loss()) throw Error(Code::kBadInput, "a label needs a model with a loss");
    if (const std::string name = loss_named_in(held->model); !name.empty() && value.find("loss") == nullptr)
      members.push_back({"loss", spec::Value{name}});
  }
  return {lab::make_stream(spec::Node(value, "stream"), 0, 0)};
}

// The predictions, and (row, loss) for each label that is ever known. Rows are in order of time; `at_once`: each label
// is learnt before the next row.
nb::tuple replay(HeldModel& held, const FrameTable& frame, bool at_once) {
  const Use use(held);
  lab::Table table = frame.table();
  table.loss = *held.model.loss();
  if (at_once && !table.data->corrected.empty()) table.data = settled(*table.data);
  const Round rounds = frame.stream.rounds;
  nb::list predictions, losses;
  lab::GameOptions options{.rounds = rounds, .after = {}, .clock = {}};
  options.after = [&](const lab::RoundPlayed& round, const lab::Played&) {
    if (round.judged) losses.append(nb::make_tuple(round.round - 1, round.loss));
    if (round.round % 64 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  };
  options.apply = [&](Model& model, const Event& event) {
    Model::Outcome outcome = held.unless_it_throws([&] { return held.apply(event); });
    if (std::holds_alternative<Play>(event)) predictions.append(prediction_of(model, outcome));
    return outcome;
  };
  std::vector<std::vector<Round>> next(rounds + 1);
  for (Round t = 1; t <= rounds; ++t) next[t] = {t};
  const auto delays = at_once ? lab::arriving_at(std::move(next)) : lab::recorded_delays(*table.data);
  lab::TableWorld world(table, true);
  lab::play_game(held.model, world, *delays, options);
  return nb::make_tuple(predictions, losses);
}

}  // namespace

void bind_late_labels(nb::module_& m) {
  nb::class_<FrameTable>(m, "_Table")
      .def_prop_ro("task", &FrameTable::task)
      .def_prop_ro("order", &FrameTable::order)
      .def_prop_ro("corrected", &FrameTable::corrected)
      .def_prop_ro("read_as", [](const FrameTable& table) { return table.stream.read_as; });
  m.def("_read_table", read_table, "path"_a, "keys"_a, "model"_a.none(),
        nb::sig("def _read_table(path: str, keys: str, model: Model | None) -> _Table"));
  m.def("_replay", replay, "model"_a, "table"_a, "at_once"_a,
        nb::sig("def _replay(model: Model, table: _Table, at_once: bool) -> tuple[list[typing.Any], "
                "list[tuple[int, float]]]"));
}

}  // namespace tarry::python
