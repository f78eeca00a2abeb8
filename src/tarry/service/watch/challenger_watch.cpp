#include "tarry/service/watch/challenger_watch.h"

#include <algorithm>
#include <cmath>

namespace tarry::service {
namespace {

using hosting::ChallengerList;
using hosting::Verdict;

constexpr std::int64_t kReviewChallengersEvery = 1000;  // milliseconds, and
constexpr std::int64_t kChallengerReviewsASpan = 8;     // in longer spans less changes

std::size_t challengers_stratum(const Model& model, double prediction) {
  return model.loss()->outputs() == 1 && model.loss()->classes() == 2 ? quality::stratum_of(prediction) : 0;
}

ChallengerList::Expected::Figure figure_of(const quality::Expected& of) {
  return {of.so_far, of.expected, of.low, of.high};
}

Verdict verdict_of(const quality::Expected& gain) {
  if (std::isnan(gain.expected)) return Verdict::kTooEarly;
  return gain.low > 0 ? Verdict::kBetter : gain.high < 0 ? Verdict::kWorse : Verdict::kUnclear;
}

}  // namespace

// Null: it knows too little for its rounds to count, or chooses.
ChallengerWatch::One* ChallengerWatch::follow(const hosting::Challenger& challenger) {
  const std::uint64_t from = challenger.trial().from;
  const auto at =
      std::find_if(each_.begin(), each_.end(), [&](const One& one) { return one.name == challenger.name(); });
  if (at != each_.end() && at->from == from) return &*at;
  if (at != each_.end()) each_.erase(at);
  if (from == 0 || challenger.model() == nullptr || challenger.trial().choices) return nullptr;
  each_.push_back({.name = challenger.name(), .from = from});
  return &each_.back();
}

void ChallengerWatch::folded(const hosting::HostedModel& model, const Event& event, const hosting::Folded& folded,
                             std::int64_t now_ms) {
  const std::vector<hosting::Challenger>& challengers = model.challengers();
  if (each_.size() > challengers.size())
    std::erase_if(each_, [&](const One& one) { return model.find_challenger(one.name) == nullptr; });
  if (folded.fate != hosting::Fate::kApplied || folded.beside.size() != challengers.size()) return;
  for (std::size_t k = 0; k < challengers.size(); ++k) {
    One* one = follow(challengers[k]);
    const hosting::ChallengerRound& round = folded.beside[k];
    if (one == nullptr || std::isnan(round.prediction)) continue;
    const std::size_t stratum = challengers_stratum(model.model(), round.prediction);
    if (std::holds_alternative<Play>(event))
      one->maturing.decided(now_ms, stratum);
    else if (folded.issued_ms > 0 && std::isnan(round.loss))
      one->maturing.given_up(folded.issued_ms, stratum);
    else if (folded.issued_ms > 0)
      one->maturing.answered(folded.issued_ms, now_ms, stratum, {round.loss, round.champion_loss - round.loss});
  }
}

void ChallengerWatch::review(std::int64_t now_ms) {
  for (One& one : each_) {
    const std::int64_t every = std::max(kReviewChallengersEvery, one.maturing.span_ms() / kChallengerReviewsASpan);
    if (now_ms - one.reviewed_ms < every) continue;
    one.reviewed_ms = now_ms;
    one.maturing.review(now_ms);
  }
}

void ChallengerWatch::fill_in(std::vector<ChallengerList::One>& challengers, std::int64_t now_ms) const {
  for (ChallengerList::One& told : challengers) {
    const auto at = std::find_if(each_.begin(), each_.end(),
                                 [&](const One& one) { return one.name == told.name && one.from == told.from; });
    if (at == each_.end() || !told.failure.empty()) continue;
    const quality::Prospect lately = at->maturing.lately(now_ms);
    told.expected = {.verdict = verdict_of(lately.gain),
                     .decisions = lately.decisions,
                     .share = lately.share(),
                     .loss = figure_of(lately.loss),
                     .gain = figure_of(lately.gain)};
  }
}

bool ChallengerWatch::is_sound() const {
  return each_.size() <= hosting::kMostChallengers &&
         std::all_of(each_.begin(), each_.end(), [](const One& one) { return one.maturing.is_sound(); });
}

}  // namespace tarry::service
