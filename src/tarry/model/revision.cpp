// Labels that take the place of others: refunds, appeals, rewards that add up. A round that was labelled is kept for as
// long as `revisable` says, with what the learner made of its label; another label replaces that
// (docs/theory.md, 12.4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/linalg/stacked.h"
#include "tarry/model/model.h"

namespace tarry {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

// A part of a sum.
double number_of(const LabelValue& given) {
  if (const auto* flag = std::get_if<bool>(&given)) return *flag ? 1 : 0;
  const auto* number = std::get_if<double>(&given);
  if (number == nullptr || !std::isfinite(*number))
    refuse("label must be a finite number: this model adds up the labels of a round");
  return *number;
}

std::int64_t id_of(const std::string& part) { return static_cast<std::int64_t>(hash_text(part)); }

bool contains(const std::vector<double>& all, double label) {
  return std::find(all.begin(), all.end(), label) != all.end();
}

// What a label says at the predictions that were made.
struct Said {
  KnownLoss known;
  std::span<const double> predictions;
  Vec slopes = {}, values = {};
  Covector gradient = Covector::dense({});

  Said(const KnownLoss& loss, std::span<const double> at) : known(loss), predictions(at), slopes(at.size()) {
    known.slopes(predictions, slopes);
    gradient = known.gradient(slopes, values);
    check_sizes(gradient, "gradient");
  }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;

  Feedback feedback() const {
    Feedback feedback{.gradient = gradient, .known = &known, .predictions = predictions};
    if (slopes.size() == 1) feedback.slope = slopes[0];
    return feedback;
  }
};

}  // namespace

void Model::check(const Revising& revising) const {
  const bool sum = revisable_.labels == LabelsAre::kSum;
  if (sum && revising.part.empty())
    refuse("part must come with a label: this model adds up the labels of a round, and each counts once");
  if (!sum && !revising.part.empty()) refuse("part is for a model that adds up the labels of a round (labels = sum)");
  if (sum && (revising.revise || revising.sequence))
    refuse("revise and sequence do not go with parts of a sum: give what is to be added, with a part of its own");
  if (revising.sequence && !std::isfinite(*revising.sequence)) refuse("sequence must be a finite number");
}

// Of a round that waits.
double Model::first_label(const LabelValue& given) const {
  return revisable_.labels == LabelsAre::kSum ? loss_->label(number_of(given)) : labels_.read(given, *loss_);
}

// What is kept of a label: as the loss reads it, or as it is added up.
double Model::number_kept(const LabelValue& given, double label) const {
  return revisable_.labels == LabelsAre::kSum ? number_of(given) : label;
}

SettledRound Model::as_labelled(Context context, const Learnt& learnt, double label, const Revising& revising) const {
  context.memo = learnt.memo;
  SettledRound settled{.context = PackedContext(context)};
  settled.learnt = learnt.label;
  settled.label = label;
  settled.settled = ledger_.issued();
  settled.at = time_of(revising.now);
  settled.sequence = revising.sequence;
  if (!revising.sequence) settled.told = {label};
  if (!revising.part.empty()) settled.parts = {id_of(revising.part)};
  return settled;
}

// Without sequence numbers a label that the round has had before is taken for
// one that was sent again: it never comes back.
std::optional<Answer> Model::put_label(SettledRound& settled, double label, const Revising& revising) const {
  const bool known = label == settled.label || contains(settled.told, label);
  if (!revising.revise && revisable_.labels == LabelsAre::kFirst) return known ? Answer::kDuplicate : Answer::kConflict;
  if (revising.sequence) {
    if (settled.sequence && *revising.sequence <= *settled.sequence)
      return *revising.sequence == *settled.sequence && label != settled.label ? Answer::kConflict : Answer::kDuplicate;
    settled.sequence = revising.sequence;
  } else {
    if (known) return Answer::kDuplicate;
    if (settled.sequence) refuse("sequence must come with this label: one before it had one");
    settled.told.push_back(label);
  }
  settled.label = label;
  return std::nullopt;
}

std::optional<Answer> Model::add_part(SettledRound& settled, double value, const Revising& revising) const {
  const std::int64_t id = id_of(revising.part);
  const auto at = std::find(settled.parts.begin(), settled.parts.end(), id);
  if (at != settled.parts.end()) {
    const double before = settled.told[static_cast<std::size_t>(at - settled.parts.begin())];
    return before == value ? Answer::kDuplicate : Answer::kConflict;
  }
  settled.parts.push_back(id);
  settled.told.push_back(value);
  settled.label += value;
  return std::nullopt;
}

// An answer where nothing is to be learnt.
std::optional<Answer> Model::add_label(SettledRound& settled, const LabelValue& given, const Revising& revising) const {
  const bool sum = revisable_.labels == LabelsAre::kSum;
  const auto answer = sum ? add_part(settled, number_of(given), revising)
                          : put_label(settled, checked_label(labels_.read(given, *loss_)), revising);
  if (answer) return answer;
  if (settled.told.size() > kMostTold)
    refuse(fmt::format("a round takes at most {} {}", kMostTold, sum ? "parts" : "labels without a sequence number"));
  if (sum) checked_label(loss_->label(settled.label));
  return std::nullopt;
}

Model::Outcome Model::revise(Round round, const SettledRound& before, const LabelValue& given,
                             const Revising& revising) {
  SettledRound after = before;
  if (const auto answer = add_label(after, given, revising))
    return {.answer = *answer, .round = round, .certain = true};
  Outcome outcome = replace(round, before, std::move(after));
  add_name(given);
  ++events_;
  return outcome;
}

// The gradients of both labels are taken at the predictions that were made. Throws before anything changes.
Model::Outcome Model::replace(Round round, const SettledRound& before, SettledRound after) {
  Context context = before.context.unpack();
  const double label = revisable_.labels == LabelsAre::kSum ? loss_->label(after.label) : after.label;
  const double taken = label_scale_ ? label_scale_->taken(label) : label;
  const Covector row = care_.widen(view(context), ledger_.own(round), wide_);
  std::optional<Stacked> stacked;
  if (outputs() > 1) stacked.emplace(row, outputs(), care_.width());
  KnownLoss known{stacked ? stacked->view() : row, *loss_, before.learnt, context.link};
  if (label_scale_) known.now = label_scale_->link();
  const auto predictions =
      stacked ? std::span<const double>(context.scores) : std::span<const double>(&context.prediction, 1);
  const Said old(known, predictions);
  known.label = taken;
  const Said now(known, predictions);
  if (taken != before.learnt) {
    Memo memo = context.memo;
    gradient_bound_ = std::max(gradient_bound_, now.gradient.norm());
    Revision revision{old.feedback(), now.feedback(), before.settled - round};
    if (context.due.any()) revision.after.due_age = context.due.share(before.at);
    learner_.revise(revision, memo);
    if (label_scale_) label_scale_->replace(before.learnt, taken);
    after.learnt = taken;
    context.memo = std::move(memo);
    after.context = PackedContext(context);
    ++revisions_;
  }
  settled_.replace(round, std::move(after));  // `before` is gone
  note_reward(round, label);
  const double shown = context.link(context.prediction);
  return {.answer = Answer::kApplied,
          .round = round,
          .prediction = shown,
          .scores = context.scores,
          .loss = taken == label ? now.known.value(predictions) : loss_->value(shown, label),
          .revised = true};
}

}  // namespace tarry
