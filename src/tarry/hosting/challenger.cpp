#include "tarry/hosting/challenger.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/model/model_spec.h"

namespace tarry::hosting {
namespace {

constexpr double kNearlyAll = 0.99;  // of the labels that came
constexpr Round kPatience = 4;       // times as long as these took

// Differences of losses over classes, most often of log loss: a probability that is 55 times another one.
// What the first rounds say is too little where a class is rare.
constexpr double kRangeOfClasses = 4;

// What a model says of an event is the same wherever it is folded. All else is about this machine, whose state is of no
// use then: the champion has the event, and the challenger does not.
bool is_about_the_event(const Error& error) {
  return error.code() == Code::kBadInput || error.code() == Code::kConflict || error.code() == Code::kUnsupported ||
         error.code() == Code::kBadSpec;
}

[[noreturn]] void cut_short(const std::string& name, const Error& error) {
  throw std::runtime_error(fmt::format("challenger {}: {}", name, error.what()));
}

double told(double loss) { return std::isfinite(loss) ? loss : evaluation::PairedLosses::kLargestLoss; }

std::optional<FeaturesView> viewed(const std::optional<Features>& features) {
  return features ? std::optional<FeaturesView>(*features) : std::nullopt;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFailed:
      return "failed";
    case Verdict::kTooEarly:
      return "too early";
    case Verdict::kUnclear:
      return "unclear";
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
  }
  return "";
}

Challenger::Challenger(std::string name, const std::string& spec, const Model& champion)
    : Challenger(std::move(name), spec) {
  model_ = make_model(ModelSpec::parse(spec));
  model_->begin_after(champion);
  begin_trial();
}

Verdict Challenger::verdict() const {
  if (!model_) return Verdict::kFailed;
  if (trial_.choices) {
    const auto earned = trial_.choices->figures();
    if (!earned) return Verdict::kTooEarly;
    return earned->low > 0 ? Verdict::kBetter : earned->high < 0 ? Verdict::kWorse : Verdict::kUnclear;
  }
  const auto figures = trial_.losses.figures();
  if (!figures) return Verdict::kTooEarly;
  // What was clipped must not say otherwise.
  if (figures->high < 0 && figures->second < figures->first) return Verdict::kBetter;
  return figures->low > 0 && figures->second > figures->first ? Verdict::kWorse : Verdict::kUnclear;
}

void Challenger::fail(const Error& error, Round round) {
  if (!is_about_the_event(error)) cut_short(name_, error);
  failure_ = fmt::format("round {}: {}", round, error.what());
  model_.reset();
  trial_.ahead = {};
  if (trial_.choices) trial_.choices.emplace();
}

// It learns from what is shown, although it did not draw that. With a probability it would count as what the challenger
// earned.
Model::Outcome Challenger::choose(const Play& play, const Choice& champions) {
  Choosing asked = *play.choosing;
  asked.shown = ShownInstead{.id = asked.shown ? asked.shown->id : champions.action};
  return model_->choose(asked, {}, play.times);
}

ChallengerRound Challenger::play(const Play& play, const Model::Outcome& champions) {
  if (!model_) return {};
  const Round round = champions.round;
  const bool knows_enough = model_->ledger().settled() >= kFirst;
  Model::Outcome outcome;
  try {
    outcome = champions.choice ? choose(play, *champions.choice) : model_->play(viewed(play.features), {}, play.times);
    ensure(outcome.round == round, "a challenger plays the rounds of its champion");
  } catch (const Error& error) {
    fail(error, round);
    return {};
  }
  if (trial_.from == 0 && knows_enough) trial_.from = trial_.front = round;
  if (trial_.from == 0) return {};
  if (!trial_.choices) return {.prediction = model_->shown(outcome.prediction)};
  // What is shown instead of the champion's draw says nothing about it.
  if (!play.choosing->shown) trial_.choices->played(round, *champions.choice, *outcome.choice);
  return {};
}

ChallengerRound Challenger::counted(Round round, std::optional<double> champion_lost,
                                    const std::optional<Judged>& judged) const {
  if (!judged || trial_.choices || trial_.from == 0 || round < trial_.from) return {};
  return {.prediction = judged->prediction,
          .loss = judged->loss,
          .champion_loss = champion_lost.value_or(ChallengerRound::kUnknown)};
}

// A gradient is one at the point that the champion played: to the challenger it says nothing.
Model::Outcome Challenger::apply(const Event& event, Round round) {
  return std::visit(Overload{[&](const Label& e) {
                               return model_->label(round, e.label, viewed(e.features), {.now = e.revising.now},
                                                    e.shown);
                             },
                             [&](const Expire&) { return model_->expire(round); },
                             [&](const auto&) { return model_->declare_void(round); }},
                    event);
}

std::optional<Challenger::Judged> Challenger::feed(const Event& event, Round round,
                                                   std::optional<double> champion_lost) {
  if (!model_ || !model_->ledger().is_outstanding(round)) return std::nullopt;
  Model::Outcome outcome;
  try {
    outcome = apply(event, round);
  } catch (const Error& error) {
    if (!is_about_the_event(error)) cut_short(name_, error);
    model_->declare_void(round);
    return std::nullopt;
  }
  const auto& then = model_->expiry().then_label;
  const bool ended = std::holds_alternative<Expire>(event) && then && model_->loss()->outputs() == 1;
  note_reward(event, round, outcome);
  const double prediction = model_->shown(outcome.prediction);
  if (!ended && !std::holds_alternative<Label>(event)) return Judged{ChallengerRound::kUnknown, prediction};
  const Judged judged{ended ? model_->judge(outcome, *then).loss : outcome.loss, prediction};
  if (!champion_lost || trial_.from == 0 || round < trial_.from) return judged;
  if (round < trial_.front)
    ++trial_.late;
  else if (!trial_.choices)
    trial_.ahead.set(round, {told(*champion_lost), told(judged.loss)});
  return judged;
}

// A reward of true or false is 1 or 0, as the model has it. Of a round that is given up or void none is known.
void Challenger::note_reward(const Event& event, Round round, const Model::Outcome& outcome) {
  if (!trial_.choices) return;
  const auto reward = [&](const LabelValue& label) { return model_->judge(outcome, label).label > 0 ? 1.0 : 0.0; };
  const auto& then = model_->expiry().then_label;
  if (const auto* label = std::get_if<Label>(&event))
    trial_.choices->rewarded(round, reward(label->label), label->shown);
  else if (std::holds_alternative<Expire>(event) && then)
    trial_.choices->rewarded(round, reward(*then), std::nullopt);
}

bool Challenger::waits_too_long(Round round) const {
  if (trial_.waiting_ahead() > kMostAhead) return true;
  const DelayCounts& delays = model_->ledger().delays();
  if (model_->expiry().then_label || delays.answered < kFirst) return false;  // every round gets its label
  double within = 0;
  Round took = 1;
  for (std::size_t k = 0; k < delays.histogram.size(); ++k) {
    within += static_cast<double>(delays.histogram[k]);
    if (within < kNearlyAll * static_cast<double>(delays.answered)) continue;
    took = Round{2} << k;
    break;
  }
  return model_->ledger().issued() - round > kPatience * took;
}

void Challenger::compare(const SharedMap<std::int64_t>& waiting) {
  if (!model_ || trial_.from == 0) return;
  const Round issued = model_->ledger().issued();
  for (; trial_.front <= issued; ++trial_.front) {
    if (counts(trial_.front)) continue;
    if (waiting.contains(trial_.front) && !waits_too_long(trial_.front)) return;
    if (!trial_.choices || !trial_.choices->end(trial_.front)) ++trial_.left_out;
  }
}

// Whether it has its label, and was compared by it.
bool Challenger::counts(Round round) {
  if (trial_.choices) return trial_.choices->has_reward(round) && trial_.choices->end(round);
  const auto pair = trial_.ahead.take(round);
  if (pair) trial_.losses.add(pair->champion, pair->challenger);
  return pair.has_value();
}

void Challenger::trade_places(Model& champion, std::string& champions_name) {
  ensure(model_.has_value(), "a challenger that failed is not promoted");
  model_->succeed(champion);
  std::swap(*model_, champion);
  std::swap(name_, champions_name);
  spec_ = model_->spec();
}

void Challenger::begin_trial() {
  const bool chooses = model_ ? model_->choice().has_value() : trial_.choices.has_value();
  trial_ = {};
  if (chooses) trial_.choices.emplace();
  if (!model_) return;
  const AnyLoss& loss = *model_->loss();
  if (loss.outputs() > 1 || loss.classes() == 2) trial_.losses = evaluation::PairedLosses(kRangeOfClasses);
}

// ---- state

void Trial::save(ByteWriter& out) const {
  for (const std::uint64_t x : {from, front, left_out, late}) out.u64(x);
  out.u64(ahead.size());
  ahead.each([&](Round round, const LossPair& pair) {
    out.u64(round);
    out.f64(pair.champion);
    out.f64(pair.challenger);
  });
  losses.save(out);
  if (choices) choices->save(out);
}

void Trial::load(ByteReader& in) {
  const auto refuse = [] { throw Error(Code::kCorrupt, "snapshot: the rounds of a trial are impossible"); };
  for (std::uint64_t* x : {&from, &front, &left_out, &late}) *x = in.u64();
  if (front < from || (from == 0 && front > 0) || front > kLastRound + 1) refuse();
  Round last = front;
  for (std::uint64_t left = in.count(24); left > 0; --left) {
    const Round round = in.u64();
    if (round <= last || round > kLastRound) refuse();
    last = round;
    const double champion = in.f64();
    ahead.set(round, {champion, in.f64()});
  }
  losses.load(in);
  if (choices) choices->load(in);
}

void FrozenChallenger::save(ByteWriter& out) const {
  out.text(name);
  out.text(spec);
  out.text(failure);
  trial.save(out);
  if (model) model->save(out);
}

FrozenChallenger Challenger::freeze() const {
  FrozenChallenger frozen{.name = name_, .spec = spec_, .failure = failure_, .model = std::nullopt, .trial = trial_};
  if (model_) frozen.model = model_->freeze();
  return frozen;
}

Challenger Challenger::load(ByteReader& in) {
  std::string name = in.text();
  Challenger loaded(std::move(name), in.text());
  loaded.failure_ = in.text();
  const ModelSpec spec = ModelSpec::parse(loaded.spec_);
  if (spec.choice) loaded.trial_.choices.emplace();
  loaded.trial_.load(in);
  if (!loaded.failure_.empty()) return loaded;
  loaded.model_ = make_model(spec);
  loaded.model_->load(in);
  return loaded;
}

}  // namespace tarry::hosting
