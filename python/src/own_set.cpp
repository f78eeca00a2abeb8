// Decision sets written in Python: any object with oracle(c), start and diameter.
#include <fmt/format.h>

#include <cmath>

#include "errors.h"
#include "features.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/sets/registry.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

// An attribute, or what a method without arguments gives.
nb::object attribute(nb::handle object, const char* name) {
  if (!nb::hasattr(object, name)) throw_type_error(fmt::format("{}: a set must have {}", name_of(object), name));
  nb::object value = nb::getattr(object, name);
  return PyCallable_Check(value.ptr()) != 0 ? value() : value;
}

class OwnSet {
 public:
  OwnSet(OwnObject object, Own own)
      : object_(std::move(object)),
        own_(std::move(own)),
        name_(name_of(*object_)),
        start_(point_of(attribute(*object_, "start"), name_ + ".start", 0)) {
    const auto diameter = to_number(attribute(*object_, "diameter"));
    if (!diameter || !(*diameter >= 0) || !std::isfinite(*diameter))
      throw Error(Code::kBadInput, name_ + ".diameter must be a number that is not negative");
    diameter_ = *diameter;
    if (start_.empty()) throw Error(Code::kBadInput, name_ + ".start must have at least one coordinate");
  }

  Need need() const { return Need::kDense; }
  Start start() const { return {.dimension = static_cast<Index>(start_.size()), .values = start_}; }
  double diameter() const { return diameter_; }

  Atom oracle(const Direction& c) const {
    const auto direction = c.dense();
    const std::uint64_t question = own_->answers.mode() == Answers::Mode::kOff ? 0 : question_of(direction);
    if (own_->answers.replays())
      if (const Vec* answer = own_->answers.find(question)) return {DenseAtom{*answer}};
    const nb::gil_scoped_acquire with_python;
    const nb::object given = to_array(direction);
    Vec vertex = point_of(object_->attr("oracle")(given), name_ + ".oracle", start_.size());
    if (own_->answers.records()) own_->answers.keep(question, vertex);
    return {DenseAtom{std::move(vertex)}};
  }

  // A set that cannot tell says yes.
  bool contains(std::span<const double> x, double tolerance) const {
    const nb::gil_scoped_acquire with_python;
    if (!nb::hasattr(*object_, "contains")) return true;
    return nb::cast<bool>(nb::bool_(object_->attr("contains")(to_array(x), tolerance)));
  }

 private:
  // Who is asked, and for which direction.
  std::uint64_t question_of(std::span<const double> direction) const {
    const auto bytes = std::as_bytes(direction);
    return hash_step(hash_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()}),
                     reinterpret_cast<std::uintptr_t>(object_.get()));
  }

  OwnObject object_;
  Own own_;
  std::string name_;
  Vec start_;
  double diameter_ = 0;
};

static_assert(DecisionSet<OwnSet>);

AnySet make_own_set(const spec::Node& node) {
  const nb::gil_scoped_acquire with_python;
  const Index dimension = node.dimension();
  const Found found = find_own(node, "set");
  OwnSet set(found.object, found.own);
  if (set.start().dimension != dimension)
    node.fail_whole(
        fmt::format("{} has {} coordinates, not {}", name_of(*found.object), set.start().dimension, dimension));
  return set;
}

}  // namespace

bool is_own_set(nb::handle given) { return !PyType_Check(given.ptr()) && nb::hasattr(given, "oracle"); }

Index dimension_of_own_set(const OwnObject& object) {
  return OwnSet(object, std::make_shared<OwnParts>()).start().dimension;
}

void add_own_sets() {
  add_set({"own",
           "A set written in Python",
           {{"class", "its module and name", ""}, {"dimension", "of its points", ""}, {"number", "of the objects", ""}},
           make_own_set,
           {}});  // no specification that is written down can have one
}

}  // namespace tarry::python
