// theory/: the regret that learners cannot exceed, and the steps that the theorems ask for.
#include <nanobind/nanobind.h>

#include "bind.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/step_size.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

using theory::Scene;

// A bound that takes nothing but the scene.
void bound(nb::module_& m, const char* name, double (*f)(const Scene&), const char* about) {
  m.def(
      name,
      [f](double diameter, double gradient_bound, double rounds, double mean_delay, double largest_delay) {
        return f({diameter, gradient_bound, rounds, mean_delay, largest_delay});
      },
      nb::kw_only(), "diameter"_a, "gradient_bound"_a, "rounds"_a, "mean_delay"_a = 1.0, "largest_delay"_a = 1.0,
      about);
}

// One that takes a constant of the losses or of the set beside it.
void bound_with(nb::module_& m, const char* name, const char* constant, double (*f)(const Scene&, double),
                const char* about) {
  m.def(
      name,
      [f](double diameter, double gradient_bound, double rounds, double extra, double mean_delay,
          double largest_delay) {
        return f({diameter, gradient_bound, rounds, mean_delay, largest_delay}, extra);
      },
      nb::kw_only(), "diameter"_a, "gradient_bound"_a, "rounds"_a, nb::arg(constant), "mean_delay"_a = 1.0,
      "largest_delay"_a = 1.0, about);
}

}  // namespace

void bind_theory(nb::module_& m) {
  nb::module_ t = m.def_submodule("theory", "What regret cannot exceed; docs/theory.md states each with its source.");
  bound(t, "ofw_general", theory::ofw_general, "Algorithm 1 on any set: Theorem 1.");
  bound(t, "ofw_delay_aware", theory::ofw_delay_aware, "Algorithm 1 with a step that knows the mean delay.");
  bound(t, "ofw_unknown_horizon", theory::ofw_unknown_horizon, "Algorithm 1 that restarts, without a horizon.");
  bound(t, "ogd", theory::ogd, "Delayed gradient descent with its own step.");
  bound_with(t, "ofw_strongly_convex_set", "set_convexity", theory::ofw_strongly_convex_set,
             "Algorithm 1 on a strongly convex set: Theorem 2.");
  bound_with(t, "ofw_sc_general", "beta", theory::ofw_sc_general, "Algorithm 2, strongly convex losses: Theorem 3.");
  t.def("ofw_eta_general", theory::ofw_eta_general, "diameter"_a, "gradient_bound"_a, "horizon"_a,
        "The step of Theorem 1: D / (G T^(3/4)).");
  t.def("ogd_eta", theory::ogd_eta, "diameter"_a, "gradient_bound"_a, "horizon"_a, "mean_delay"_a,
        "The step of delayed gradient descent.");
}

}  // namespace tarry::python
