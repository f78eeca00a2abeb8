#include "tarry/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/features/digest.h"
#include "tarry/features/hash.h"
#include "tarry/linalg/stacked.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

// Gradients of standardised labels are in their units squared: after a larger one every other would be refused.
constexpr double kLargestScaled = 1e45;

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

// c with gradient = c · features, entry by entry; nothing where there is none.
std::optional<double> multiple_of(const Covector& features, const Covector& gradient) {
  constexpr double kRounding = 1e-12;
  const auto a = features.values(), g = gradient.values();
  if (features.is_sparse() != gradient.is_sparse() || a.size() != g.size() ||
      !std::equal(features.indices().begin(), features.indices().end(), gradient.indices().begin(),
                  gradient.indices().end()))
    return std::nullopt;
  const auto largest =
      std::max_element(a.begin(), a.end(), [](double x, double y) { return std::fabs(x) < std::fabs(y); });
  if (largest == a.end() || *largest == 0) return std::nullopt;
  const double slope = g[static_cast<std::size_t>(largest - a.begin())] / *largest;
  if (!std::isfinite(slope)) return std::nullopt;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(g[i] - slope * a[i]) <= kRounding * std::fabs(slope * *largest))) return std::nullopt;
  return slope;
}

void check_time(const std::optional<double>& time, const char* what) {
  if (time && !(std::fabs(*time) <= 1e15))
    refuse(fmt::format("{} must be a number of seconds, at most 1e15 in size ({} came)", what, *time));
}

std::uint64_t digest_of(const std::optional<FeaturesView>& features) {
  if (!features) return 0;
  if (features->named() != nullptr) return digest(*features->named());
  const Covector& x = features->numbered();
  if (x.is_sparse() && x.indices().size() != x.values().size())  // refused in the words of check_vector
    return hash_step(x.indices().size(), x.values().size());
  return digest(x);
}

// A gradient for outside, where it has one for each coordinate or a few by index.
Covector numbered(const Features& gradient) {
  if (const auto* whole = std::get_if<Vec>(&gradient)) return Covector::dense(*whole);
  const auto& sparse = std::get<SparseVector>(gradient);
  return Covector::sparse(sparse.indices, sparse.values);
}

}  // namespace

// ---- events

Model::Outcome Model::apply(const Event& event) {
  const auto viewed = [](const std::optional<Features>& features) {
    return features ? std::optional<FeaturesView>(*features) : std::nullopt;
  };
  const auto play_it = [&](const Play& e) {
    const Round next = ledger_.issued() + 1;
    if (e.round != 0 && e.round != next)
      refuse(fmt::format("play must be the next round, {} (play = {})", next, e.round));
    if (!e.choosing) return play(viewed(e.features), e.key, e.times);
    if (e.features) refuse("give features, or context and actions, not both");
    return choose(*e.choosing, e.key, e.times);
  };
  const auto receive_it = [&](const Gradient& e) {
    Vec values;
    if (const auto* named = std::get_if<NamedFeatures>(&e.gradient))
      return receive(e.round, gradient_by_name(*named, values));
    return receive(e.round, numbered(e.gradient));
  };
  return std::visit(
      Overload{play_it, receive_it,
               [&](const Label& e) { return label(e.round, e.label, viewed(e.features), e.revising, e.shown); },
               [&](const Expire& e) { return expire(e.round); }, [&](const Void& e) { return declare_void(e.round); },
               [&](const LossValue& e) { return cost(e.round, e.loss, e.at_probe); }},
      event);
}

Model::Outcome Model::play(const std::optional<FeaturesView>& features, const std::string& key,
                           const PlayTimes& times) {
  if (choice_) refuse("this model chooses: a play must have context and actions");
  const std::uint64_t digest = key.empty() ? 0 : digest_of(features);
  if (auto before = played_before(key, digest)) return *before;
  Outcome outcome = open(features, {key, digest}, times);
  drop_untracked(outcome);
  return outcome;
}

