#include "tarry/model/told.h"

#include <algorithm>
#include <bit>

#include "tarry/base/overload.h"
#include "tarry/features/digest.h"
#include "tarry/features/hash.h"
#include "tarry/model/label_spellings.h"

namespace tarry {
namespace {

std::uint64_t digest_of(const std::optional<Features>& features) {
  if (!features) return 0;
  return std::visit(Overload{[](const Vec& x) { return digest(Covector::dense(x)); },
                             [](const SparseVector& x) {
                               if (x.indices.size() != x.values.size())
                                 return hash_step(x.indices.size(), x.values.size());
                               return digest(Covector::sparse(x.indices, x.values));
                             },
                             [](const NamedFeatures& x) { return digest(x); }},
                    static_cast<const Features::Kinds&>(*features));
}

std::uint64_t digest_of(double x) { return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x); }

std::uint64_t digest_of(const LabelValue& label) {
  return std::visit(
      Overload{[](double x) { return hash_step(1, digest_of(x)); }, [](bool x) { return hash_step(2, x ? 1 : 0); },
               [](const std::string& x) { return hash_step(3, hash_text(x)); }},
      static_cast<const LabelValue::Kinds&>(label));
}

std::uint64_t digest_of(const LabelValue& label, std::uint64_t features) {
  constexpr std::size_t kLabel = 2;
  static_assert(std::is_same_v<std::variant_alternative_t<kLabel, Event>, Label>);
  return hash_step(hash_step(hash_step(kHashStart, kLabel), digest_of(label)), features);
}

// `revise` itself is no content: it says what to do with it.
std::uint64_t digest_of(const Label& e) {
  std::uint64_t all = digest_of(e.label, digest_of(e.features));
  if (e.revising.sequence) all = hash_step(all, digest_of(*e.revising.sequence));
  if (!e.revising.part.empty()) all = hash_step(all, hash_text(e.revising.part));
  if (!e.shown) return all;
  all = hash_step(hash_step(all, hash_text(e.shown->action.id)), digest(e.shown->action.features));
  return e.shown->probability ? hash_step(all, digest_of(*e.shown->probability)) : all;
}

bool is_word(const Model& model, const LabelValue& label) {
  return !model.names_classes() && std::holds_alternative<std::string>(label);
}

// Whether the feedback with this digest was the same, in these words or in others.
bool was_told(std::uint64_t digest, const Model& model, const Event& event) {
  const auto* label = std::get_if<Label>(&event);
  if (label == nullptr) return digest == content_digest(event);
  const std::vector<LabelValue> spellings = label_spellings(model, label->label);
  return std::any_of(spellings.begin(), spellings.end(), [&](const LabelValue& spelling) {
    Label other = *label;
    other.label = spelling;
    return digest == content_digest(other);
  });
}

}  // namespace

std::uint64_t content_digest(const Event& feedback) {
  const std::uint64_t start = hash_step(kHashStart, feedback.index());
  return std::visit(
      Overload{[&](const Gradient& e) { return hash_step(start, digest_of(std::optional<Features>(e.gradient))); },
               [](const Label& e) { return digest_of(e); },
               [&](const LossValue& e) {
                 const std::uint64_t one = hash_step(start, digest_of(e.loss));
                 return e.at_probe ? hash_step(one, digest_of(*e.at_probe)) : one;
               },
               [&](const auto&) { return start; }},
      feedback);
}

Answer Told::answer(const Model& model, const Event& event, const Model::Outcome& outcome) const {
  const bool feedback = !std::holds_alternative<Play>(event) && !std::holds_alternative<Expire>(event);
  const bool closed = outcome.answer == Answer::kDuplicate || outcome.answer == Answer::kConflict ||
                      outcome.answer == Answer::kUntracked;  // of an old round nobody may know that it was kept
  if (!feedback || !closed || outcome.certain) return outcome.answer;
  return compared(model, event, outcome);
}

Answer Told::compared(const Model& model, const Event& event, const Model::Outcome& outcome) const {
  const auto first = digests_.find(outcome.round);
  if (!first) return outcome.answer;
  return was_told(*first, model, event) ? Answer::kDuplicate : Answer::kConflict;
}

// A word for true or for a number is remembered as what it means: spellings of words have no end.
void Told::note(const Model& model, const Event& event, const Model::Outcome& outcome) {
  if (outcome.answer != Answer::kApplied || std::holds_alternative<Play>(event) ||
      std::holds_alternative<Expire>(event))
    return;
  const auto* label = std::get_if<Label>(&event);
  if (label == nullptr || !is_word(model, label->label)) return digests_.add(outcome.round, content_digest(event));
  Label plain = *label;
  plain.label = model.plain(label->label);
  digests_.add(outcome.round, content_digest(plain));
}

void Told::note(const Model& model, Round round, const LabelValue& label) {
  digests_.add(round, is_word(model, label) ? digest_of(model.plain(label), 0) : digest_of(label, 0));
}

}  // namespace tarry
