// model/event.h for Python: rounds are opened, and their answers learnt.
#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <utility>

#include "choice.h"
#include "decision.h"
#include "errors.h"
#include "features.h"
#include "held_model.h"
#include "tarry/base/error.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

// Numbers: to go through as many takes longer than to give up the interpreter's lock and to get it back. The benchmarks
// set it to measure both sides.
Index long_from = 1 << 14;

Round find_round(const HeldModel& held, nb::handle ticket) {
  const Use use(held);
  return held.round_of(ticket);
}

bool is_long(const Model& model, bool features, const GivenRow& row) {
  if (!features) return model.set().dimension() >= long_from;
  return row.named() == nullptr && static_cast<Index>(row.numbered().stored()) >= long_from;
}

Decision decide(HeldModel& held, nb::handle features, nb::handle key, nb::handle due, nb::handle now) {
  GivenRow row(held.last_row);
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
  GivenRow row(held.last_row);
  row.read(features, "features", held.model.features().takes_names());
  const Use use(held, is_long(held.model, true, row));
  return held.model.predict(row.view());
}

// A number, or two: at the decision and at its probe.
LossValue to_loss(nb::handle given) {
  const bool pair = nb::isinstance<nb::tuple>(given) || nb::isinstance<nb::list>(given);
  if (!pair) return {Round{0}, *to_seconds(given, "loss")};
  const auto both = nb::cast<nb::sequence>(given);
  if (nb::len(both) != 2)
    throw Error(Code::kBadInput, fmt::format("loss must be a number, or two ({} came)", nb::len(both)));
  for (std::size_t i = 0; i < 2; ++i)
    if (both[i].is_none()) throw_type_error("loss must be a number, or two (None came)");
  return {Round{0}, *to_seconds(both[0], "loss"), to_seconds(both[1], "loss")};
}

nb::object learn(HeldModel& held, nb::handle ticket, nb::handle label, nb::handle gradient, nb::handle indices,
                 nb::handle values, nb::handle features, bool revise, nb::handle sequence, nb::handle part,
                 nb::handle now, nb::handle shown, nb::handle loss) {
  Revising revising{.revise = revise, .sequence = to_seconds(sequence, "sequence"), .now = to_seconds(now, "now")};
  if (!part.is_none()) {
    const auto text = to_text(part);
    if (!text) throw_type_error("part must be a text (" + kind_of(part) + " came)");
    if (text->empty() || text->size() > kLongestKey)
      throw Error(Code::kBadInput, fmt::format("part must have 1 to {} bytes ({} came)", kLongestKey, text->size()));
    revising.part = *text;
  }
  const bool sparse = !indices.is_none() || !values.is_none();
  const int kinds = !label.is_none() + !gradient.is_none() + sparse + !loss.is_none();
  if (kinds != 1)
    throw Error(Code::kBadInput, fmt::format("give a label, or a gradient, or indices and values, or a loss ({} came)",
                                             kinds == 0 ? "none of them" : "several of them"));
  const auto learn_label = [&](const std::optional<FeaturesView>& known) {
    const LabelValue value = to_label(label);
    const auto instead = shown.is_none() ? std::nullopt : std::optional(to_shown(shown));
    const Use use(held);
    const Round round = held.round_of(ticket);
    return answer_of(held.unless_it_throws([&] { return held.label(round, value, known, revising, instead); }));
  };
  if (!label.is_none() && features.is_none()) return learn_label(std::nullopt);
  GivenRow row;
  if (!label.is_none()) {
    row.read(features, "features", held.model.features().takes_names());
    return learn_label(row.view());
  }
  if (!shown.is_none()) throw Error(Code::kBadInput, "shown belongs to a label");
  if (revising != Revising{}) throw Error(Code::kBadInput, "revise, sequence, part and now belong to a label");
  if (!features.is_none()) throw Error(Code::kBadInput, "features belong to a label, not to a gradient or a loss");
  if (!loss.is_none()) {
    LossValue value = to_loss(loss);
    value.round = find_round(held, ticket);
    const Use use(held);
    return answer_of(held.unless_it_throws([&] { return held.cost(value); }));
  }
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
  GivenRow row(held.last_row);
  row.read(features, "features", held.model.features().takes_names());
  const LabelValue value = to_label(label);
  Model::Outcome played;
  {
    const Use use(held, is_long(held.model, true, row));
    played = held.unless_it_throws([&] { return held.play_and_label(row.view(), value); });
  }
  return prediction_of(held.model, played);
}

}  // namespace

