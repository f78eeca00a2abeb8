#include "tarry/model/comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tarry/base/error.h"

namespace tarry {
namespace {

using evaluation::LoggedReward;
using evaluation::PolicyValue;

constexpr std::size_t kMostWaiting = 100'000;  // as an apprentice's
constexpr double kLeastProbability = 1e-9;     // squares of weights times rewards stay finite

}  // namespace

Comparison::Comparison(std::optional<evaluation::RewardRange> range)
    : earned_(range, evaluation::Effort::kQuick),
      uniform_(range, evaluation::Effort::kQuick),
      always_(kMostActions, PolicyValue(range, evaluation::Effort::kQuick)) {}

std::uint8_t Comparison::place_of(const std::string& id, std::size_t likely) {
  if (likely < ids_.size() && ids_[likely] == id) return static_cast<std::uint8_t>(likely);  // as it mostly is
  const auto at = std::find(ids_.begin(), ids_.end(), id);
  if (at == ids_.end() && ids_.size() < kMostActions) {
    ids_.push_back(id);
    return static_cast<std::uint8_t>(ids_.size() - 1);
  }
  return at == ids_.end() ? kMostActions : static_cast<std::uint8_t>(at - ids_.begin());
}

// Actions without probability could not be taken. Of what was shown instead, only its own probability is known.
void Comparison::played(Round round, const Choice& choice, const std::optional<ShownInstead>& shown) {
  if (waiting_.empty()) first_ = round;
  Judged judged{.probability = shown ? shown->probability.value_or(0) : choice.probability};
  const std::string& taken = shown ? shown->id : choice.action;
  double could = 0;
  for (std::size_t i = 0; i < choice.ranking.size(); ++i) {
    const RankedAction& each = choice.ranking[i];
    const bool is_taken = each.id == taken;
    if (each.probability == 0 && !is_taken) continue;
    const std::uint8_t place = place_of(each.id, i);
    if (place < kMostActions) judged.could |= std::uint32_t{1} << place;
    if (is_taken) {
      judged.action = place;
      judged.taken = each.reward;
    }
    could += 1;
    judged.policy += each.reward;
    if (each.probability == 0) continue;
    const double p = std::max(kLeastProbability, each.probability);  // below it no bet is left anyway
    judged.up = std::max(judged.up, (1 - each.reward) / p);
    judged.down = std::max(judged.down, each.reward / p);
  }
  judged.uniform = 1 / could;
  judged.policy /= could;
  judged.up /= could;
  judged.down /= could;
  judged.bounded = !shown;
  if (judged.probability > 0) judged.probability = std::max(kLeastProbability, judged.probability);
  waiting_.push_back(judged);
  if (waiting_.size() <= kMostWaiting) return;
  waiting_.front().ended = true;
  count_ended();
}

// What the model predicted of it is not known by now: a model that predicts the mean for each action is one, too.
void Comparison::shown(Round round, const ShownLater& shown) {
  Judged* judged = waiting(round);
  if (judged == nullptr) return;
  judged->probability = shown.probability ? std::max(kLeastProbability, *shown.probability) : 0;
  judged->action = place_of(shown.action.id, kMostActions);
  if (judged->action < kMostActions) judged->could |= std::uint32_t{1} << judged->action;
  judged->taken = judged->policy;
  judged->bounded = false;
}

Comparison::Judged* Comparison::waiting(Round round) {
  return round >= first_ && round - first_ < waiting_.size() ? &waiting_[round - first_] : nullptr;
}

LoggedReward Comparison::as_earned(const Judged& x) {
  return {.weight = 1, .reward = x.rewarded ? std::optional(x.reward) : std::nullopt};
}

LoggedReward Comparison::under_uniform(const Judged& x) {
  LoggedReward round = as_earned(x);
  round.weight = x.uniform / x.probability;
  round.model = evaluation::Modelled{x.taken, x.policy, x.up, x.down, x.bounded};
  return round;
}

LoggedReward Comparison::under_own(const Judged& x) {
  LoggedReward round = as_earned(x);
  round.weight = 1 / x.probability;
  return round;
}

Comparison::Guessed Comparison::count(const Judged& judged) {
  Guessed guessed{.earned = earned_.add(as_earned(judged)), .uniform = uniform_.add(under_uniform(judged))};
  LoggedReward none = as_earned(judged);
  none.weight = 0;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if ((judged.could >> k & 1) == 0) continue;
    const auto each = always_[k].add(k == judged.action ? under_own(judged) : none);
    if (k == judged.action) guessed.always = each;
  }
  return guessed;
}

void Comparison::rewarded(Round round, double reward, bool revisable) {
  if (const auto known = counted_.find(round); known != counted_.end()) {
    auto& [judged, guessed] = known->second;
    earned_.revise(as_earned(judged), guessed.earned, reward);
    uniform_.revise(under_uniform(judged), guessed.uniform, reward);
    if (judged.action < kMostActions) always_[judged.action].revise(under_own(judged), guessed.always, reward);
    judged.reward = reward;
    return;
  }
  Judged* judged = waiting(round);
  if (judged == nullptr) return;
  judged->reward = reward;
  judged->rewarded = judged->ended = true;
  judged->revisable = revisable;
  count_ended();
}

void Comparison::lost(Round round) {
  if (Judged* judged = waiting(round)) judged->ended = true;
  count_ended();
}

void Comparison::voided(Round round) {
  if (Judged* judged = waiting(round)) judged->probability = 0;
  lost(round);
}

void Comparison::final(Round round) {
  counted_.erase(round);
  if (Judged* judged = waiting(round)) judged->revisable = false;
}

void Comparison::count_ended() {
  for (; !waiting_.empty() && waiting_.front().ended; waiting_.pop_front(), ++first_) {
    const Judged& judged = waiting_.front();
    if (judged.probability == 0) continue;
    const Guessed guessed = count(judged);
    if (judged.revisable) counted_.emplace_hint(counted_.end(), first_, Counted{judged, guessed});
  }
  while (counted_.size() > kMostWaiting) counted_.erase(counted_.begin());
}

Comparison::Figures Comparison::figures() const {
  const auto rewarded = [](const PolicyValue& x) { return static_cast<std::uint64_t>(x.rounds() - x.open()); };
  Figures figures{.rounds = rewarded(earned_)};
  if (figures.rounds == 0) return figures;
  const auto policy = [&](const PolicyValue& x, double alpha) {
    return Policy{.rounds = rewarded(x), .ips = x.ips(alpha), .snips = x.snips(), .dr = x.dr()};
  };
  figures.earned = earned_.ips();
  if (!figures.earned.low) figures.earned = earned_.snips();
  figures.uniform = policy(uniform_, PolicyValue::kAlpha);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if (rewarded(always_[k]) == 0) continue;
    Policy one = policy(always_[k], PolicyValue::kAlpha / static_cast<double>(ids_.size()));
    one.dr.reset();  // no model was asked
    figures.always.emplace_back(ids_[k], std::move(one));
  }
  const auto value = [](const auto& x) { return std::isfinite(x.second.snips.value) ? x.second.snips.value : -1e300; };
  std::stable_sort(figures.always.begin(), figures.always.end(),
                   [&](const auto& a, const auto& b) { return value(a) > value(b); });
  return figures;
}

}  // namespace tarry
