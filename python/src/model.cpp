// model/: what a model can do, for Python.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bind.h"
#include "choice.h"
#include "decision.h"
#include "errors.h"
#include "features.h"
#include "held_model.h"
#include "tarry/base/error.h"
#include "tarry/model/explanation_text.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "tarry/spec/json.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

// A text where an object with a `type` stands: {"type": text}.
void spell_out(spec::Value& spec, const char* key) {
  auto* members = std::get_if<spec::Object>(&spec.as);
  for (auto& [name, value] : *members)
    if (name == key && std::holds_alternative<std::string>(value.as))
      value = {spec::Object{{"type", spec::Value{value}}}};
}

ModelSpec read_spec(nb::handle task, const nb::kwargs& keys) {
  spec::Object members;
  if (const auto text = to_text(task)) {
    if (text->starts_with("{"))
      members = std::get<spec::Object>(spec::parse_json(*text).as);
    else
      members.emplace_back("task", spec::Value{std::string(*text)});
  } else if (!task.is_none()) {
    const spec::Value given = to_value(task, "model");
    if (!std::holds_alternative<spec::Object>(given.as))
      throw_type_error("a model must be a task's name or a dict (" + kind_of(task) + " came)");
    members = std::get<spec::Object>(given.as);
  }
  for (const auto& [key, value] : keys) {
    const std::string name = nb::cast<std::string>(key);
    if (value.is_none()) continue;
    if (std::any_of(members.begin(), members.end(), [&](const auto& m) { return m.first == name; }))
      throw Error(Code::kBadSpec, fmt::format("model: {} is given twice", name));
    members.emplace_back(name, to_value(value, name));
  }
  spec::Value spec{std::move(members)};
  for (const char* key : {"set", "learner", "loss"}) spell_out(spec, key);
  return ModelSpec::read(spec);
}

nb::object weights(const HeldModel& held, Index most) {
  if (most < 0) throw Error(Code::kBadInput, fmt::format("most must not be negative (most = {})", most));
  std::vector<Model::Weight> found;
  {
    const Use use(held, true);
    found = held.model.weights(static_cast<std::size_t>(most));
  }
  nb::dict all;
  const auto put = [](nb::dict& where, const Model::Weight& w) {
    const nb::str name(w.name.c_str(), w.name.size());
    if (!where.contains(name)) where[name] = w.weight;
  };
  for (const Model::Weight& w : found) {
    if (w.of_class.empty()) {
      put(all, w);
      continue;
    }
    const nb::str of(w.of_class.c_str(), w.of_class.size());
    if (!all.contains(of)) all[of] = nb::dict();
    nb::dict inside = nb::cast<nb::dict>(all[of]);
    put(inside, w);
  }
  return all;
}

nb::list waiting(const HeldModel& held, Index most) {
  nb::list tickets;
  const Use use(held);
  for (Round round : held.model.ledger().waiting(most < 0 ? SIZE_MAX : static_cast<std::size_t>(most)))
    tickets.append(held.ticket(round));
  return tickets;
}

std::string repr_of_model(const HeldModel& held) {
  const Use use(held);
  const Ledger& ledger = held.model.ledger();
  return fmt::format("<tarry.Model {}: {} round{}, {} waiting>", held.kind, ledger.issued(),
                     ledger.issued() == 1 ? "" : "s", ledger.outstanding());
}

Explanation explain_spec(const ModelSpec& spec, std::optional<double> horizon, double gradient_bound) {
  const nb::gil_scoped_release released;
  return explain(spec, horizon ? std::optional(Horizon{*horizon, gradient_bound}) : std::nullopt);
}

nb::object as_pair(const Explanation& told) {
  return nb::make_tuple(to_python(spec::parse_json(explanation_json(told))), explanation_text(told));
}

// What each feature of a row adds to its prediction.
nb::object contributions(const HeldModel& held, nb::handle features) {
  GivenRow row;
  row.read(features, "features", held.model.features().takes_names());
  constexpr std::size_t kAll = 1 << 20, kShown = 20;
  Contributions told;
  {
    const Use use(held, true);
    told = held.model.contributions(row.view());
  }
  return nb::make_tuple(to_python(to_value(told, kAll)), contributions_text(told, kShown), nb::cast(told.prediction));
}

