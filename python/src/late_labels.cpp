// lab/, for frames: rows and labels that Python has, in the game that `tarry run` plays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <set>

#include "bind.h"
#include "decision.h"
#include "features.h"
#include "held_model.h"
#include "tarry/base/error.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/infer/find_label.h"
#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/experiment/own_data.h"
#include "tarry/lab/play/game.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/world/table_world.h"
#include "tarry/model/tasks.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

// The task for such labels, and the labels as it takes them: what `tarry run` would find in a file of them, where one
// of two words is true. None is a label that is never known.
nb::tuple task_of(const nb::list& labels) {
  std::set<std::string> different;
  bool numbers = true;
  for (nb::handle given : labels) {
    if (given.is_none()) continue;
    const LabelValue label = to_label(given);
    if (const auto* text = std::get_if<std::string>(&label))
      numbers = numbers && std::holds_alternative<double>(plain_label(*text));
    else
      numbers = numbers && std::holds_alternative<double>(label);
    different.insert(class_name(label));
  }
  const data::LabelKind kind = data::kind_of_labels({different.begin(), different.end()}, numbers, lab::usual_losses());
  if (!kind.positive) return nb::make_tuple(task_for_loss(kind.loss), labels);
  nb::list flags;
  for (nb::handle given : labels)
    flags.append(given.is_none() ? nb::none() : nb::object(nb::bool_(class_name(to_label(given)) == *kind.positive)));
  return nb::make_tuple(task_for_loss(kind.loss), flags);
}

// Labels as a table has them; None is one that is never known. What cannot be a label is refused before anything is
// played.
class TableLabels {
 public:
  explicit TableLabels(const Model& model)
      : loss_(*model.loss()),
        as_label_(lab::label_as(loss_)),
        classes_(model.class_names(), model.names_classes() ? loss_.outputs() : 0) {}

  double read(nb::handle given) {
    if (given.is_none()) return data::kUnknownLabel;
    const LabelValue label = to_label(given);
    if (!classes_.names_classes()) return as_label_(label);
    const double number = classes_.read(label, loss_);
    classes_.add(label);
    return loss_.shown(number);
  }
  const std::vector<std::string>& classes() const { return classes_.names(); }

 private:
  const AnyLoss& loss_;
  data::AsLabel as_label_;
  LabelReader classes_;
};

lab::Table table_of(const Model& model, const nb::list& rows, const nb::list& labels, const std::vector<double>& seen,
                    const std::vector<double>& known) {
  if (!model.loss()) throw Error(Code::kBadInput, "a label needs a model with a loss");
  data::DatasetBuilder builder;
  TableLabels read(model);
  for (std::size_t i = 0; i < nb::len(rows); ++i) {
    GivenRow row;
    row.read(rows[i], "features", true);
    builder.named();
    for (const NamedFeature& feature : *row.named()) builder.add_named(feature.name, feature.value);
    builder.end_row(read.read(labels[i]), seen[i], known[i]);
  }
  lab::Dataset data = builder.take(1);
  data.classes = read.classes();
  return {std::make_shared<const lab::Dataset>(std::move(data)), *model.loss(), ""};
}

// The predictions, and (row, loss) for each label that is ever known. Rows are in order of time; `at_once`: each label
// is learnt before the next row.
nb::tuple replay(HeldModel& held, const nb::list& rows, const nb::list& labels, const std::vector<double>& seen,
                 const std::vector<double>& known, bool at_once) {
  if (nb::len(labels) != nb::len(rows) || seen.size() != nb::len(rows) || known.size() != seen.size())
    throw Error(Code::kBadInput, "rows, labels and times must be of one length");
  const Use use(held);
  const lab::Table table = table_of(held.model, rows, labels, seen, known);
  const Round rounds = table.data->rows();
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
  m.def("_task_of", task_of, "labels"_a,
        nb::sig("def _task_of(labels: list[typing.Any]) -> tuple[str, list[typing.Any]]"));
  m.def("_replay", replay, "model"_a, "rows"_a, "labels"_a, "seen"_a, "known"_a, "at_once"_a,
        nb::sig(
            "def _replay(model: Model, rows: list[dict[str, typing.Any]], labels: list[typing.Any], seen: list[float], "
            "known: list[float], at_once: bool) -> tuple[list[typing.Any], list[tuple[int, float]]]"));
}

}  // namespace tarry::python
