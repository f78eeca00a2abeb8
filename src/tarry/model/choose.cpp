// A model that chooses: each action's reward is predicted as any label is, one action is drawn, and its row is played.
#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/model.h"

namespace tarry {
namespace {

constexpr double kLeastProbability = 1e-9;  // of what was shown: squares of weights times rewards stay finite

constexpr std::uint64_t kDraws = 0x63686F6F7365;  // the stream of a model's draws; a round has one

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

std::size_t place_of(const std::vector<Action>& actions, const std::string& id) {
  return static_cast<std::size_t>(
      std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.id == id; }) - actions.begin());
}

// What keys keep of a choice: the place of the action, and its probability.
Choice choice_again(const Vec& kept, const std::vector<Action>& actions) {
  if (kept.size() != 2 || !(kept[0] >= 0 && kept[0] < static_cast<double>(actions.size())))
    throw Error(Code::kCorrupt, "the key of a choice names no action");
  return {.action = actions[static_cast<std::size_t>(kept[0])].id, .probability = kept[1]};
}

}  // namespace

Model::Outcome Model::choose(const Choosing& asked, const std::string& key, const PlayTimes& times) {
  if (!choice_) refuse("context and actions are for a model that chooses: this one predicts, give features");
  const std::vector<Action>& actions = asked.actions.empty() ? choice_->actions : asked.actions;
  check_actions(asked, actions);
  const std::string shown = asked.shown ? asked.shown->id : "";
  const std::uint64_t digest = key.empty() ? 0 : digest_of(asked, actions);
  if (auto before = played_before(key, digest)) {
    before->choice = choice_again(before->scores, actions);
    before->choice->shown = shown;
    before->scores.clear();
    return *std::move(before);
  }
  Choice choice{.ranking = ranked(asked, actions), .shown = shown};
  const double uniform = Random(static_cast<std::uint64_t>(choice_->seed), kDraws).uniform(ledger_.issued() + 1);
  Vec probabilities;
  probabilities.reserve(choice.ranking.size());
  for (const RankedAction& each : choice.ranking) probabilities.push_back(each.probability);
  const std::size_t at = drawn(probabilities, uniform);
  choice.action = actions[at].id;
  choice.probability = probabilities[at];
  const Action& learnt = asked.shown ? actions[place_of(actions, shown)] : actions[at];
  const NamedFeatures row = row_of(asked.context, learnt);
  Outcome outcome = open(FeaturesView(row), {key, digest, Vec{static_cast<double>(at), choice.probability}}, times);
  if (asked.shown) note_shown(outcome.round, asked, choice);
  comparison_.played(outcome.round, choice, asked.shown);
  drop_untracked(outcome);
  outcome.choice = std::move(choice);
  return outcome;
}

void Model::note_shown(Round round, const Choosing& asked, const Choice& choice) {
  std::optional<evaluation::LoggedReward> judged;
  if (asked.shown->probability) {
    evaluation::Modelled model{.bounded = false};
    judged.emplace();
    for (const RankedAction& each : choice.ranking) {
      model.policy += each.probability * each.reward;
      if (each.id != asked.shown->id) continue;
      model.taken = each.reward;
      judged->weight = each.probability / std::max(kLeastProbability, *asked.shown->probability);
    }
    judged->model = model;
  }
  apprentice_.shown(round, choice.action == asked.shown->id, judged);
}

// A label of true or false is a reward of 1 or 0.
void Model::note_reward(Round round, double label) {
  if (!choice_) return;
  const double reward = loss_->of_the_error() ? label : label > 0 ? 1 : 0;
  const bool revisable = settled_.find(round) != nullptr;
  apprentice_.rewarded(round, reward, revisable);
  comparison_.rewarded(round, reward, revisable);
}

void Model::note_lost(Round round) {
  if (!choice_) return;
  apprentice_.lost(round);
  comparison_.lost(round);
}

// What waits will be known too: deviations count as if they had shrunk by it already, or all choices that are made
// meanwhile would fall on the same action.
double Model::optimism_now() const {
  const Exploration& explore = choice_->explore;
  const auto answered = static_cast<double>(ledger_.settled()), waiting = static_cast<double>(ledger_.outstanding());
  if (explore.kind != Exploration::Kind::kGaps || answered == 0) return 0;
  return explore.optimism * std::sqrt(answered / (answered + waiting));
}

// Probabilities are of the actions that are left; the others have none. They follow from rewards as they may be at
// best, by so many deviations: an action that little is known about is tried.
std::vector<RankedAction> Model::ranked(const Choosing& asked, const std::vector<Action>& actions) const {
  const double range = label_scale_ ? label_scale_->range() : 1;
  const double optimism = optimism_now();
  const Link link = label_scale_ ? label_scale_->link() : Link{};
  std::vector<RankedAction> ranking;
  ranking.reserve(actions.size());
  std::vector<std::size_t> left;
  Vec hopes;
  Row seen, own, wide;  // the context's part is the same for all
  seen.reserve(asked.context.size() + 1);
  wide.reserve(asked.context.size() + 8);
  left.reserve(actions.size());
  hopes.reserve(actions.size());
  const Covector context = care_.crosses() ? care_.look_up(asked.context, seen) : Covector::dense({});
  for (const Action& action : actions) {
    const Covector row = care_.crosses()
                             ? care_.cross(context,
                                           action.features.empty() ? care_.look_up(kActionFeature, action.id, own)
                                                                   : care_.look_up(row_of({}, action), own),
                                           wide)
                             : care_.widen(care_.look_up(row_of(asked.context, action), own), next_own(), wide);
    const double prediction = learner_.predict(row);
    ranking.push_back({.id = action.id, .reward = shown(link(prediction))});
    if (std::find(asked.exclude.begin(), asked.exclude.end(), action.id) != asked.exclude.end()) continue;
    left.push_back(ranking.size() - 1);
    const double doubt = optimism > 0 ? learner_.doubt(row) : 0;
    hopes.push_back((doubt > 0 ? shown(link(prediction + optimism * doubt)) : ranking.back().reward) / range);
  }
  Vec each(left.size());
  // While many rounds wait, the draw is less sure of itself than so many answers make it: γ counts the share of
  // answers.
  const auto answered = static_cast<double>(ledger_.settled());
  const bool by_gaps = choice_->explore.kind == Exploration::Kind::kGaps && answered > 0;
  const double share = by_gaps ? answered / (answered + static_cast<double>(ledger_.outstanding())) : 1;
  choice_->explore.probabilities(hopes, answered * share * share, each);
  for (std::size_t i = 0; i < left.size(); ++i) ranking[left[i]].probability = each[i];
  return ranking;
}

}  // namespace tarry
