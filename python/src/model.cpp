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

// Numbers: to go through as many takes longer than to give up the interpreter's lock and to get it back. The benchmarks
// set it to measure both sides.
Index long_from = 1 << 14;

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

Round find_round(const HeldModel& held, nb::handle ticket) {
  const Use use(held);
  return held.round_of(ticket);
}

bool is_long(const Model& model, bool features, const GivenRow& row) {
  if (!features) return model.set().dimension() >= long_from;
  return row.named() == nullptr && static_cast<Index>(row.numbered().stored()) >= long_from;
}

}  // namespace

std::optional<double> to_seconds(nb::handle given, const char* what) {
  if (given.is_none()) return std::nullopt;
  const double number = PyFloat_AsDouble(given.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw_type_error(fmt::format("{} must be a number ({} came)", what, kind_of(given)));
  }
  return number;
}

std::string to_key(nb::handle key) {
  if (key.is_none()) return "";
  const auto text = to_text(key);
  if (!text) throw_type_error("key must be a text (" + kind_of(key) + " came)");
  if (text->empty() || text->size() > kLongestKey)
    throw Error(Code::kBadInput, fmt::format("key must have 1 to {} bytes ({} came)", kLongestKey, text->size()));
  if (looks_like_ticket(*text)) throw Error(Code::kBadInput, "key must not look like a ticket");
  return std::string(*text);
}

