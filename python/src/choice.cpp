#include "choice.h"

#include <fmt/format.h>

#include "bind.h"
#include "errors.h"
#include "features.h"
#include "tarry/base/error.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

struct Chosen {
  Fingerprint fingerprint = {};
  Round round = 0;
  bool duplicate = false;
  Choice choice;

  nb::str ticket() const { return ticket_of(fingerprint, round); }
};

NamedFeatures to_named(nb::handle given, const char* what) {
  if (given.is_none()) return {};
  GivenRow row;
  row.read(given, what, true);
  if (row.named() == nullptr) throw_type_error(fmt::format("{} must be a dict ({} came)", what, kind_of(given)));
  return *row.named();
}

std::string to_id(nb::handle given, const char* what) {
  const auto text = to_text(given);
  if (!text) throw_type_error(fmt::format("{} must be a text ({} came)", what, kind_of(given)));
  return std::string(*text);
}

// A text or a dict: {"id": …, "features": {…}}, or the features beside the id.
Action to_action(nb::handle given) {
  if (to_text(given)) return {to_id(given, "an action's id")};
  if (!nb::isinstance<nb::dict>(given))
    throw_type_error("an action must be its id, or a dict with id and features (" + kind_of(given) + " came)");
  nb::dict rest;
  rest.update(nb::cast<nb::dict>(given));
  if (!rest.contains("id")) throw Error(Code::kBadInput, "an action must have an id");
  Action action{to_id(rest["id"], "an action's id")};
  nb::del(rest["id"]);
  const bool inside = rest.size() == 1 && rest.contains("features") && nb::isinstance<nb::dict>(rest["features"]);
  action.features = inside ? to_named(rest["features"], "features") : to_named(rest, "features");
  return action;
}

template <class Read>
void for_each(nb::handle list, const char* what, Read read) {
  if (list.is_none()) return;
  if (to_text(list) || !nb::isinstance<nb::iterable>(list))
    throw_type_error(fmt::format("{} must be a list ({} came)", what, kind_of(list)));
  for (nb::handle one : nb::borrow<nb::iterable>(list)) read(one);
}

Chosen choose(HeldModel& held, nb::handle context, nb::handle actions, nb::handle key, nb::handle exclude,
              nb::handle shown, nb::handle due, nb::handle now) {
  Play play{.choosing = Choosing{.context = to_named(context, "context")}};
  Choosing& asked = *play.choosing;
  for_each(actions, "actions", [&](nb::handle one) { asked.actions.push_back(to_action(one)); });
  if (!actions.is_none() && asked.actions.empty())
    throw Error(Code::kBadInput, "actions must have at least one action (none came)");
  for_each(exclude, "exclude", [&](nb::handle one) { asked.exclude.push_back(to_id(one, "exclude")); });
  if (!shown.is_none()) {
    ShownLater given = to_shown(shown);
    if (!given.action.features.empty())
      throw Error(Code::kBadInput, "shown must not have features: its action has them");
    asked.shown = ShownInstead{std::move(given.action.id), given.probability};
  }
  play.key = to_key(key);
  play.times = {to_seconds(now, "now"), to_seconds(due, "due")};
  const Use use(held, true);
  Model::Outcome outcome = held.unless_it_throws([&] { return held.apply(play); });
  return {held.fingerprint, outcome.round, outcome.answer == Answer::kDuplicate, std::move(outcome.choice).value()};
}

nb::object ranking_of(const Chosen& x) {
  nb::list ranking;
  for (const RankedAction& each : x.choice.ranking) {
    nb::dict one;
    one["id"] = as_str(each.id);
    one["probability"] = each.probability;
    one["reward"] = each.reward;
    ranking.append(one);
  }
  return ranking;
}

}  // namespace

ShownLater to_shown(nb::handle given) {
  if (to_text(given)) return {.action = {to_id(given, "shown")}};
  if (!nb::isinstance<nb::dict>(given))
    throw_type_error("shown must be an id, or a dict with id and probability (" + kind_of(given) + " came)");
  const spec::Value value = to_value(given, "shown");
  return read_shown(spec::Node(value, "shown"));
}

void bind_choice(nb::module_& m, nb::class_<HeldModel>& model) {
  nb::class_<Chosen>(m, "Choice", "What a model chose.")
      .def_prop_ro("ticket", &Chosen::ticket, "Identifies the round: pass it to `Model.learn` with the reward.")
      .def_ro("round", &Chosen::round, "The round's number, from 1.")
      .def_prop_ro(
          "action", [](const Chosen& x) { return as_str(x.choice.action); }, nb::sig("def action(self) -> str"),
          "The id of the action that was drawn.")
      .def_prop_ro(
          "probability", [](const Chosen& x) { return x.choice.probability; },
          "The probability with which it was drawn.")
      .def_prop_ro("ranking", ranking_of, nb::sig("def ranking(self) -> list[dict[str, typing.Any]]"),
                   "Each action's id, probability and predicted reward, in your order; empty if a key is repeated.")
      .def_prop_ro(
          "shown",
          [](const Chosen& x) -> nb::object { return x.choice.shown.empty() ? nb::none() : as_str(x.choice.shown); },
          nb::sig("def shown(self) -> str | None"), "What was shown instead, and is learnt from.")
      .def_prop_ro(
          "answer", [](const Chosen& x) { return x.duplicate ? "duplicate" : "applied"; },
          "'duplicate' where the key was played before: this is then the first answer again.")
      .def("__repr__", [](const Chosen& x) {
        return fmt::format("Choice(ticket='{}', action={}, probability={})", x.ticket().c_str(),
                           nb::cast<std::string>(nb::repr(as_str(x.choice.action))), x.choice.probability);
      });
  model.def("choose", choose, "context"_a.none(), "actions"_a = nb::none(), nb::kw_only(), "key"_a = nb::none(),
            "exclude"_a = nb::none(), "shown"_a = nb::none(), "due"_a = nb::none(), "now"_a = nb::none(),
            nb::sig("def choose(self, context: typing.Any, actions: typing.Any = None, *, key: str | None = None, "
                    "exclude: typing.Any = None, shown: typing.Any = None, due: float | None = None, now: float | None "
                    "= None) -> Choice"),
            "Choose one of the actions in this context; its reward comes later, as the label of the round.\n\n"
            "`actions` are ids, or dicts with `id` and features; by default, those of the specification.\n"
            "`shown`, an id or a dict with `id` and `probability`, says what was shown instead.\n\n"
            ">>> import tarry\n"
            ">>> model = tarry.Model('choose')\n"
            ">>> c = model.choose({'weather': 'sun'}, ['ice', 'soup'])\n"
            ">>> c.action in ('ice', 'soup'), c.probability\n(True, 0.5)\n"
            ">>> model.learn(c.ticket, True)\n'applied'");
}

}  // namespace tarry::python
