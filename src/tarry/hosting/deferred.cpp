// Rounds whose decision nobody may have seen: until they are activated their labels wait here, beside the model, which
// learns nothing of them. One that is never activated becomes void.
#include "tarry/base/error.h"
#include "tarry/hosting/hosted_model.h"
#include "tarry/model/codec.h"

namespace tarry::hosting {
namespace {

[[noreturn]] void corrupt_deferred(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

}  // namespace

Round HostedModel::round_of(const RoundName& name) const {
  if (name.number > 0) return name.number;
  const KeyedRound* known = model_.keys().find(name.key);
  return known == nullptr ? 0 : known->round;
}

// The label of a deferred round is kept beside the model, which learns nothing of a round that nobody saw. It is
// answered, or refused, as one that reaches the model.
std::optional<Folded> HostedModel::hold(const Event& event) {
  const auto* label = std::get_if<Label>(&event);
  if (label == nullptr || deferred_.empty()) return std::nullopt;
  const Round round = round_of(label->round);
  if (!deferred_.contains(round)) return std::nullopt;
  const std::vector<Label>& before = **deferred_.find(round);
  const Model::Outcome outcome = model_.foresee(round, before, *label);
  Told told;
  if (!before.empty()) told.note(model_, before.front(), {.answer = Answer::kApplied, .round = round});
  const Fate fate = fate_of(told.answer(model_, event, outcome));
  if (fate != Fate::kApplied) return Folded{.fate = fate, .round = round};
  std::vector<Label>& held = deferred_.edit(round)->own();
  held.push_back(*label);
  held.back().round = RoundName(round);
  return Folded{.fate = Fate::kApplied, .round = round, .held = true};
}

Activated HostedModel::activate(const Activate& entry) {
  const TallySince before;
  const auto held = deferred_.take(entry.round);
  if (!held) return {.fate = entry.round <= model_.ledger().issued() ? Fate::kDuplicate : Fate::kUnknown};
  Activated done{.fate = Fate::kApplied};
  for (const Label& label : **held) {
    try {
      const Model::Outcome outcome = model_.apply(label);
      done.passed.push_back({label, fold_feedback(label, outcome)});
    } catch (const Error& error) {  // a label that the model cannot take by now: nothing has changed
      if (error.code() != Code::kBadInput) throw;
    }
  }
  bytes_ += before.bytes();
  return done;
}

void HostedModel::load_deferred(ByteReader& in) {
  if (const std::uint8_t format = in.u8(); format != kDeferredFormat)
    corrupt_deferred("format " + std::to_string(format) + " of deferred rounds is not one this program reads");
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const Round round = in.u64();
    if (!issued_ms_.contains(round)) corrupt_deferred("a deferred round does not wait");
    std::vector<Label> labels;
    for (std::uint64_t each = in.count(8); each > 0; --each) {
      const Event event = event_from_bytes(in.view());
      const auto* label = std::get_if<Label>(&event);
      if (label == nullptr) corrupt_deferred("a deferred round has something else than labels");
      labels.push_back(*label);
    }
    deferred_.set(round, Shared(std::move(labels)));
  }
}

}  // namespace tarry::hosting
