#include "tarry/model/apprentice.h"

#include <cmath>

#include "tarry/base/error.h"

namespace tarry {
namespace {

using evaluation::LoggedReward;

// Behind a round whose reward never comes, and which nobody gives up, no more than so many wait.
constexpr std::size_t kMostWaiting = 100'000;

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

void Apprentice::rewarded(Round round, double reward) {
  const auto at = waiting_.find(round);
  if (at == waiting_.end()) return;
  at->second.judged.reward = reward;
  at->second.ended = true;
  count_ended();
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
    const LoggedReward& judged = waiting_.begin()->second.judged;
    value_.add(judged);
    earned_.add({.weight = 1, .reward = judged.reward});
    waiting_.erase(waiting_.begin());
  }
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
  const auto number = [](const std::optional<double>& x) { return x && std::isfinite(*x) ? Value{*x} : Value{}; };
  const auto known = [&](const evaluation::Estimate& x) {
    if (figures.judged == 0) return Value{};
    return Value{spec::Object{{"value", number(x.value)}, {"low", number(x.low)}, {"high", number(x.high)}}};
  };
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
    out.u64((waiting.ended ? 1 : 0) + (waiting.judged.reward ? 2 : 0));
    out.f64(waiting.judged.weight);
    out.f64(waiting.judged.reward.value_or(0));
    out.f64(waiting.judged.model->taken);
    out.f64(waiting.judged.model->policy);
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
    if (round <= before || flags > 3) throw Error(Code::kCorrupt, "snapshot: a round that was shown is impossible");
    before = round;
    Waiting waiting{.judged = {.weight = in.size(), .reward = in.f64()}, .ended = (flags & 1) != 0};
    if ((flags & 2) == 0) waiting.judged.reward.reset();
    const double taken = in.f64(), policy = in.f64();
    waiting.judged.model = evaluation::Modelled{.taken = taken, .policy = policy, .bounded = false};
    waiting_.emplace_hint(waiting_.end(), round, waiting);
  }
  if (agreed_ > shown_ || waiting_.size() > shown_)
    throw Error(Code::kCorrupt, "snapshot: more rounds agree than were shown");
}

}  // namespace tarry
