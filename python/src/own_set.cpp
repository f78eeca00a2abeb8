#include "own_set.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "errors.h"
#include "features.h"
#include "tarry/base/error.h"
#include "tarry/sets/registry.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

thread_local Own* handed = nullptr;

std::string class_of(nb::handle object) {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
  return nb::cast<std::string>(type.attr("__module__")) + "." + nb::cast<std::string>(type.attr("__qualname__"));
}

// An attribute, or what a method without arguments gives.
nb::object attribute(nb::handle object, const char* name) {
  if (!nb::hasattr(object, name)) throw_type_error(fmt::format("{}: a set must have {}", class_of(object), name));
  nb::object value = nb::getattr(object, name);
  return PyCallable_Check(value.ptr()) != 0 ? value() : value;
}

Vec point_of(nb::handle given, const std::string& name) {
  const nb::object array = contiguous(given, name.c_str(), 1);
  const auto values = reals_of(array);
  return {values.begin(), values.end()};
}

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

// Objects are let go with the interpreter's lock in hand, whichever thread does it.
struct LetGo {
  void operator()(nb::object* object) const {
    const nb::gil_scoped_acquire with_python;
    delete object;
  }
};

class OwnSet {
 public:
  explicit OwnSet(OwnObject object)
      : object_(std::move(object)),
        name_(class_of(*object_)),
        start_(point_of(attribute(*object_, "start"), name_ + ".start")) {
    const auto diameter = to_number(attribute(*object_, "diameter"));
    if (!diameter || !(*diameter >= 0) || !std::isfinite(*diameter))
      refuse(name_ + ".diameter must be a number that is not negative");
    diameter_ = *diameter;
    if (start_.empty()) refuse(name_ + ".start must have at least one coordinate");
    for (double x : start_)
      if (!std::isfinite(x)) refuse(name_ + ".start must be finite");
  }

  Need need() const { return Need::kDense; }
  Start start() const { return {.dimension = static_cast<Index>(start_.size()), .values = start_}; }
  double diameter() const { return diameter_; }

  Atom oracle(const Direction& c) const {
    const nb::gil_scoped_acquire with_python;
    const auto direction = c.dense();
    const nb::object given = to_array(Vec(direction.begin(), direction.end()));
    Vec vertex = point_of(object_->attr("oracle")(given), name_ + ".oracle");
    if (vertex.size() != start_.size())
      refuse(fmt::format("{}.oracle must give {} coordinates, as start has ({} came)", name_, start_.size(),
                         vertex.size()));
    for (double x : vertex)
      if (!std::isfinite(x)) refuse(fmt::format("{}.oracle must give finite coordinates ({} came)", name_, x));
    return {DenseAtom{std::move(vertex)}};
  }

  // A set that cannot tell says yes.
  bool contains(std::span<const double> x, double tolerance) const {
    const nb::gil_scoped_acquire with_python;
    if (!nb::hasattr(*object_, "contains")) return true;
    return nb::cast<bool>(nb::bool_(object_->attr("contains")(to_array(Vec(x.begin(), x.end())), tolerance)));
  }

 private:
  OwnObject object_;
  std::string name_;
  Vec start_;
  double diameter_ = 0;
};

static_assert(DecisionSet<OwnSet>);

AnySet make_own(const spec::Node& node) {
  const nb::gil_scoped_acquire with_python;
  const std::string name = node.text("class");
  const Index number = node.count("number", 0, 1 << 20), dimension = node.dimension();
  if (handed == nullptr || static_cast<std::size_t>(number) >= handed->size() ||
      class_of(*(*handed)[static_cast<std::size_t>(number)]) != name)
    node.fail_whole(
        fmt::format("the set {} is written in Python: hand in the object (own=[…], number {} of them)", name, number));
  OwnSet set((*handed)[static_cast<std::size_t>(number)]);
  if (set.start().dimension != dimension)
    node.fail_whole(fmt::format("{} has {} coordinates, not {}", name, set.start().dimension, dimension));
  return set;
}

}  // namespace

OwnObject own_object(nb::handle object) { return {new nb::object(nb::borrow(object)), LetGo{}}; }

Handed::Handed(Own& own) : before_(handed) { handed = &own; }
Handed::~Handed() { handed = before_; }

bool is_own_set(nb::handle given) { return !PyType_Check(given.ptr()) && nb::hasattr(given, "oracle"); }

spec::Value own_set_value(nb::handle given) {
  if (handed == nullptr) throw_type_error(class_of(given) + ": a set written in Python cannot stand here");
  const OwnObject object = own_object(given);
  const OwnSet made(object);  // checked before anything else is
  handed->push_back(object);
  return {spec::Object{{"type", spec::Value{std::string("own")}},
                       {"class", spec::Value{class_of(given)}},
                       {"dimension", spec::Value{made.start().dimension}},
                       {"number", spec::Value{static_cast<std::int64_t>(handed->size() - 1)}}}};
}

void add_own_sets() {
  add_set({"own",
           "A set written in Python",
           {{"class", "its module and name", ""}, {"dimension", "of its points", ""}, {"number", "of the objects", ""}},
           make_own,
           {R"({"type": "own", "class": "module.Class", "dimension": 2, "number": 0})"}});
}

}  // namespace tarry::python
