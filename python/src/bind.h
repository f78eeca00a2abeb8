// What each binding file adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace tarry::python {

void bind_set(nanobind::module_& m);          // sets/: Set, for learners written in Python
void bind_model(nanobind::module_& m);        // model/: Model, Decision, explain
void bind_registries(nanobind::module_& m);   // sets/, learners/, losses/, tasks and the lab's: what a spec can name
void bind_theory(nanobind::module_& m);       // theory/
void bind_lab(nanobind::module_& m);          // lab/: run, verify
void bind_late_labels(nanobind::module_& m);  // lab/, for frames

}  // namespace tarry::python
