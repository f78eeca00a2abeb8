// Losses written in Python: an object with value(prediction, label) and slope(prediction, label), or a function that
// gives the value, or the value and the slope. Of a value alone the slope is found by differences.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <bit>
#include <cmath>

#include "errors.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/losses/registry.h"
#include "tarry/losses/regression.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

constexpr double kStep = 0x1p-18;  // of central differences, relative: rounding and curvature weigh alike

class OwnLoss {
 public:
  explicit OwnLoss(const Found& found)
      : object_(found.object),
        own_(found.own),
        name_(name_of(*object_)),
        has_methods_(nb::hasattr(*object_, "value") && nb::hasattr(*object_, "slope")),
        has_label_(nb::hasattr(*object_, "label")),
        has_shown_(nb::hasattr(*object_, "shown")) {
    if (!is_own_loss(*object_))
      throw_type_error(fmt::format("{}: a loss must be a function, or have value and slope", name_));
  }

  double value(double p, double y) const {
    return asked(kValue, p, y, [&] { return has_methods_ ? call("value", p, y) : called(p, y).first; });
  }
  double slope(double p, double y) const {
    return asked(kSlope, p, y, [&] {
      if (has_methods_) return call("slope", p, y);
      const auto [value, slope] = called(p, y);
      if (slope) return *slope;
      const double step = kStep * std::max(1.0, std::fabs(p)), up = p + step, down = p - step;
      return number((called(up, y).first - called(down, y).first) / (up - down));
    });
  }
  double label(double y) const {
    if (!has_label_) return finite_label(y);
    return finite_label(asked(kLabel, 0, y, [&] { return number_of(object_->attr("label")(y)); }));
  }
  double shown(double p) const {
    if (!has_shown_) return p;
    return asked(kShown, p, 0, [&] { return number_of(object_->attr("shown")(p)); });
  }

 private:
  enum Question : std::uint64_t { kValue, kSlope, kLabel, kShown };

  template <class F>
  double asked(Question what, double p, double y, const F& answer) const {
    Answers& answers = own_->answers;
    std::uint64_t question = hash_step(reinterpret_cast<std::uintptr_t>(object_.get()), what);
    for (const double x : {p, y}) question = hash_step(question, std::bit_cast<std::uint64_t>(x));
    if (answers.replays())
      if (const Vec* before = answers.find(question)) return before->front();
    const nb::gil_scoped_acquire with_python;
    const double found = answer();
    if (answers.records()) answers.keep(question, {found});
    return found;
  }

  double number(double x) const {
    if (!std::isfinite(x)) throw Error(Code::kBadInput, fmt::format("{} must give finite numbers ({} came)", name_, x));
    return x;
  }
  double number_of(nb::handle given) const {
    const auto x = to_number(given);
    if (!x) throw_type_error(fmt::format("{} must give numbers ({} came)", name_, kind_of(given)));
    return number(*x);
  }
  double call(const char* method, double p, double y) const { return number_of(object_->attr(method)(p, y)); }
  // A function's value, and its slope where it gives it.
  std::pair<double, std::optional<double>> called(double p, double y) const {
    const nb::object given = (*object_)(p, y);
    if (!PyTuple_Check(given.ptr())) return {number_of(given), std::nullopt};
    if (nb::len(given) != 2) throw_type_error(name_ + " must give a value, or a value and a slope");
    return {number_of(given[0]), number_of(given[1])};
  }

  OwnObject object_;
  Own own_;
  std::string name_;
  bool has_methods_, has_label_, has_shown_;
};

static_assert(Loss<OwnLoss>);

AnyLoss make_own_loss(const spec::Node& node) {
  const nb::gil_scoped_acquire with_python;
  return OwnLoss(find_own(node, "loss"));
}

}  // namespace

bool is_own_loss(nb::handle given) {
  if (PyType_Check(given.ptr())) return false;
  return PyCallable_Check(given.ptr()) != 0 || (nb::hasattr(given, "value") && nb::hasattr(given, "slope"));
}

void add_own_losses() {
  add_loss({"own",
            "A loss written in Python",
            {{"class", "its module and name", ""}, {"number", "of the objects", ""}},
            make_own_loss,
            {}});  // no specification that is written down can have one
}

}  // namespace tarry::python
