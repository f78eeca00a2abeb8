#include "decision.h"

#include <fmt/format.h>

#include "errors.h"
#include "features.h"
#include "tarry/model/reply.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

nb::object interned(const char* word) { return nb::steal(PyUnicode_InternFromString(word)); }

nb::object by_name(const Model& model, const Vec& point) {
  if (model.names().empty()) return nb::none();
  nb::dict named;
  for (std::size_t i = 0; i < point.size(); ++i) named[as_str(model.names()[i])] = point[i];
  return named;
}

std::string repr_of_decision(const Decision& x) {
  std::string out = std::string("Decision(ticket='") + x.ticket().c_str() + "'";
  const auto add = [&](const char* name, nb::handle value) {
    if (!value.is_none()) out += fmt::format(", {}={}", name, nb::cast<std::string>(nb::repr(value)));
  };
  add("prediction", x.prediction);
  add("decision", x.decision);
  if (x.duplicate) out += ", answer='duplicate'";
  return out + ")";
}

}  // namespace

nb::object class_at(const Model& model, std::size_t at) {
  if (model.names_classes()) return as_str(model.class_names()[at]);
  const double label = model.shown(static_cast<double>(at));
  return nb::int_(static_cast<std::int64_t>(label));
}

nb::object prediction_of(const Model& model, const Model::Outcome& outcome) {
  if (outcome.scores.empty()) return nb::float_(model.shown(outcome.prediction));
  const auto likeliest = static_cast<std::size_t>(outcome.prediction);
  if (model.names_classes() && likeliest >= model.class_names().size()) return nb::none();
  return class_at(model, likeliest);
}

nb::object scores_of(const Model& model, const Model::Outcome& outcome) {
  if (outcome.scores.empty()) return nb::none();
  const Vec p = model.probabilities(outcome.scores);
  nb::dict scores;
  for (std::size_t c = 0; c < p.size(); ++c) scores[class_at(model, c)] = p[c];
  return scores;
}

Decision make_decision(const HeldModel& held, const Model::Outcome& outcome, bool with_features, Vec point,
                       const std::optional<SparseVector>& sample) {
  const Model& model = held.model;
  Decision made{.fingerprint = held.fingerprint,
                .round = outcome.round,
                .expired = outcome.expired,
                .duplicate = outcome.answer == Answer::kDuplicate,
                .prediction = nb::none(),
                .scores = nb::none(),
                .decision = nb::none(),
                .allocation = nb::none(),
                .sample = nb::none(),
                .probe = nb::none()};
  if (sample) {
    nb::dict entries;
    for (std::size_t i = 0; i < sample->indices.size(); ++i) entries[nb::int_(sample->indices[i])] = sample->values[i];
    made.sample = entries;
  }
  if (with_features) {
    made.prediction = prediction_of(model, outcome);
    made.scores = scores_of(model, outcome);
  } else if (!made.duplicate) {
    made.allocation = by_name(model, point);
    made.decision = to_array(std::move(point));
    if (model.probes()) made.probe = to_array(model.probe());
  }
  return made;
}

nb::object answer_of(const Model::Outcome& outcome) {
  static PyObject* const words[] = {interned("applied").release().ptr(),  interned("duplicate").release().ptr(),
                                    interned("unknown").release().ptr(),  interned("expired").release().ptr(),
                                    interned("conflict").release().ptr(), interned("untracked").release().ptr()};
  if (outcome.answer == Answer::kUnknown)
    throw_unknown_ticket(fmt::format("round {} has not been played", outcome.round));
  return nb::borrow(words[static_cast<std::size_t>(outcome.answer)]);
}

void bind_decision(nb::module_& m) {
  nb::class_<Decision>(m, "Decision", "What a model answered when a round was opened.")
      .def_prop_ro("ticket", &Decision::ticket,
                   "Identifies the round: pass it to `Model.learn`. Valid for every copy of the model.")
      .def_ro("round", &Decision::round, "The round's number, from 1.")
      .def_ro("prediction", &Decision::prediction, nb::sig("def prediction(self) -> typing.Any"),
              "A number, the probability of True, or a class; None if the play had no features.")
      .def_ro("scores", &Decision::scores, nb::sig("def scores(self) -> dict[typing.Any, float] | None"),
              "The probability of each class; None unless the model predicts classes.")
      .def_ro("decision", &Decision::decision,
              nb::sig("def decision(self) -> numpy.typing.NDArray[numpy.float64] | None"),
              "The point played, an array; None if the play had features.")
      .def_ro("allocation", &Decision::allocation, nb::sig("def allocation(self) -> dict[str, float] | None"),
              "The point by name, if the model's coordinates have names.")
      .def_ro("sample", &Decision::sample, nb::sig("def sample(self) -> dict[int, float] | None"),
              "One vertex drawn with the decision's weights, {coordinate: value}; None unless the learner samples.")
      .def_ro("probe", &Decision::probe, nb::sig("def probe(self) -> numpy.typing.NDArray[numpy.float64] | None"),
              "The second point whose loss the learner wants to know; None unless it wants one.")
      .def_ro("expired", &Decision::expired, "How many rounds this play gave up.")
      .def_prop_ro(
          "answer", [](const Decision& x) { return x.duplicate ? "duplicate" : "applied"; },
          "'duplicate' where the key was played before: this is then the first answer again.")
      .def("__repr__", repr_of_decision);
}

}  // namespace tarry::python
