#include "tarry/model/apprentice.h"

#include <utility>

#include "tarry/base/error.h"
#include "tarry/model/comparison.h"

namespace tarry {
namespace {

using evaluation::LoggedReward;

// Behind a round whose reward never comes, and which nobody gives up, no more than so many wait.
constexpr std::size_t kMostWaiting = 100'000;

LoggedReward as_earned(const LoggedReward& judged) { return {.weight = 1, .reward = judged.reward}; }

void put(ByteWriter& out, const LoggedReward& judged) {
  out.f64(judged.weight);
  out.f64(judged.reward.value_or(0));
  out.f64(judged.model->taken);
  out.f64(judged.model->policy);
}

LoggedReward take_judged(ByteReader& in) {
  const double weight = in.size(), reward = in.f64(), taken = in.f64(), policy = in.f64();
  return {.weight = weight,
          .reward = reward,
          .model = evaluation::Modelled{.taken = taken, .policy = policy, .bounded = false}};
}

}  // namespace

void Apprentice::shown(Round round, bool agreed, const std::optional<LoggedReward>& judged) {
  ++shown_;
  agreed_ += agreed ? 1 : 0;
  if (!judged) return;
  waiting_.emplace(round, Waiting{*judged});
  if (waiting_.size() <= kMostWaiting) return;
  waiting_.begin()->second.ended = true;
  count_ended();
}

void Apprentice::rewarded(Round round, double reward, bool revisable) {
  if (const auto known = counted_.find(round); known != counted_.end()) {
    Counted& counted = known->second;
    value_.revise(counted.judged, counted.value, reward);
    earned_.revise(as_earned(counted.judged), counted.earned, reward);
    counted.judged.reward = reward;
    return;
  }
  const auto at = waiting_.find(round);
  if (at == waiting_.end()) return;
  at->second.judged.reward = reward;
  at->second.ended = true;
  at->second.revisable = revisable;
  count_ended();
}

void Apprentice::final(Round round) {
  counted_.erase(round);
  if (const auto at = waiting_.find(round); at != waiting_.end()) at->second.revisable = false;
}

void Apprentice::lost(Round round) {
  const auto at = waiting_.find(round);
  if (at == waiting_.end()) return;
  at->second.ended = true;
  count_ended();
}

void Apprentice::voided(Round round) {
  waiting_.erase(round);
  count_ended();
}

void Apprentice::count_ended() {
  while (!waiting_.empty() && waiting_.begin()->second.ended) {
    const auto& [round, waiting] = *waiting_.begin();
    const Counted counted{waiting.judged, value_.add(waiting.judged), earned_.add(as_earned(waiting.judged))};
    if (waiting.revisable) counted_.emplace(round, counted);
    waiting_.erase(waiting_.begin());
  }
  while (counted_.size() > kMostWaiting) counted_.erase(counted_.begin());
}

Apprentice::Figures Apprentice::figures() const {
  Figures figures{
      .shown = shown_, .agreed = agreed_, .judged = static_cast<std::uint64_t>(value_.rounds() - value_.open())};
  if (figures.judged == 0) return figures;
  figures.as_shown = earned_.ips().value;
  figures.ips = value_.ips();
  figures.snips = value_.snips();
  if (const auto dr = value_.dr()) figures.dr = *dr;
  return figures;
}

spec::Value to_value(const Apprentice::Figures& figures) {
  using spec::Value;
  const auto known = [&](const evaluation::Estimate& x) { return figures.judged == 0 ? Value{} : to_value(x); };
  return {spec::Object{{"shown", Value{static_cast<std::int64_t>(figures.shown)}},
                       {"agreed", Value{static_cast<std::int64_t>(figures.agreed)}},
                       {"judged", Value{static_cast<std::int64_t>(figures.judged)}},
                       {"as_shown", figures.judged == 0 ? Value{} : Value{figures.as_shown}},
                       {"ips", known(figures.ips)},
                       {"snips", known(figures.snips)},
                       {"dr", known(figures.dr)}}};
}

void Apprentice::save(ByteWriter& out) const {
  out.u64(shown_);
  out.u64(agreed_);
  value_.save(out);
  earned_.save(out);
  out.u64(waiting_.size());
  for (const auto& [round, waiting] : waiting_) {
    out.u64(round);
    out.u64((waiting.ended ? 1 : 0) + (waiting.judged.reward ? 2 : 0) + (waiting.revisable ? 4 : 0));
    put(out, waiting.judged);
  }
}

void Apprentice::load(ByteReader& in) {
  shown_ = in.u64();
  agreed_ = in.u64();
  value_.load(in);
  earned_.load(in);
  waiting_.clear();
  Round before = 0;
  for (std::uint64_t count = in.count(48); count > 0; --count) {
    const Round round = in.u64();
    const std::uint64_t flags = in.u64();
    if (round <= before || flags > 7) throw Error(Code::kCorrupt, "snapshot: a round that was shown is impossible");
    before = round;
    Waiting waiting{.judged = take_judged(in), .ended = (flags & 1) != 0, .revisable = (flags & 4) != 0};
    if ((flags & 2) == 0) waiting.judged.reward.reset();
    waiting_.emplace_hint(waiting_.end(), round, waiting);
  }
  if (agreed_ > shown_ || waiting_.size() > shown_)
    throw Error(Code::kCorrupt, "snapshot: more rounds agree than were shown");
}

void Apprentice::save_counted(ByteWriter& out) const {
  out.u64(counted_.size());
  for (const auto& [round, counted] : counted_) {
    out.u64(round);
    put(out, counted.judged);
    for (const evaluation::PolicyValue::Guessed* each : {&counted.value, &counted.earned})
      for (const double guess : {each->ips_low, each->ips_high, each->dr_low, each->dr_high}) out.f64(guess);
  }
}

void Apprentice::load_counted(ByteReader& in) {
  counted_.clear();
  Round before = 0;
  for (std::uint64_t count = in.count(13 * 8); count > 0; --count) {
    const Round round = in.u64();
    if (round <= std::exchange(before, round))
      throw Error(Code::kCorrupt, "snapshot: a round that was counted is impossible");
    Counted counted{.judged = take_judged(in)};
    for (evaluation::PolicyValue::Guessed* each : {&counted.value, &counted.earned})
      for (double* guess : {&each->ips_low, &each->ips_high, &each->dr_low, &each->dr_high}) *guess = in.f64();
    counted_.emplace_hint(counted_.end(), round, counted);
  }
}

}  // namespace tarry