// The next round, whose key is not known yet.
Model::Outcome Model::open(const std::optional<FeaturesView>& features, const Asked& asked, const PlayTimes& times) {
  if (!features && care_.standardises()) refuse("features must come with the play: this model standardises them");
  if (!features && outputs() > 1) refuse("features must come with the play: this model predicts classes");
  if (!features && loss_) full_size(set_.dimension());  // refused before anything changes
  if (revisable_.seconds > 0 && !times.now) refuse("now must come with the play: this model counts seconds");
  if (times.due && !times.now) refuse("now must come with due: when the round is played, by the same clock");
  check_time(times.now, "now");
  check_time(times.due, "due");
  Context& context = played_;
  context.clear();
  if (features) care_.prepare(*features, next_own(), context);
  check_size(context);
  const Round expired = give_up_overdue();
  pass_time(times);
  const Round next = ledger_.issued() + 1;
  if (revisable_.any())
    settled_.forget([&](const SettledRound& settled) { return revisable_.ended(settled, next, now_); },
                    [&](Round round) {
                      apprentice_.final(round);
                      comparison_.final(round);
                    });

  if (label_scale_) context.link = label_scale_->link();
  score(context);
  if (times.due && *times.due > *times.now) context.due = {*times.now, *times.due};
  const Round round =
      asked.waits ? ledger_.issue(context, loss_ && !features ? current_version() : nullptr) : ledger_.issue_answered();
  Outcome outcome{.answer = Answer::kApplied,
                  .round = round,
                  .prediction = context.link(context.prediction),
                  .scores = asked.waits ? std::move(context.scores) : context.scores,
                  .expired = expired};
  ensure(outputs() == 1 || outcome.scores.size() == outputs(), "a play over classes has a score for each");
  if (!asked.key.empty())
    keys_.open(asked.key, {round, asked.digest, outcome.prediction, choice_ ? asked.answer : outcome.scores});
  if (learner_.looks_again()) {
    if (context.due.any()) {
      learner_.dated(context.memo);
      expect_look(round, context.due);
    }
    look_again(round);
    look_at_due();
  }
  ++events_;
  return outcome;
}

// That a round is still open says something of its label.
void Model::look_again(Round newest) {
  for (std::size_t look = 0; age_at(look) < newest; ++look) {
    const Round round = newest - age_at(look);
    if (round < ledger_.oldest_outstanding()) break;
    const PackedContext* waiting = ledger_.find(round);
    if (waiting == nullptr || waiting->has_due()) continue;
    const Open open{ledger_.own(round), look, waiting->prediction(), waiting->memo_size()};
    if (learner_.comes_of_age(open)) move_target(round, open, *waiting);
  }
}

void Model::move_target(Round round, const Open& open, const PackedContext& waiting) {
  Context context = waiting.unpack();
  if (!context.has_features) return;
  Memo memo = context.memo;
  with_open_loss(round, context, [&](const KnownLoss& loss) { learner_.move(open, loss, memo); });
  if (memo != context.memo) ledger_.keep_memo(round, std::move(memo));
}

// The loss of a round whose label has not come.
template <class Use>
void Model::with_open_loss(Round round, const Context& context, Use use) {
  const Covector row = care_.widen(view(context), ledger_.own(round), wide_);
  std::optional<Stacked> stacked;
  if (outputs() > 1) stacked.emplace(row, outputs(), care_.width());
  const Link now = label_scale_ ? label_scale_->link() : context.link;
  use(KnownLoss{stacked ? stacked->view() : row, *loss_, 0, context.link, now});
}

// What being open said of a round.
void Model::withdraw(Round round, const Context& context, Memo& memo) {
  if (learner_.looks_again() && context.has_features)
    with_open_loss(round, context, [&](const KnownLoss& loss) { learner_.withdraw(loss, memo); });
}

// The learner decides. Where a loss has several outputs the decision is one block of weights after the other.
void Model::score(Context& context) {
  const Round round = next_own();
  Covector row = care_.widen(view(context), round, wide_);
  if (trees_ && context.has_features) row = care_.with_raw(row, wide_);
  if (outputs() == 1) {
    context.prediction = learner_.play(round, context.has_features ? &row : nullptr, context.memo);
    return;
  }
  const Stacked stacked(row, outputs(), care_.width());
  const Covector features = stacked.view();
  learner_.play(round, &features, context.memo);
  for (std::size_t c = 0; c < outputs(); ++c) context.scores.push_back(learner_.predict(features.output(c)));
  context.prediction = likeliest(context.scores);
}

