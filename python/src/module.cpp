// The extension module tarry._tarry.
#include <nanobind/nanobind.h>

#include "bind.h"
#include "errors.h"
#include "own.h"
#include "tarry/base/version.h"
#ifdef TARRY_HAS_ORACLES
#include "tarry/oracles/add_sets.h"
#endif

NB_MODULE(_tarry, m) {
  m.doc() = "What the Python package is made of; import tarry instead.";
  m.attr("__version__") = tarry::kVersion;
#ifdef TARRY_HAS_ORACLES
  tarry::oracles::add_sets();
#endif
  tarry::python::add_own_sets();
  tarry::python::add_own_learners();
  tarry::python::add_own_losses();
  tarry::python::bind_errors();
  tarry::python::bind_set(m);
  tarry::python::bind_model(m);
  tarry::python::bind_registries(m);
  tarry::python::bind_theory(m);
  tarry::python::bind_lab(m);
  tarry::python::bind_late_labels(m);
}
