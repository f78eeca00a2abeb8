// What a play answers, as Python sees it.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "held_model.h"

namespace tarry::python {

struct Decision {
  Fingerprint fingerprint = {};
  Round round = 0;
  Round expired = 0;
  bool duplicate = false;
  nanobind::object prediction, scores, decision, allocation, sample, probe;  // None where there is none

  nanobind::str ticket() const { return ticket_of(fingerprint, round); }
};

// A number, the probability of true, a class, or None where no class has a name yet.
nanobind::object prediction_of(const Model& model, const Model::Outcome& outcome);
// The probability of each class by its name; None for models that do not predict classes.
nanobind::object scores_of(const Model& model, const Model::Outcome& outcome);
// The name of a class, or its number where classes have none.
nanobind::object class_at(const Model& model, std::size_t at);

Decision make_decision(const HeldModel& held, const Model::Outcome& outcome, bool with_features, Vec point,
                       const std::optional<SparseVector>& sample);

// "applied", "duplicate" or "expired"; `unknown` throws UnknownTicket.
nanobind::object answer_of(const Model::Outcome& outcome);

void bind_decision(nanobind::module_& m);
void bind_events(nanobind::class_<HeldModel>& model);
Index release_from(Index numbers);  // of a row, for which the interpreter's lock is given up; what it was before
void bind_batches(nanobind::module_& m, nanobind::class_<HeldModel>& model);

}  // namespace tarry::python