// A key that is known opens no round: the same question gets the first answer, another one is refused.
std::optional<Model::Outcome> Model::played_before(const std::string& key, std::uint64_t digest) const {
  if (key.empty()) return std::nullopt;
  if (key.size() > kLongestKey) refuse(fmt::format("key must have 1 to {} bytes ({} came)", kLongestKey, key.size()));
  const KeyedRound* first = keys_.find(key);
  if (first == nullptr) return std::nullopt;
  if (first->digest != digest)
    throw Error(Code::kConflict,
                fmt::format("key {} was played in round {} with other features", spec::to_json({key}), first->round));
  return Outcome{
      .answer = Answer::kDuplicate, .round = first->round, .prediction = first->prediction, .scores = first->scores};
}

Model::Outcome Model::receive(const RoundName& name, const Covector& gradient) {
  if (care_.standardises()) refuse("a gradient does not fit a model that standardises features: give the label");
  if (outputs() > 1) refuse("a gradient does not fit a model that predicts classes: give the label");
  check_vector(gradient, "gradient", set_.dimension(), "the set's dimension");
  const Round round = find(name);
  const auto settled = ledger_.settle(round);
  if (!settled) return not_applied(name, round);
  keys_.close(round);
  const Context& context = settled->context;
  Memo memo = context.memo;
  withdraw(round, context, memo);  // a gradient takes the place of what being open said
  const auto slope = context.has_features ? multiple_of(view(context), gradient) : std::nullopt;
  Feedback feedback{.gradient = gradient, .slope = slope};
  if (context.has_features) feedback.predictions = {&context.prediction, 1};
  if (settled->version) feedback.decision = *settled->version;
  Vec values;
  weigh(settled->chance, feedback, values);
  pass_on(round, feedback, memo);
  note_lost(round);
  ++events_;
  return {.answer = Answer::kApplied, .round = round, .prediction = context.link(context.prediction)};
}

// As the loss read it.
double Model::checked_label(double label) const {
  if (label_scale_ && !(std::fabs(label) <= kLargestScaled))
    refuse(fmt::format("label must be at most 1e45 in size where the model standardises ({} came)", label));
  return label;
}

// What can be told without its round.
void Model::check_label(const Revising& revising, const std::optional<ShownLater>& shown) const {
  if (!loss_) refuse("a label needs a model with a loss");
  check(revising);
  check_time(revising.now, "now");
  if (shown) check(*shown);
}

Model::Outcome Model::label(const RoundName& name, const LabelValue& given, const std::optional<FeaturesView>& features,
                            const Revising& revising, const std::optional<ShownLater>& shown) {
  check_label(revising, shown);
  const Round round = find(name);
  const SettledRound* before = settled_.find(round);
  if (before != nullptr && !revisable_.ended(*before, ledger_.issued(), time_of(revising.now))) {
    if (shown) expect_shown(round, *shown, before->context);
    return revise(round, *before, given, revising);
  }
  const double label = checked_label(first_label(given));
  Ledger::Settled& waiting = labelled_;
  if (!ledger_.peek(round, waiting)) {
    Outcome outcome = not_applied(name, round);  // a correction that comes too late is none
    if (outcome.answer == Answer::kDuplicate && (revising.revise || revisable_.labels != LabelsAre::kFirst))
      outcome.answer = Answer::kConflict;
    return outcome;
  }
  const bool at_play = waiting.context.has_features;
  check_brings(waiting.context, features.has_value());
  if (shown) put_shown(round, *shown, waiting.context);
  Row row;
  const Covector known = at_play ? view(waiting.context) : care_.preview(*features, row);
  Learnt learnt;
  const bool keeps = revisable_.any() && at_play;
  Outcome outcome = learn(round, waiting, label, known, time_of(revising.now), keeps ? &learnt : nullptr);
  outcome.loss = judge(outcome, given).loss;
  if (keeps) settled_.keep(round, as_labelled(waiting.context, learnt, number_kept(given, label), revising));
  if (!at_play) care_.keep_names(*features);  // a label that is refused leaves no names behind
  ledger_.settle_peeked(round, waiting);
  waiting.version.reset();
  close_labelled(round, given, label, revising.now);
  return outcome;
}

