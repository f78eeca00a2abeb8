#include "own.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>

#include "errors.h"
#include "features.h"
#include "tarry/base/error.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

constexpr Index kMost = 4096;  // objects of one model or experiment

thread_local Own handed;

// The experiments that run, by the number of their first object.
std::mutex running_mutex;
std::map<Index, Own>& running() {
  static std::map<Index, Own> all;
  return all;
}

Own own_with(Index number) {
  const auto has = [&](const Own& own) {
    return own && number >= own->first && number - own->first < static_cast<Index>(own->objects.size());
  };
  if (handed) return has(handed) ? handed : nullptr;
  const std::lock_guard lock(running_mutex);
  const auto found = running().find(number - number % kMost);
  return found != running().end() && has(found->second) ? found->second : nullptr;
}

// Objects are let go with the interpreter's lock in hand, whichever thread does it.
struct LetGo {
  void operator()(nb::object* object) const {
    const nb::gil_scoped_acquire with_python;
    delete object;
  }
};

}  // namespace

OwnObject own_object(nb::handle object) { return {new nb::object(nb::borrow(object)), LetGo{}}; }

Handed::Handed(Own own) : before_(std::move(handed)) { handed = std::move(own); }
Handed::~Handed() { handed = std::move(before_); }

HandedToAll::HandedToAll(Own own) : own_(std::move(own)) {
  const std::lock_guard lock(running_mutex);
  while (running().contains(own_->first)) own_->first += kMost;
  running()[own_->first] = own_;
}

HandedToAll::~HandedToAll() {
  const std::lock_guard lock(running_mutex);
  running().erase(own_->first);
}

std::string name_of(nb::handle object) {
  nb::handle named = object;
  if (!nb::hasattr(object, "__qualname__")) named = nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
  const nb::object module = nb::getattr(named, "__module__", nb::none());
  const std::string name = nb::cast<std::string>(nb::str(named.attr("__qualname__")));
  return module.is_none() ? name : nb::cast<std::string>(nb::str(module)) + "." + name;
}

bool is_own(nb::handle given) { return is_own_learner(given) || is_own_set(given) || is_own_loss(given); }

spec::Value own_value(nb::handle given) {
  if (!handed) throw_type_error(name_of(given) + ": an object written in Python cannot stand here");
  if (static_cast<Index>(handed->objects.size()) >= kMost)
    throw Error(Code::kBadSpec, fmt::format("at most {} objects written in Python can stand here", kMost));
  const OwnObject object = own_object(given);
  const bool is_set = is_own_set(given) && !is_own_learner(given);
  const Index dimension = is_set ? dimension_of_own_set(object) : 0;  // checked before anything else is
  const std::int64_t number = handed->first + static_cast<std::int64_t>(handed->objects.size());
  handed->objects.push_back(object);
  spec::Object value{{"type", spec::Value{std::string("own")}},
                     {"class", spec::Value{name_of(given)}},
                     {"dimension", spec::Value{dimension}},
                     {"number", spec::Value{number}}};
  if (!is_set) value.erase(value.begin() + 2);
  return {std::move(value)};
}

Found find_own(const spec::Node& node, const char* kind) {
  const std::string name = node.text("class");
  const Index number = node.count("number", 0, Index{1} << 40);
  const Own own = own_with(number);
  const OwnObject object = own ? own->objects[static_cast<std::size_t>(number - own->first)] : nullptr;
  if (!object || name_of(*object) != name)
    node.fail_whole(fmt::format("the {} {} is written in Python: hand in the object (own=[…], number {} of them)", kind,
                                name, number));
  return {object, own};
}

Vec point_of(nb::handle given, const std::string& name, std::size_t size) {
  const nb::object array = contiguous(given, name.c_str(), 1);
  const auto values = reals_of(array);
  if (size != 0 && values.size() != size)
    throw Error(Code::kBadInput, fmt::format("{} must give {} coordinates ({} came)", name, size, values.size()));
  for (const double x : values)
    if (!std::isfinite(x))
      throw Error(Code::kBadInput, fmt::format("{} must give finite coordinates ({} came)", name, x));
  return {values.begin(), values.end()};
}

}  // namespace tarry::python