// A property that is read while nobody changes the model.
template <class F>
auto reading(F f) {
  return [f](const HeldModel& held) {
    const Use use(held);
    return f(held.model);
  };
}

// What is written in Python: the objects that were handed in, and the learners that play.
std::vector<OwnObject> written_in_python(const HeldModel& held) {
  std::vector<OwnObject> all;
  if (!held.own) return all;
  all = held.own->objects;
  for (const auto& one : held.own->playing)
    if (OwnObject learner = one.lock()) all.push_back(std::move(learner));
  return all;
}

// They may lead back to their model.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const OwnObject& object : written_in_python(*nb::inst_ptr<HeldModel>(self))) Py_VISIT(object->ptr());
  return 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self))
    for (const OwnObject& object : written_in_python(*nb::inst_ptr<HeldModel>(self))) *object = nb::none();
  return 0;
}

// The learners that play stand for the objects that they are copies of.
nb::list own_of_model(const HeldModel& held) {
  nb::list all;
  for (const OwnObject& object : written_in_python(held))
    if (!is_own_learner(*object) ||
        std::find(held.own->objects.begin(), held.own->objects.end(), object) == held.own->objects.end())
      all.append(*object);
  return all;
}

PyType_Slot kCollected[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};

}  // namespace

void bind_model(nb::module_& m) {
  bind_decision(m);
  nb::class_<HeldModel> model(
      m, "Model", nb::type_slots(kCollected),
      "A model predicts or decides, remembers what is waiting for an answer, and learns when it comes.\n\n"
      "Made from a task's name ('regression', 'binary', 'classes', 'choose', 'ratings', 'allocation'), from a\n"
      "specification as a dict, or from `set=`, `learner=`, `loss=` and the other keys of\n"
      "docs/model.md, which you can also give with a task.");
  model.def(
      "__init__",
      [](HeldModel* self, nb::handle task, const nb::kwargs& keys) {
        const Own own = std::make_shared<OwnParts>();
        const Handed objects(own);
        const ModelSpec spec = read_spec(task, keys);
        new (self) HeldModel(make_model(spec), own);
      },
      "task"_a = nb::none(), "keys"_a,
      nb::sig("def __init__(self, task: str | collections.abc.Mapping[str, typing.Any] | None = None, **keys: "
              "typing.Any) -> None"));
  bind_events(model);
  bind_batches(m, model);
  bind_choice(m, model);
  bind_state(model);
  model.def("__repr__", repr_of_model)
      .def("weights", weights, "most"_a = 20, nb::sig("def weights(self, most: int = 20) -> dict[str, typing.Any]"),
           "The largest weights by feature name; with several classes, for each class.")
      .def_prop_ro(
          "decision",
          [](const HeldModel& held) {
            const Use use(held);
            return to_array(held.model.decision());
          },
          nb::sig("def decision(self) -> numpy.typing.NDArray[numpy.float64]"), "The point played last, an array.")
      .def_prop_ro("names", reading([](const Model& x) { return x.names(); }),
                   "The names of the decision's coordinates.")
      .def_prop_ro("classes", reading([](const Model& x) -> nb::object {
                     return x.names_classes() ? nb::cast(x.class_names()) : nb::none();
                   }),
                   nb::sig("def classes(self) -> list[str] | None"),
                   "The names of the classes seen so far; None for models that do not name classes.")
      .def_prop_ro("dimension", reading([](const Model& x) { return x.set().dimension(); }), "Of the decision.")
      .def_prop_ro("rounds", reading([](const Model& x) { return x.ledger().issued(); }),
                   "How many rounds were played so far.")
      .def_prop_ro("outstanding", reading([](const Model& x) { return x.ledger().outstanding(); }),
                   "How many rounds are waiting for an answer.")
      .def("waiting", waiting, "most"_a = -1, nb::sig("def waiting(self, most: int = -1) -> list[str]"),
           "The tickets of the waiting rounds, oldest first.")
      .def_prop_ro("certificate", reading([](const Model& x) { return x.certificate(); }),
                   "The regret that the learner cannot have exceeded so far, if a theorem says so; else None.")
      .def_prop_ro(
          "compared", reading([](const Model& x) -> nb::object {
            if (!x.comparison().any()) return nb::none();
            return to_python(to_value(x.comparison().figures()));
          }),
          nb::sig("def compared(self) -> dict[str, typing.Any] | None"),
          "Of a model that chooses: what the rounds whose wait is over earned each, and what any action alike and "
          "always the same one would have; and the predicted reward that exploration gave up.")
      .def_prop_ro(
          "apprentice", reading([](const Model& x) -> nb::object {
            if (!x.apprentice().any()) return nb::none();
            return to_python(to_value(x.apprentice().figures()));
          }),
          nb::sig("def apprentice(self) -> dict[str, typing.Any] | None"),
          "Of the rounds in which something else was shown: how often the model agreed, and what it would have "
          "earned, a round. None where there are none.")
      .def_prop_ro(
          "spec", [](const HeldModel& held) { return to_python(spec::parse_json(held.model.spec())); },
          nb::sig("def spec(self) -> dict[str, typing.Any]"), "The specification in full.")
      .def_prop_ro(
          "fingerprint", [](const HeldModel& held) { return nb::str(held.fingerprint.data(), kFingerprint); },
          "The fingerprint of the specification; tickets begin with it.")
      .def_prop_ro("own", own_of_model, nb::sig("def own(self) -> list[typing.Any]"),
                   "Its sets, losses and learners written in Python, in their current state.")
      .def(
          "_explain",
          [](const HeldModel& held, std::optional<double> horizon, double gradient_bound) {
            const Own own = again(held);
            const Handed objects(own);
            return as_pair(explain_spec(ModelSpec::parse(held.model.spec()), horizon, gradient_bound));
          },
          "horizon"_a = nb::none(), "gradient_bound"_a = 1.0,
          nb::sig("def _explain(self, horizon: float | None = None, gradient_bound: float = 1.0) -> tuple[dict[str, "
                  "typing.Any], str]"))
      .def("_contributions", contributions, "features"_a,
           nb::sig("def _contributions(self, features: typing.Any) -> tuple[dict[str, typing.Any], str, float]"))
      .def(
          "explain",
          [](nb::handle self, nb::handle row, nb::handle horizon, double gradient_bound) {
            return nb::module_::import_("tarry._explain").attr("explain_model")(self, row, horizon, gradient_bound);
          },
          "row"_a = nb::none(), "horizon"_a = nb::none(), "gradient_bound"_a = 1.0,
          nb::sig(
              "def explain(self, row: typing.Any = None, horizon: float | None = None, gradient_bound: float = 1.0) "
              "-> tarry._explain.Explanation"),
          "What each feature of a row adds to its prediction now: `parts` by name, which with `base` add up to "
          "`score`.\n\n"
          "Without a row: the specification in full, and what it costs; with a horizon, what regret cannot\n"
          "exceed by then.")
      .def(
          "_repr_html_",
          [](nb::handle self) { return nb::module_::import_("tarry._explain").attr("model_html")(self); },
          nb::sig("def _repr_html_(self) -> str"));
  m.def("_release_from", release_from, "numbers"_a);
  m.def(
      "_explain",
      [](nb::handle task, std::optional<double> horizon, double gradient_bound, const nb::kwargs& keys) {
        const Handed objects(std::make_shared<OwnParts>());
        return as_pair(explain_spec(read_spec(task, keys), horizon, gradient_bound));
      },
      "task"_a = nb::none(), "horizon"_a = nb::none(), "gradient_bound"_a = 1.0, "keys"_a,
      nb::sig("def _explain(task: typing.Any = None, horizon: float | None = None, gradient_bound: float = 1.0, "
              "**keys: typing.Any) -> tuple[dict[str, typing.Any], str]"));
}

}  // namespace tarry::python