// Of a round that is off the ledger.
void Model::close_labelled(Round round, const LabelValue& given, double label, const std::optional<double>& now) {
  keys_.close(round);
  add_name(given);
  note_reward(round, label);
  if (dated_ && learner_.looks_again()) {
    pass_time({.now = now});
    look_at_due();
  }
  ++events_;
}

Model::Outcome Model::play_and_label(const FeaturesView& features, const LabelValue& given) {
  const double number = read(given);  // refuses what cannot be a label before anything is played
  const bool waits = choice_ || revisable_.any() || ledger_.tracked().any();
  static const std::string no_key;
  Outcome played = waits ? play(features) : open(features, {.key = no_key, .digest = 0, .waits = false}, {});
  try {
    if (waits) {
      label(played.round, given);
      return played;
    }
    std::swap(labelled_.context, played_);
    learn(played.round, labelled_, checked_label(number), view(labelled_.context), now_);
    ledger_.settle_answered();
    close_labelled(played.round, given, number, std::nullopt);
  } catch (...) {
    if (!waits) ledger_.keep_answered(labelled_.context);
    declare_void(played.round);  // nobody could name it later
    throw;
  }
  return played;
}

// Through the loss: gradient = slope · features, at the point that was played. Throws before anything changes.
Model::Outcome Model::learn(Round round, const Ledger::Settled& waiting, double label, const Covector& given,
                            double now, Learnt* learnt) {
  const Context& context = waiting.context;
  const Covector row = care_.widen(given, ledger_.own(round), wide_);
  std::optional<Stacked> stacked;
  if (outputs() > 1) stacked.emplace(row, outputs(), care_.width());
  const double taken = label_scale_ ? label_scale_->taken(label) : label;
  KnownLoss known{stacked ? stacked->view() : row, *loss_, taken, context.link};
  ensure(context.has_features || (waiting.version && static_cast<Index>(waiting.version->size()) == set_.dimension()),
         "of a round without features the decision was kept");
  ensure(!stacked || context.scores.size() == outputs(), "of a round over classes the scores were kept");
  const double one = context.has_features ? context.prediction : row.dot(*waiting.version);
  const auto predictions = stacked ? std::span<const double>(context.scores) : std::span<const double>(&one, 1);
  double one_slope = 0;
  Vec slopes(stacked ? outputs() : 0);
  known.slopes(predictions, stacked ? std::span<double>(slopes) : std::span<double>(&one_slope, 1));
  const Covector gradient = stacked ? known.gradient(slopes, gradient_) : row.times(one_slope, gradient_);
  check_sizes(gradient, "gradient");
  if (label_scale_) {
    label_scale_->add(taken);
    known.now = label_scale_->link();
  }
  Feedback feedback{.gradient = gradient, .known = &known, .predictions = predictions};
  if (!stacked) feedback.slope = one_slope;
  if (waiting.version) feedback.decision = *waiting.version;
  if (context.due.any()) {
    note_open_until(now, round, context);
    feedback.due_age = context.due.share(now);
  }
  if (learnt != nullptr) learnt->label = taken;
  Vec weighed;
  weigh(waiting.chance, feedback, weighed);
  pass_on(round, feedback, context.memo, learnt);
  if (gradient_.capacity() > kKeptNumbers) gradient_ = {};
  return {.answer = Answer::kApplied, .round = round, .prediction = context.link(one), .scores = context.scores};
}

void Model::pass_on(Round round, const Feedback& feedback, const Memo& memo, Learnt* learnt) {
  gradient_bound_ = std::max(gradient_bound_, feedback.gradient.norm());
  ensure(std::isfinite(gradient_bound_), "gradients that reach the learner are finite");
  ensure(ledger_.issued() >= round, "feedback that reaches the learner is of a round that was played");
  if (learnt == nullptr) return learner_.receive(ledger_.own(round), feedback, memo);
  learnt->memo = memo;
  learner_.settle(ledger_.own(round), feedback, learnt->memo);
}

}  // namespace tarry
