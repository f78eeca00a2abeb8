#include "held_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "errors.h"
#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/spec/json.h"
#include "values.h"

namespace nb = nanobind;

namespace tarry::python {
namespace {

bool is_fingerprint(std::string_view text) {
  return text.size() == kFingerprint && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// What stands behind the dash, where it is a round.
std::optional<Round> read_round(std::string_view digits) {
  Round round = 0;
  if (digits.empty() || digits.front() == '0') return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), round);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return round;
}

std::string type_in(const spec::Value& spec, const std::string& key) {
  const spec::Value* part = spec.find(key);
  const spec::Value* type = part != nullptr ? part->find("type") : nullptr;
  const auto* text = type != nullptr ? std::get_if<std::string>(&type->as) : nullptr;
  return text != nullptr ? *text : "";
}

Fingerprint fingerprint_of(const Model& model) {
  Fingerprint digits;
  const std::string hash = sha256(model.spec());
  std::copy_n(hash.begin(), kFingerprint, digits.begin());
  return digits;
}

std::string kind_of_model(const Model& model) {
  const spec::Value spec = spec::parse_json(model.spec());
  std::string kind =
      fmt::format("{} of {}, {}", type_in(spec, "set"), model.set().dimension(), type_in(spec, "learner"));
  if (const std::string loss = type_in(spec, "loss"); !loss.empty()) kind += ", " + loss;
  return kind;
}

}  // namespace

HeldModel::HeldModel(Model made, const Own& given)
    : model(std::move(made)),
      fingerprint(fingerprint_of(model)),
      own(given && !given->objects.empty() ? given : nullptr),
      kind(kind_of_model(model)) {
  if (own) rewind_.emplace(own);
}

nb::str ticket_of(const Fingerprint& fingerprint, Round round) {
  std::array<char, kFingerprint + 1 + 20> text;
  char* at = std::copy(fingerprint.begin(), fingerprint.end(), text.data());
  *at++ = '-';
  at = std::to_chars(at, text.data() + text.size(), round).ptr;
  const auto size = static_cast<std::size_t>(at - text.data());
#ifdef Py_LIMITED_API
  return nb::str(text.data(), size);
#else
  PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);  // ASCII, without looking at each byte
  if (made == nullptr) throw nb::python_error();
  std::copy_n(text.data(), size, static_cast<char*>(PyUnicode_DATA(made)));
  return nb::steal<nb::str>(made);
#endif
}

bool looks_like_ticket(std::string_view key) {
  return key.size() > kFingerprint + 1 && is_fingerprint(key.substr(0, kFingerprint)) && key[kFingerprint] == '-' &&
         read_round(key.substr(kFingerprint + 1));
}

Round HeldModel::round_of(nb::handle given) const {
  const auto text = to_text(given);
  if (!text) throw_type_error("ticket must be a text (" + kind_of(given) + " came)");
  const std::string_view mine(fingerprint.data(), kFingerprint);
  const bool is_mine = text->size() > kFingerprint && text->starts_with(mine) && (*text)[kFingerprint] == '-';
  if (const auto round = is_mine ? read_round(text->substr(kFingerprint + 1)) : std::nullopt) {
    if (*round > model.ledger().issued())
      throw_unknown_ticket(fmt::format("round {} has not been played (ticket = {}, last play = {})", *round, *text,
                                       model.ledger().issued()));
    return *round;
  }
  if (looks_like_ticket(*text))
    throw_unknown_ticket(fmt::format("ticket {} is of another model: its fingerprint is {}, this one's {}", *text,
                                     text->substr(0, kFingerprint), mine));
  if (const KeyedRound* known = model.keys().find(std::string(*text)); known != nullptr) return known->round;
  throw_unknown_ticket(
      fmt::format("{} is no ticket and no key of this model", spec::brief(spec::Value{std::string(*text)})));
}

namespace {

Features owned(const FeaturesView& view) {
  return view.named() != nullptr ? Features(*view.named()) : Features(view.numbered());
}
std::optional<Features> owned(const std::optional<FeaturesView>& view) {
  return view ? std::optional(owned(*view)) : std::nullopt;
}

}  // namespace

template <class MakeEvent>
Model::Outcome HeldModel::noted(Model::Outcome outcome, const MakeEvent& event) {
  if (rewind_ && outcome.answer == Answer::kApplied) rewind_->note(event());
  if constexpr (!std::is_same_v<decltype(event()), Play>) {
    const Event told = event();
    outcome.answer = told_.answer(model, told, outcome);
    told_.note(model, told, outcome);
  }
  return outcome;
}

Model::Outcome HeldModel::apply(const Event& event) {
  return noted(model.apply(event), [&] { return event; });
}

Model::Outcome HeldModel::play(const std::optional<FeaturesView>& features, const std::string& key,
                               const PlayTimes& times) {
  return noted(model.play(features, key, times), [&] { return Play{owned(features), key, 0, times}; });
}

Model::Outcome HeldModel::label(Round round, const LabelValue& label, const std::optional<FeaturesView>& features,
                                const Revising& revising, const std::optional<ShownLater>& shown) {
  Model::Outcome outcome = model.label(round, label, features, revising, shown);
  const bool alone = !features && !shown && !rewind_ && revising == Revising{};
  if (alone && outcome.answer == Answer::kApplied) {  // the ordinary case, without an event
    told_.note(model, outcome.round, label);
    return outcome;
  }
  return noted(std::move(outcome), [&] { return Label{round, label, owned(features), revising, shown}; });
}

Model::Outcome HeldModel::receive(Round round, const FeaturesView& gradient) {
  const auto event = [&] { return Gradient{round, owned(gradient)}; };
  return noted(gradient.named() != nullptr ? model.apply(event()) : model.receive(round, gradient.numbered()), event);
}

Model::Outcome HeldModel::cost(const LossValue& value) {
  return noted(model.cost(value.round, value.loss, value.at_probe), [&] { return value; });
}

Model::Outcome HeldModel::give_up(Round round, bool was_used) {
  return noted(was_used ? model.expire(round) : model.declare_void(round),
               [&]() -> Event { return was_used ? Event(Expire{round}) : Event(Void{round}); });
}

Model::Outcome HeldModel::play_and_label(const FeaturesView& features, const LabelValue& given) {
  if (rewind_) {  // it goes back where something throws
    model.read(given);
    const Model::Outcome played = play(features);
    label(played.round, given, std::nullopt);
    return played;
  }
  const Model::Outcome played = model.play_and_label(features, given);
  told_.note(model, played.round, given);
  return played;
}

Own again(const HeldModel& held) {
  Own own = std::make_shared<OwnParts>();
  if (held.own)
    for (const OwnObject& object : held.own->objects) own->objects.push_back(own_object(*object));
  return own;
}

Use::Use(const HeldModel& held, bool released) : held_(held) {
  // A thread finds its own name, or another that is not its own: no order is needed.
  if (held.user_.load(std::memory_order_relaxed) == std::this_thread::get_id())
    throw std::runtime_error("the model is in use: it was called from within its own oracle, learner or loss");
  if (released) {
    released_.emplace();
    held.mutex_.lock();
  } else if (!held.mutex_.try_lock()) {
    const nb::gil_scoped_release while_waiting;
    held.mutex_.lock();
  }
  held.user_.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

Use::~Use() {
  held_.user_.store({}, std::memory_order_relaxed);
  held_.mutex_.unlock();
}

}  // namespace tarry::python
