// A table's rows as a program of another kind of learner reads them: what `tarry run --beside` hands over.
#pragma once

#include <string>

#include "tarry/lab/plan/experiment.h"

namespace tarry::lab {

// Lines of JSON: first {"label": "number", "two classes" or "classes"}, then for each row, in the order of their times,
// {"x": its features, "y": a number, 0 or 1, or the place of a class; null: it never came, "seen", "known": times or
// null}. Throws Error{kBadInput} where the experiment's first stream is no table with times.
std::string rival_rows(const Experiment& experiment);

}  // namespace tarry::lab
