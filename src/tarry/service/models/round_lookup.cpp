#include "tarry/service/models/round_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tarry::service {

using namespace hosting;
namespace {

constexpr std::size_t kMostWaitingShown = 20;

Round round_asked(const Served& served, const RoundsRequest& request) {
  const HostedModel& model = *served.model;
  if (request.ticket) {
    if (request.ticket->incarnation != model.incarnation() ||
        model.epoch_of(request.ticket->round) != request.ticket->epoch)
      throw Rejection(Rejection::kAbsent, "unknown_ticket",
                      fmt::format("this ticket is of no decision that the model {} made", served.name), "ticket");
    return request.ticket->round;
  }
  const Round round = model.round_of(request.round), last = model.model().ledger().issued();
  if (round >= 1 && round <= last) return round;
  if (request.round.number == 0)
    throw Rejection(Rejection::kAbsent, "unknown_key", "no decision was made under this key, or it is too old", "key");
  throw Rejection(Rejection::kAbsent, "unknown_round",
                  fmt::format("round {} was not played: the last one is {}", request.round.number, last), "round");
}

KnownRound known_of(const Served& served, Round round) {
  const HostedModel& model = *served.model;
  KnownRound known{.round = round, .since_ms = model.waits_since_ms(round)};
  if (model.is_deferred(round))
    known.state = KnownRound::kDeferred;
  else if (!known.since_ms)
    known.state = model.model().ledger().is_settled(round) ? KnownRound::kAnswered : KnownRound::kGivenUp;
  if (const ClosedRound* closed = served.closed.find(round); closed != nullptr && std::isfinite(closed->prediction))
    known.prediction = closed->prediction;
  return known;
}

std::vector<Round> rounds_behind(const Served& served, const quality::Alarm& alarm) {
  std::vector<Round> rounds(alarm.rounds.begin(), alarm.rounds.end());
  if (alarm.kind == quality::DriftKind::kArrivals && alarm.over_ms == 0)
    for (const auto& [round, since] : served.model->longest_waiting(kMostWaitingShown)) rounds.push_back(round);
  std::sort(rounds.begin(), rounds.end());
  rounds.erase(std::unique(rounds.begin(), rounds.end()), rounds.end());
  std::erase_if(rounds, [&](Round round) { return round > served.model->model().ledger().issued(); });
  return rounds;
}

quality::Alarm alarm_asked(Served& served, std::uint64_t number) {
  const std::lock_guard lock(served.watched.mutex);
  for (const quality::Alarm& alarm : served.watched.drift.drift().alarms())
    if (alarm.number == number) return alarm;
  throw Rejection(Rejection::kAbsent, "unknown_alarm",
                  fmt::format("the model {} has no alarm {}, or it is too old", served.name, number), "alarm");
}

}  // namespace

LookedRounds look_at_rounds(Served& served, const RoundsRequest& request) {
  LookedRounds looked;
  std::vector<Round> rounds;
  if (request.alarm) {
    looked.alarm = alarm_asked(served, *request.alarm);
    rounds = rounds_behind(served, *looked.alarm);
  } else {
    rounds = {round_asked(served, request)};
  }
  const Model& model = served.model->model();
  looked.search = {.incarnation = served.model->incarnation(), .revisable = model.revisable().any()};
  const bool wants_labels = !looked.alarm || looked.alarm->kind == quality::DriftKind::kLabel ||
                            looked.alarm->kind == quality::DriftKind::kDelay;
  for (const Round round : rounds) {
    looked.known.push_back(known_of(served, round));
    const KnownRound& known = looked.known.back();
    WantedRound wanted{.round = round};
    // What a play gives up after so many rounds has no entry of its own.
    wanted.feedback = wants_labels && (known.state == KnownRound::kAnswered ||
                                       (known.state == KnownRound::kGivenUp && model.expiry().rounds == 0));
    if (const ClosedRound* closed = served.closed.find(round)) wanted.closed_at = closed->position;
    if (!request.round.key.empty()) wanted.key = request.round.key;
    looked.search.wanted.push_back(std::move(wanted));
  }
  if (rounds.empty()) return looked;
  const std::lock_guard lock(served.watched.mutex);
  if (const RoundMark* mark = served.watched.marks.before(rounds.front())) looked.search.start = *mark;
  return looked;
}

std::string rounds_json(const Served& served, const LookedRounds& looked, const FoundRounds& found,
                        std::int64_t now_ms) {
  return looked.alarm ? alarm_json(served, *looked.alarm, looked.known, found, now_ms)
                      : round_json(served, looked.known.front(), found, now_ms);
}

}  // namespace tarry::service
