#include "tarry/service/watch/watch.h"

#include <algorithm>
#include <cmath>

namespace tarry::service {
namespace {

constexpr std::size_t kRefusedKept = 100;
constexpr double kRecentLabels = 1000;
constexpr double kMostClasses = 20;                         // whose delays are counted apart
constexpr std::int64_t kCertifyEvery = kRanges[0].step_ms;  // one is drawn; it takes a pass over all weights
constexpr std::int64_t kLookAtChallengersEvery = 1000;      // milliseconds

void add_to_mean(double& mean, double value, std::uint64_t count) {
  const double weight = 1 / std::min(static_cast<double>(count), kRecentLabels);
  mean = std::isnan(mean) ? value : mean + weight * (value - mean);
}

// A label beside what was predicted of it.
struct Compared {
  std::optional<std::size_t> kind = std::nullopt;  // its class
  double predicted = Step::kUnknown, outcome = Step::kUnknown;
};

// What a round's outcome was: its label, or the default one at the end of its window.
const LabelValue* outcome_in(const Model& model, const Event& event) {
  if (const auto* label = std::get_if<Label>(&event)) return &label->label;
  const bool ended = std::holds_alternative<Expire>(event) && model.expiry().then_label && model.loss();
  return ended && model.loss()->outputs() == 1 ? &*model.expiry().then_label : nullptr;
}

Compared compare(const Model& model, const LabelValue& label, double prediction) {
  Compared told;
  const AnyLoss& loss = *model.loss();
  const double y = model.read(label);
  if (loss.outputs() > 1) {
    if (y < kMostClasses) told.kind = static_cast<std::size_t>(y);
  } else if (loss.classes() == 2) {
    told = {y > 0 ? 1 : 0, prediction, y > 0 ? 1.0 : 0.0};
  } else if (loss.of_the_error()) {
    told = {std::nullopt, prediction, y};
  }
  return told;
}

// What one event adds to the step in which it happened.
void add_happening(Step& step, const FoldedEvent& event) {
  using hosting::Fate;
  const Fate fate = event.folded.fate;
  if (std::holds_alternative<Play>(event.event)) {
    step.decisions += fate == Fate::kApplied;
    step.duplicates += fate == Fate::kDuplicate;
    return;
  }
  if (std::holds_alternative<Expire>(event.event)) {
    step.expired += fate == Fate::kApplied;
    return;
  }
  step.duplicates += fate == Fate::kDuplicate;
  step.expired += fate == Fate::kExpired;
  if (fate != Fate::kApplied) return;
  ++step.feedback;
  ++step.updates;
  step.update_ms += 1000 * event.seconds;
}

void add_choice(ChoiceWatch& choices, const FoldedEvent& event) {
  const hosting::Folded& folded = event.folded;
  const Model& model = event.model.model();
  if (std::holds_alternative<Play>(event.event)) {
    if (folded.reply && folded.reply->choice) {
      const Choice& choice = *folded.reply->choice;
      choices.chose(choice.shown.empty() ? choice.action : choice.shown, event.now_ms);
    }
    return;
  }
  std::optional<double> reward;
  if (const auto* label = std::get_if<Label>(&event.event)) reward = reward_of(model, label->label);
  if (std::holds_alternative<Expire>(event.event) && model.expiry().then_label)
    reward = reward_of(model, *model.expiry().then_label);
  if (!reward) return;
  if (!folded.revised) return choices.earned(*reward, folded.prediction, folded.issued_ms);
  if (model.revisable().labels == LabelsAre::kSum) choices.earned_more(*reward, folded.issued_ms);
}

void add_to_weeks(PastWeeks& weeks, const FoldedEvent& event, const Step& told) {
  if (event.folded.fate != hosting::Fate::kApplied) return;
  if (std::holds_alternative<Play>(event.event)) ++weeks.now(event.now_ms).decisions;
  Quarter* quarter = event.folded.issued_ms == 0 ? nullptr : weeks.then(event.folded.issued_ms);
  if (quarter == nullptr) return;
  const bool given_up = std::holds_alternative<Expire>(event.event) || std::holds_alternative<Void>(event.event);
  ++(given_up ? quarter->given_up : quarter->answered);
  quarter->losses += told.losses;
  quarter->loss += told.loss;
  quarter->constant += told.constant;
}

}  // namespace

QualityWatch::Beside said_beside(const WatchedModel& watched, const Model& model, std::int64_t now_ms) {
  return {.changed = watched.drift.sentences(now_ms),
          .tells_arrivals = watched.drift.tells(quality::DriftKind::kArrivals),
          .chooses = model.choice().has_value(),
          .before = watched.before};
}

// `told`: the loss of this event and the constant's, where they are known.
void Watch::count(Timeline& timeline, const FoldedEvent& event, const Step& told) const {
  timeline.now(event.now_ms, [&](Step& step) { add_happening(step, event); });
  if (event.folded.fate != hosting::Fate::kApplied || event.folded.issued_ms == 0) return;
  const bool given_up = std::holds_alternative<Expire>(event.event) || std::holds_alternative<Void>(event.event);
  timeline.then(event.folded.issued_ms, [&](Step& step) {
    ++(given_up ? step.given_up : step.answered);
    step.losses += told.losses;
    step.loss += told.loss;
    step.constant += told.constant;
    step.predicted += told.predicted;
    step.outcome += told.outcome;
  });
}

void Watch::folded(WatchedModel& of, const FoldedEvent& event) noexcept {
  of.watched = watches_;
  if (!watches_) return;
  try {
    add(of, event);
  } catch (const std::exception&) {  // a figure is no reason to end a service
  }
}

void Watch::add(WatchedModel& of, const FoldedEvent& event) {
  const Model& model = event.model.model();
  const bool applied = event.folded.fate == hosting::Fate::kApplied && !event.folded.revised;  // a round counts once
  Step own, relative;  // relative: in units of what the constant loses, so that models can be added up
  const LabelValue* label = outcome_in(model, event.event);
  std::optional<double> constant;
  if (applied && label != nullptr) constant = of.answer.judge(model, *label);
  Compared compared;
  if (constant) compared = compare(model, *label, event.folded.prediction);
  double certificate = WatchedModel::kUnknown;
  const bool certify = event.now_ms - of.certified_at >= kCertifyEvery;
  if (certify) {
    of.certified_at = event.now_ms;
    certificate = model.certificate().value_or(WatchedModel::kUnknown);
  }
  if (!event.model.challengers().empty() && event.now_ms - of.challengers_at >= kLookAtChallengersEvery)
    look_at_challengers(of, event.model, event.now_ms);
  const std::int64_t delay = event.folded.issued_ms == 0 ? -1 : event.now_ms - event.folded.issued_ms;
  const bool answers = applied && delay >= 0 && !std::holds_alternative<Expire>(event.event) &&
                       !std::holds_alternative<Void>(event.event) && !std::holds_alternative<Play>(event.event);
  {
    const std::lock_guard lock(of.mutex);
    of.quality.folded(model, event.event, event.folded, event.now_ms);
    of.drift.folded(model, event.event, event.folded, event.now_ms);
    of.beside.folded(event.model, event.event, event.folded, event.now_ms);
    if (constant) {
      of.quality.judged(model, model.read(*label), event.folded, *constant, event.now_ms);
      ++of.labels;
      add_to_mean(of.loss, event.folded.loss, of.labels);
      add_to_mean(of.constant, *constant, of.labels);
      own.losses = 1;
      own.loss = event.folded.loss;
      own.constant = *constant;
      own.predicted = compared.predicted;
      own.outcome = compared.outcome;
      relative.predicted = relative.outcome = Step::kUnknown;  // of different models
      if (of.constant > 0) {
        relative.losses = 1;
        relative.loss = event.folded.loss / of.constant;
        relative.constant = *constant / of.constant;
      }
    }
    if (answers) of.delays.add(delay);
    if (model.choice() && event.folded.fate == hosting::Fate::kApplied) add_choice(of.choices, event);
    if (answers && compared.kind) {
      if (of.by_class.size() <= *compared.kind) of.by_class.resize(*compared.kind + 1);
      of.by_class[*compared.kind].add(delay);
    }
    of.duplicates += event.folded.fate == hosting::Fate::kDuplicate;
    of.expired +=
        event.folded.fate == hosting::Fate::kExpired || (applied && std::holds_alternative<Expire>(event.event));
    count(of.timeline, event, own);
    add_to_weeks(of.weeks, event, own);
    if (certify) {
      of.certificate = certificate;
      of.timeline.now(event.now_ms, [&](Step& step) { step.certificate = certificate; });
    }
  }
  const std::lock_guard lock(mutex_);
  if (answers) delays_.add(delay);
  count(total_, event, relative);
}

hosting::ChallengerList challengers_of(const hosting::HostedModel& model, WatchedModel& of, std::int64_t now_ms) {
  hosting::ChallengerList list = hosting::challengers_of(model);
  if (list.challengers.empty()) return list;
  const std::lock_guard lock(of.mutex);
  of.beside.fill_in(list.challengers, now_ms);
  return list;
}

void look_at_challengers(WatchedModel& of, const hosting::HostedModel& model, std::int64_t now_ms) {
  hosting::ChallengerList list = challengers_of(model, of, now_ms);
  const std::lock_guard lock(of.mutex);
  of.challengers = std::move(list.challengers);
  of.challengers_at = now_ms;
}

void Watch::refused(WatchedModel* model, const RefusedRequest& request) {
  const std::uint32_t counted = request.status == 410 ? 0 : 1;  // what came too late is counted as such
  const auto add = [&](Step& step) { step.refused += counted; };
  if (model != nullptr) {
    const std::lock_guard lock(model->mutex);
    model->refused += counted;
    model->timeline.now(request.at_ms, add);
  }
  const std::lock_guard lock(mutex_);
  total_.now(request.at_ms, add);
  refused_.push_back(request);
  refused_.back().number = ++numbered_;
  if (refused_.size() > kRefusedKept) refused_.pop_front();
}

void Watch::gauge(WatchedModel& of, std::int64_t now_ms, std::uint64_t outstanding, double oldest_ms,
                  std::uint64_t backlog) {
  const std::lock_guard lock(of.mutex);
  of.quality.review(now_ms);
  of.drift.advance(now_ms);
  of.beside.review(now_ms);
  of.timeline.now(now_ms, [&](Step& step) {
    step.outstanding = static_cast<double>(outstanding);
    step.oldest_ms = oldest_ms;
    step.backlog = std::max(step.backlog, static_cast<std::uint32_t>(backlog));
  });
}

void Watch::gauge(const ServiceGauges& gauges) {
  const std::lock_guard lock(mutex_);
  const auto syncs = static_cast<std::uint32_t>(gauges.syncs - syncs_);
  const double sync_ms = 1000 * (gauges.sync_seconds - sync_seconds_);
  syncs_ = gauges.syncs;
  sync_seconds_ = gauges.sync_seconds;
  total_.now(gauges.now_ms, [&](Step& step) {
    step.outstanding = static_cast<double>(gauges.outstanding);
    step.oldest_ms = gauges.oldest_ms;
    step.certificate = gauges.certificate;
    step.store_bytes = gauges.store_bytes;
    step.backlog = std::max(step.backlog, static_cast<std::uint32_t>(gauges.backlog));
    step.syncs += syncs;
    step.sync_ms += sync_ms;
  });
}

std::vector<RefusedRequest> Watch::refused_after(std::uint64_t after) const {
  const std::lock_guard lock(mutex_);
  std::vector<RefusedRequest> found;
  for (const RefusedRequest& request : refused_)
    if (request.number > after) found.push_back(request);
  return found;
}

}  // namespace tarry::service