namespace {

Decision decide(HeldModel& held, nb::handle features, nb::handle key, nb::handle due, nb::handle now) {
  GivenRow row;
  const bool given = !features.is_none();
  if (given) row.read(features, "features", held.model.features().takes_names());
  const std::string name = to_key(key);
  const PlayTimes times{to_seconds(now, "now"), to_seconds(due, "due")};
  Model::Outcome outcome;
  Vec point;
  std::optional<SparseVector> sample;
  {
    const Use use(held, is_long(held.model, given, row));
    outcome =
        held.unless_it_throws([&] { return held.play(given ? std::optional(row.view()) : std::nullopt, name, times); });
    if (!given && outcome.answer == Answer::kApplied) point = held.model.decision();
    if (outcome.answer == Answer::kApplied && held.model.samples()) sample = held.model.sample();
  }
  return make_decision(held, outcome, given, std::move(point), sample);
}

Model::Outcome predict_outcome(const HeldModel& held, nb::handle features) {
  GivenRow row;
  row.read(features, "features", held.model.features().takes_names());
  const Use use(held, is_long(held.model, true, row));
  return held.model.predict(row.view());
}

nb::object learn(HeldModel& held, nb::handle ticket, nb::handle label, nb::handle gradient, nb::handle indices,
                 nb::handle values, nb::handle features, bool revise, nb::handle sequence, nb::handle part,
                 nb::handle now) {
  Revising revising{.revise = revise, .sequence = to_seconds(sequence, "sequence"), .now = to_seconds(now, "now")};
  if (!part.is_none()) {
    const auto text = to_text(part);
    if (!text) throw_type_error("part must be a text (" + kind_of(part) + " came)");
    if (text->empty() || text->size() > kLongestKey)
      throw Error(Code::kBadInput, fmt::format("part must have 1 to {} bytes ({} came)", kLongestKey, text->size()));
    revising.part = *text;
  }
  const bool sparse = !indices.is_none() || !values.is_none();
  const int kinds = !label.is_none() + !gradient.is_none() + sparse;
  if (kinds != 1)
    throw Error(Code::kBadInput, fmt::format("give a label, or a gradient, or indices and values ({} came)",
                                             kinds == 0 ? "none of them" : "several of them"));
  GivenRow row;
  if (!label.is_none()) {
    const bool given = !features.is_none();
    if (given) row.read(features, "features", held.model.features().takes_names());
    const LabelValue value = to_label(label);
    const Use use(held);
    const Round round = held.round_of(ticket);
    return answer_of(held.unless_it_throws(
        [&] { return held.label(round, value, given ? std::optional(row.view()) : std::nullopt, revising); }));
  }
  if (revising != Revising{}) throw Error(Code::kBadInput, "revise, sequence, part and now belong to a label");
  if (!features.is_none()) throw Error(Code::kBadInput, "features belong to a label, not to a gradient");
  const Round round = find_round(held, ticket);
  if (sparse)
    row.read_sparse(indices, values);
  else
    row.read(gradient, "gradient", !held.model.names().empty());
  Model::Outcome outcome;
  {
    const Use use(held, is_long(held.model, true, row));
    outcome = held.unless_it_throws([&] { return held.receive(round, row.view()); });
  }
  return answer_of(outcome);
}

nb::object give_up(HeldModel& held, nb::handle ticket, bool was_used) {
  const Round round = find_round(held, ticket);
  const Use use(held);
  return answer_of(held.unless_it_throws([&] { return held.give_up(round, was_used); }));
}

// A label that is known at once: the play and its answer in one call. Gives the prediction that was made.
nb::object learn_now(HeldModel& held, nb::handle features, nb::handle label) {
  GivenRow row;
  row.read(features, "features", held.model.features().takes_names());
  const LabelValue value = to_label(label);
  Model::Outcome played;
  {
    const Use use(held, is_long(held.model, true, row));
    played = held.unless_it_throws([&] { return held.play_and_label(row.view(), value); });
  }
  return prediction_of(held.model, played);
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

// A property that is read while nobody changes the model.
template <class F>
auto reading(F f) {
  return [f](const HeldModel& held) {
    const Use use(held);
    return f(held.model);
  };
}

void bind_events(nb::class_<HeldModel>& model) {
  model
      .def("decide", decide, "features"_a = nb::none(), nb::kw_only(), "key"_a = nb::none(), "due"_a = nb::none(),
           "now"_a = nb::none(),
           nb::sig("def decide(self, features: typing.Any = None, *, key: str | None = None, due: float | None = None, "
                   "now: float | None = None) -> Decision"),
           "Open the next round: predict for these features, or decide where there are none.\n\n"
           "The round waits until `learn`, `expire` or `void` gets its ticket. A `key` of your own names the round "
           "too;\n"
           "one that was played before opens no round, and is answered as it was. `due` is when the answer is due, or\n"
           "expected, and `now` when this is, both in seconds.\n\n"
           ">>> import tarry\n"
           ">>> model = tarry.Model('binary')\n"
           ">>> t = model.decide({'article': 'shoes', 'price': 80})\n"
           ">>> t.prediction\n0.5\n"
           ">>> model.learn(t.ticket, True)\n'applied'\n"
           ">>> model.learn(t.ticket, True)\n'duplicate'")
      .def(
          "predict",
          [](const HeldModel& held, nb::handle features) {
            return prediction_of(held.model, predict_outcome(held, features));
          },
          "features"_a.none(), nb::sig("def predict(self, features: typing.Any) -> typing.Any"),
          "What `decide` would predict now. Opens no round and changes nothing.")
      .def(
          "predict_scores",
          [](const HeldModel& held, nb::handle features) {
            return scores_of(held.model, predict_outcome(held, features));
          },
          "features"_a.none(),
          nb::sig("def predict_scores(self, features: typing.Any) -> dict[typing.Any, float] | None"),
          "The probability of each class now; None for models that do not predict classes.")
      .def("learn", learn, "ticket"_a.none(), "label"_a = nb::none(), nb::kw_only(), "gradient"_a = nb::none(),
           "indices"_a = nb::none(), "values"_a = nb::none(), "features"_a = nb::none(), "revise"_a = false,
           "sequence"_a = nb::none(), "part"_a = nb::none(), "now"_a = nb::none(),
           nb::sig("def learn(self, ticket: str, label: bool | float | str | None = None, *, gradient: typing.Any = "
                   "None, indices: typing.Any = None, values: typing.Any = None, features: typing.Any = None, revise: "
                   "bool = False, sequence: float | None = None, part: str | None = None, now: float | None = None) -> "
                   "str"),
           "Learn the answer for a round: a label, or a gradient at the point that was played.\n\n"
           "Gives 'applied', 'duplicate' (it was answered so before), 'conflict' (it was answered otherwise) or "
           "'expired'\n"
           "(given up, or void). Only a ticket that no round of this model has raises `UnknownTicket`. `features` come "
           "here\n"
           "where the play had none. In a model with `revisable`, `revise=True` puts the label in the place of the one "
           "before;\n"
           "`sequence` is a number or time that grows, `part` names a part of a sum, `now` is when it came, in "
           "seconds.\n\n"
           ">>> import tarry\n"
           ">>> ball = tarry.Model(set={'type': 'l1_ball', 'dimension': 3, 'radius': 1},\n"
           "...                    learner={'type': 'delayed_ofw', 'eta': 0.1})\n"
           ">>> t = ball.decide()\n"
           ">>> ball.learn(t.ticket, gradient=[1, 0, 2])\n'applied'")
      .def(
          "expire", [](HeldModel& held, nb::handle ticket) { return give_up(held, ticket, true); }, "ticket"_a.none(),
          nb::sig("def expire(self, ticket: str) -> str"),
          "The answer for this round will never come. Gives 'applied', 'duplicate' or 'expired'.")
      .def(
          "void", [](HeldModel& held, nb::handle ticket) { return give_up(held, ticket, false); }, "ticket"_a.none(),
          nb::sig("def void(self, ticket: str) -> str"),
          "The decision of this round was never used: nothing is learnt, and nothing counts as lost.")
      .def("learn_now", learn_now, "features"_a.none(), "label"_a.none(),
           nb::sig("def learn_now(self, features: typing.Any, label: bool | float | str) -> typing.Any"),
           "Play and label in one call, for labels that are known at once. Gives the prediction that was made.");
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
      "A model predicts or decides, remembers what waits for an answer, and learns when it comes.\n\n"
      "Made from a task's name ('regression', 'binary', 'classes', 'choose', 'ratings', 'allocation'), from a\n"
      "specification as a dict, or from `set=`, `learner=`, `loss=` and the other keys of\n"
      "docs/model.md, which can also stand beside a task.");
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
           "The largest weights by the names of their features; over classes, for each.")
      .def_prop_ro(
          "decision",
          [](const HeldModel& held) {
            const Use use(held);
            return to_array(held.model.decision());
          },
          nb::sig("def decision(self) -> numpy.typing.NDArray[numpy.float64]"), "The point played last, an array.")
      .def_prop_ro("names", reading([](const Model& x) { return x.names(); }), "Of the decision's coordinates.")
      .def_prop_ro("classes", reading([](const Model& x) -> nb::object {
                     return x.names_classes() ? nb::cast(x.class_names()) : nb::none();
                   }),
                   nb::sig("def classes(self) -> list[str] | None"),
                   "The names of the classes seen so far; None for models that do not name classes.")
      .def_prop_ro("dimension", reading([](const Model& x) { return x.set().dimension(); }), "Of the decision.")
      .def_prop_ro("rounds", reading([](const Model& x) { return x.ledger().issued(); }), "Played so far.")
      .def_prop_ro("outstanding", reading([](const Model& x) { return x.ledger().outstanding(); }),
                   "How many rounds wait for an answer.")
      .def("waiting", waiting, "most"_a = -1, nb::sig("def waiting(self, most: int = -1) -> list[str]"),
           "The tickets of the rounds that wait, oldest first.")
      .def_prop_ro("certificate", reading([](const Model& x) { return x.certificate(); }),
                   "The regret that the learner cannot have exceeded so far, where a theorem says so; else None.")
      .def_prop_ro(
          "spec", [](const HeldModel& held) { return to_python(spec::parse_json(held.model.spec())); },
          nb::sig("def spec(self) -> dict[str, typing.Any]"), "What it was made from, in full.")
      .def_prop_ro(
          "fingerprint", [](const HeldModel& held) { return nb::str(held.fingerprint.data(), kFingerprint); },
          "Of the specification; tickets begin with it.")
      .def_prop_ro("own", own_of_model, nb::sig("def own(self) -> list[typing.Any]"),
                   "Its sets, losses and learners that are written in Python, as they are now.")
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
      .def(
          "explain",
          [](nb::handle self, nb::handle horizon, double gradient_bound) {
            return nb::module_::import_("tarry._explain").attr("explain_model")(self, horizon, gradient_bound);
          },
          "horizon"_a = nb::none(), "gradient_bound"_a = 1.0,
          nb::sig("def explain(self, horizon: float | None = None, gradient_bound: float = 1.0) -> "
                  "tarry._explain.Explanation"),
          "What the model stands for, in full, and what it costs; with a horizon, what regret cannot exceed by then.")
      .def(
          "_repr_html_",
          [](nb::handle self) { return nb::module_::import_("tarry._explain").attr("model_html")(self); },
          nb::sig("def _repr_html_(self) -> str"));
  m.def(
      "_release_from", [](Index numbers) { return std::exchange(long_from, numbers); }, "numbers"_a);
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
