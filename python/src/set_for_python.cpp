// sets/: a decision set as a learner written in Python sees it.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include "bind.h"
#include "features.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/model/feature_care.h"
#include "tarry/sets/registry.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

struct SetView {
  AnySet set;
  Vec start;
};

Vec vector_of(const SetView& x, nb::handle given, const char* name) {
  const nb::object array = contiguous(given, name, 1);
  const auto values = reals_of(array);
  check_vector(Covector::dense(values), name, x.set.dimension(), "the set's dimension");
  return {values.begin(), values.end()};
}

nb::object oracle(const SetView& x, nb::handle direction) {
  const Vec c = vector_of(x, direction, "direction");
  Vec vertex(c.size());
  write(x.set.oracle(DenseDirection(c, x.set.shape())), vertex);
  return to_array(vertex);
}

nb::object project(const SetView& x, nb::handle point) {
  if (!x.set.can_project()) throw Error(Code::kUnsupported, "the set has no cheap projection");
  Vec nearest = vector_of(x, point, "point");
  x.set.project(nearest);
  return to_array(nearest);
}

}  // namespace

nb::object set_for_python(const LearnerSetting& setting) {
  return nb::cast(SetView{setting.set, start_point(setting.shape())});
}

void bind_set(nb::module_& m) {
  nb::class_<SetView>(m, "Set", "A decision set: what a learner written in Python gets in `begin`.")
      .def(
          "__init__",
          [](SetView* self, nb::handle spec) {
            const Handed objects(std::make_shared<OwnParts>());
            const spec::Value given = to_value(spec, "set");
            const AnySet set = make_set(spec::Node(given, "set"));
            new (self) SetView{set, start_point(set.shape())};
          },
          "spec"_a, nb::sig("def __init__(self, spec: typing.Any) -> None"))
      .def_prop_ro(
          "dimension", [](const SetView& x) { return x.set.dimension(); }, "The dimension of its points.")
      .def_prop_ro(
          "start", [](const SetView& x) { return to_array(x.start); },
          nb::sig("def start(self) -> numpy.typing.NDArray[numpy.float64]"),
          "A point of the set to start from: the model's `initial` if it has one.")
      .def_prop_ro(
          "diameter", [](const SetView& x) { return x.set.diameter(); }, "The largest distance of two points, or more.")
      .def("oracle", oracle, "direction"_a,
           nb::sig("def oracle(self, direction: typing.Any) -> numpy.typing.NDArray[numpy.float64]"),
           "The point with the smallest inner product with a direction.")
      .def(
          "contains",
          [](const SetView& x, nb::handle point, double tolerance) {
            return x.set.contains(vector_of(x, point, "point"), tolerance);
          },
          "point"_a, "tolerance"_a = 1e-9,
          nb::sig("def contains(self, point: typing.Any, tolerance: float = 1e-09) -> bool"),
          "Whether a point is in the set, up to a tolerance relative to its size.")
      .def_prop_ro(
          "can_project", [](const SetView& x) { return x.set.can_project(); }, "Whether the set has `project`.")
      .def("project", project, "point"_a,
           nb::sig("def project(self, point: typing.Any) -> numpy.typing.NDArray[numpy.float64]"),
           "The nearest point of the set, if it has a cheap projection.")
      .def("__repr__", [](const SetView& x) { return fmt::format("<tarry.Set of {}>", x.set.dimension()); })
      .def(
          "__copy__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __copy__(self) -> Set"))
      .def(
          "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: typing.Any) -> Set"));
}

}  // namespace tarry::python
