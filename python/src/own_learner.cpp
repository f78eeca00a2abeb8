// Learners written in Python: any object with play(round, features, memo), which gives the decision in full, and
// receive(round, gradient, memo); save() and load(data) for snapshots; begin(set) and abandon(round, memo) where they
// are there. What plays is a copy of the object that was handed in, so that models and pools share none.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <algorithm>

#include "errors.h"
#include "features.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

nb::object in_full(const Covector& x, std::size_t size) {
  Vec full(size, 0.0);
  x.each([&](Index i, double value) { full[static_cast<std::size_t>(i)] = value; });
  return to_array(full);
}

class OwnLearner {
 public:
  OwnLearner(const Found& found, const LearnerSetting& setting)
      : own_(found.own), name_(name_of(*found.object)), x_(start_point(setting.shape())) {
    if (own_->answers.replays()) return;  // nobody will call it
    const nb::gil_scoped_acquire with_python;
    for (const char* method : {"play", "receive", "save", "load"})
      if (!nb::hasattr(*found.object, method))
        throw_type_error(fmt::format("{}: a learner must have {}", name_, method));
    object_ = own_object(nb::module_::import_("copy").attr("deepcopy")(*found.object));
    std::erase_if(own_->playing, [](const auto& one) { return one.expired(); });
    own_->playing.push_back(object_);
    if (nb::hasattr(*object_, "begin")) object_->attr("begin")(set_for_python(setting));
  }

  double play(Round t, const Covector* features, Memo& memo) {
    if (own_->answers.replays()) {
      const Answers::Played& before = own_->answers.next();
      x_ = before.decision;
      memo = before.memo;
    } else {
      ask(t, features, memo);
    }
    return features != nullptr ? predict(*features) : 0;
  }
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }

  void receive(Round t, const Feedback& feedback, const Memo& memo) {
    if (own_->answers.replays()) return;
    const nb::gil_scoped_acquire with_python;
    object().attr("receive")(t, in_full(feedback.gradient, x_.size()), listed(memo));
  }
  void abandon(Round t, const Memo& memo) {
    if (own_->answers.replays()) return;
    const nb::gil_scoped_acquire with_python;
    if (nb::hasattr(object(), "abandon")) object().attr("abandon")(t, listed(memo));
  }

  void save(ByteWriter& out) const {
    out.reals(x_);
    if (own_->answers.replays()) return out.text("");  // is put in its place afterwards
    const nb::gil_scoped_acquire with_python;
    const nb::object state = object().attr("save")();
    if (!PyBytes_Check(state.ptr()))
      throw_type_error(fmt::format("{}.save must give bytes ({} came)", name_, kind_of(state)));
    out.text({PyBytes_AsString(state.ptr()), static_cast<std::size_t>(PyBytes_Size(state.ptr()))});
  }
  void load(ByteReader& in) {
    x_ = in.finites(x_.size());
    const std::string_view state = in.view();
    if (own_->answers.replays()) return;
    const nb::gil_scoped_acquire with_python;
    object().attr("load")(nb::bytes(state.data(), state.size()));
  }
  Index dimension() const { return static_cast<Index>(x_.size()); }

 private:
  // There is none where a model was being taken back and could not be.
  nb::object& object() const {
    if (!object_) throw Error(Code::kInternal, name_ + ": the model cannot be used further, since load failed");
    return *object_;
  }

  static nb::list listed(const Memo& memo) {
    nb::list list;
    for (const double x : memo) list.append(x);
    return list;
  }

  void ask(Round t, const Covector* features, Memo& memo) {
    const nb::gil_scoped_acquire with_python;
    const nb::object given = features != nullptr ? in_full(*features, x_.size()) : nb::none();
    nb::list kept;
    Vec x = point_of(object().attr("play")(t, given, kept), name_ + ".play", x_.size());
    for (nb::handle element : kept) {
      const auto number = to_number(element);
      if (!number) throw_type_error(fmt::format("{}.play: a memo holds numbers ({} came)", name_, kind_of(element)));
      memo.push_back(*number);
    }
    if (own_->answers.records()) own_->answers.keep(Answers::Played{x, memo});
    x_ = std::move(x);
  }

  OwnObject object_;
  Own own_;
  std::string name_;
  Vec x_;  // what it played last
};

static_assert(Learner<OwnLearner>);

AnyLearner make_own_learner(const spec::Node& node, const LearnerSetting& setting) {
  const nb::gil_scoped_acquire with_python;
  return OwnLearner(find_own(node, "learner"), setting);
}

}  // namespace

bool is_own_learner(nb::handle given) {
  return !PyType_Check(given.ptr()) && nb::hasattr(given, "play") && nb::hasattr(given, "receive");
}

void add_own_learners() {
  add_learner({"own",
               "A learner written in Python",
               {{"class", "its module and name", ""}, {"number", "of the objects", ""}},
               make_own_learner,
               {}});  // no specification that is written down can have one
}

}  // namespace tarry::python
