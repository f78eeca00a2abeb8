// What a specification can name: tasks, sets, learners, losses, and the lab's delays and streams; sets answer
// directions.
#include <nanobind/nanobind.h>

#include "bind.h"
#include "errors.h"
#include "features.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/lab/delays/delays.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/feature_care.h"
#include "tarry/model/tasks.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

template <class Entries>
nb::dict listed(const Entries& entries) {
  nb::dict all;
  for (const auto& entry : entries) {
    if (entry.name == "own") continue;  // no specification that is written down can have one
    nb::dict keys;
    for (const spec::Key& key : entry.keys) {
      nb::dict about;
      about["wanted"] = as_str(key.wanted);
      about["required"] = key.fallback.empty();
      if (!key.fallback.empty() && key.fallback != "optional") about["default"] = as_str(key.fallback);
      keys[as_str(key.name)] = about;
    }
    nb::list examples;
    for (const std::string& example : entry.examples) examples.append(to_python(spec::parse_json(example)));
    nb::dict about;
    about["summary"] = as_str(entry.summary);
    about["keys"] = keys;
    about["examples"] = examples;
    all[as_str(entry.name)] = about;
  }
  return all;
}

// The point of a set with the smallest inner product with c, and that inner product.
nb::tuple oracle_of_spec(nb::handle set, nb::handle direction) {
  const Handed objects(std::make_shared<OwnParts>());
  const spec::Value given = to_value(set, "set");
  const AnySet made = make_set(spec::Node(given, "set"));
  const nb::object array = contiguous(direction, "direction", 1);
  const auto c = reals_of(array);
  check_vector(Covector::dense(c), "direction", made.dimension(), "the set's dimension");
  const Atom vertex = made.oracle(DenseDirection(c, made.shape()));
  Vec v(c.size());
  write(vertex, v);
  const double value = inner(vertex, c);
  return nb::make_tuple(to_array(std::move(v)), value);
}

}  // namespace

void bind_registries(nb::module_& m) {
  m.def(
      "tasks", [] { return listed(task_registry()); }, nb::sig("def tasks() -> dict[str, typing.Any]"),
      "The tasks by name: summary, keys and examples of each.");
  m.def(
      "sets", [] { return listed(set_registry()); }, nb::sig("def sets() -> dict[str, typing.Any]"),
      "The decision sets by name: summary, keys and examples.");
  m.def(
      "learners", [] { return listed(learner_registry()); }, nb::sig("def learners() -> dict[str, typing.Any]"),
      "The learners by name: summary, keys and examples.");
  m.def(
      "losses", [] { return listed(loss_registry()); }, nb::sig("def losses() -> dict[str, typing.Any]"),
      "The losses by name: summary, keys and examples.");
  m.def(
      "delays", [] { return listed(lab::delay_registry()); }, nb::sig("def delays() -> dict[str, typing.Any]"),
      "The lab's models of delay by name.");
  m.def(
      "streams", [] { return listed(lab::stream_registry()); }, nb::sig("def streams() -> dict[str, typing.Any]"),
      "The lab's streams by name.");
  m.def("oracle", oracle_of_spec, "set"_a, "direction"_a,
        nb::sig(
            "def oracle(set: typing.Any, direction: typing.Any) -> tuple[numpy.typing.NDArray[numpy.float64], float]"),
        "The point of a set with the smallest inner product with a direction, and that inner product.\n\n"
        ">>> import tarry\n"
        ">>> tarry.oracle({'type': 'l1_ball', 'dimension': 2, 'radius': 1.5}, [3, -4])\n"
        "(array([0. , 1.5]), -6.0)");
}

}  // namespace tarry::python