Index release_from(Index numbers) { return std::exchange(long_from, numbers); }

void bind_events(nb::class_<HeldModel>& model) {
  model
      .def("decide", decide, "features"_a = nb::none(), nb::kw_only(), "key"_a = nb::none(), "due"_a = nb::none(),
           "now"_a = nb::none(),
           nb::sig("def decide(self, features: typing.Any = None, *, key: str | None = None, due: float | None = None, "
                   "now: float | None = None) -> Decision"),
           "Open the next round: predict for these features, or decide if there are none.\n\n"
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
           "sequence"_a = nb::none(), "part"_a = nb::none(), "now"_a = nb::none(), "shown"_a = nb::none(),
           "loss"_a = nb::none(),
           nb::sig("def learn(self, ticket: str, label: bool | float | str | None = None, *, gradient: typing.Any = "
                   "None, indices: typing.Any = None, values: typing.Any = None, features: typing.Any = None, revise: "
                   "bool = False, sequence: float | None = None, part: str | None = None, now: float | None = None, "
                   "shown: typing.Any = None, loss: float | tuple[float, float] | None = None) -> str"),
           "Learn the answer for a round: a label, or a gradient at the point that was played, or, for learners to\n"
           "whom that is enough, the loss that the decision cost (and its probe, where it has one).\n\n"
           "Gives 'applied', 'duplicate' (it was answered so before), 'conflict' (it was answered otherwise), "
           "'expired'\n"
           "(given up, or void) or 'untracked' (not kept). Only a ticket that no round of this model has raises "
           "`UnknownTicket`. `features` come "
           "here\n"
           "where the play had none. In a model with `revisable`, `revise=True` puts the label in the place of the one "
           "before;\n"
           "`sequence` is a number or time that grows, `part` names a part of a sum, `now` is when it came, in "
           "seconds.\n"
           "`shown`, with the reward of a choice, says what was shown instead: an id, or a dict with `id`, "
           "`probability`\n"
           "and `features`.\n\n"
           ">>> import tarry\n"
           ">>> ball = tarry.Model(set={'type': 'l1_ball', 'dimension': 3, 'radius': 1},\n"
           "...                    learner={'type': 'delayed_ofw', 'eta': 0.1})\n"
           ">>> t = ball.decide()\n"
           ">>> ball.learn(t.ticket, gradient=[1, 0, 2])\n'applied'")
      .def(
          "expire", [](HeldModel& held, nb::handle ticket) { return give_up(held, ticket, true); }, "ticket"_a.none(),
          nb::sig("def expire(self, ticket: str) -> str"),
          "The answer for this round will never come. Returns 'applied', 'duplicate' or 'expired'.")
      .def(
          "void", [](HeldModel& held, nb::handle ticket) { return give_up(held, ticket, false); }, "ticket"_a.none(),
          nb::sig("def void(self, ticket: str) -> str"),
          "The decision of this round was never used: nothing is learnt, and nothing counts as lost.")
      .def("learn_now", learn_now, "features"_a.none(), "label"_a.none(),
           nb::sig("def learn_now(self, features: typing.Any, label: bool | float | str) -> typing.Any"),
           "Play and label in one call, for labels that are known at once. Returns the prediction.");
}

}  // namespace tarry::python
