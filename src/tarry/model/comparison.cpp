#include "tarry/model/comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "tarry/base/error.h"

namespace tarry {
namespace {

using evaluation::LoggedReward;
using evaluation::PolicyValue;

constexpr std::size_t kMostWaiting = 100'000;  // as an apprentice's
constexpr double kMostReward = 1e38;           // as floats; predictions need not be exact
constexpr double kLeastProbability = 1e-9;     // squares of weights times rewards stay finite

std::uint16_t bit(std::size_t place) { return static_cast<std::uint16_t>(1u << place); }

float not_above(double x) {
  const auto near = static_cast<float>(x);
  return near > x ? std::nextafter(near, 0.0f) : near;
}

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
  std::array<Alone, kMostActions> alone;
  for (std::size_t i = 0; i < choice.ranking.size(); ++i) {
    const RankedAction& each = choice.ranking[i];
    const bool is_taken = each.id == taken;
    if (each.probability == 0 && !is_taken) continue;
    const std::uint8_t place = place_of(each.id, i);
    if (place < kMostActions) judged.could |= bit(place);
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
    if (place == kMostActions) continue;
    judged.alone |= bit(place);
    alone[place] = {static_cast<float>(std::clamp(each.reward, -kMostReward, kMostReward)), not_above(p)};
  }
  for (std::size_t k = 0; k < kMostActions; ++k)
    if (judged.alone & bit(k)) alone_.push_back(alone[k]);
  if (!shown) given_up_.played(choice.ranking);
  more_ = true;
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
  if (judged->action < kMostActions) judged->could |= bit(judged->action);
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

// A model that predicts the mean for an action that nothing is known about is one, too.
LoggedReward Comparison::under_one(const Judged& x, const Alone& one, bool taken) {
  LoggedReward round = as_earned(x);
  round.weight = taken ? 1 / x.probability : 0;
  if (one.probability == 0) {
    round.model = evaluation::Modelled{.taken = x.policy, .policy = x.policy, .bounded = false};
  } else {
    const double reward = one.reward, p = one.probability;
    round.model = evaluation::Modelled{reward, reward, (1 - reward) / p, reward / p, x.bounded};
  }
  return round;
}

// The first of those that wait.
Comparison::Counted Comparison::count(const Judged& judged) {
  Counted counted{.judged = judged};
  counted.guessed = {.earned = earned_.add(as_earned(judged)), .uniform = uniform_.add(under_uniform(judged))};
  std::size_t next = 0;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if ((judged.could & bit(k)) == 0) continue;
    const Alone one = (judged.alone & bit(k)) != 0 ? alone_[next++] : Alone{};
    const bool taken = k == judged.action;
    const auto each = always_[k].add(under_one(judged, one, taken));
    if (!taken) continue;
    counted.own = one;
    counted.guessed.always = each;
  }
  return counted;
}

void Comparison::rewarded(Round round, double reward, bool revisable) {
  if (const auto known = counted_.find(round); known != counted_.end()) {
    auto& [judged, own, guessed] = known->second;
    earned_.revise(as_earned(judged), guessed.earned, reward);
    uniform_.revise(under_uniform(judged), guessed.uniform, reward);
    if (judged.action < kMostActions)
      always_[judged.action].revise(under_one(judged, own, true), guessed.always, reward);
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
    if (judged.probability > 0) {
      const Counted counted = count(judged);
      if (judged.revisable) counted_.emplace_hint(counted_.end(), first_, counted);
    }
    alone_.erase(alone_.begin(), alone_.begin() + std::popcount(judged.alone));
  }
  while (counted_.size() > kMostWaiting) counted_.erase(counted_.begin());
}

Comparison::Figures Comparison::figures() const {
  const auto rewarded = [](const PolicyValue& x) { return static_cast<std::uint64_t>(x.rounds() - x.open()); };
  Figures figures{.rounds = rewarded(earned_), .exploration = given_up_.figures()};
  if (figures.rounds == 0) return figures;
  const auto policy = [&](const PolicyValue& x, double alpha) {
    Policy one{.rounds = rewarded(x), .ips = x.ips(alpha), .snips = x.snips(), .dr = x.dr(alpha / 2)};
    if (!one.dr || !one.dr->low) return one;
    // Where an action is rarely taken IPS is surer, elsewhere DR: the tighter of both, each wrong half as often.
    const evaluation::Estimate ips = x.ips(alpha / 2);
    one.dr->low = std::max(*one.dr->low, *ips.low);
    one.dr->high = std::min(*one.dr->high, *ips.high);
    return one;
  };
  figures.earned = earned_.ips();
  if (!figures.earned.low) figures.earned = earned_.snips();
  figures.uniform = policy(uniform_, PolicyValue::kAlpha);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if (rewarded(always_[k]) == 0) continue;
    figures.always.emplace_back(ids_[k], policy(always_[k], PolicyValue::kAlpha / static_cast<double>(ids_.size())));
  }
  const auto value = [](const auto& x) {
    const double earns = x.second.dr ? x.second.dr->value : x.second.snips.value;
    return std::isfinite(earns) ? earns : -1e300;
  };
  std::stable_sort(figures.always.begin(), figures.always.end(),
                   [&](const auto& a, const auto& b) { return value(a) > value(b); });
  return figures;
}

}  // namespace tarry
