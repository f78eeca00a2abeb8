// A round, or the rounds behind an alarm, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarry/quality/drift.h"
#include "tarry/service/models/round_search.h"
#include "tarry/service/models/served.h"

namespace tarry::service {

// What the model and its watch know of a round, before the log is asked.
struct KnownRound {
  enum State : std::uint8_t { kWaiting, kDeferred, kAnswered, kGivenUp } state = kWaiting;
  Round round = 0;
  std::optional<std::int64_t> since_ms = std::nullopt;  // it waits
  std::optional<double> prediction = std::nullopt;      // of one that was closed lately
};

// On the model's lane; `found` has one round for each of `known`.
std::string round_json(const Served& served, const KnownRound& known, const FoundRounds& found, std::int64_t now_ms);
std::string alarm_json(const Served& served, const quality::Alarm& alarm, const std::vector<KnownRound>& known,
                       const FoundRounds& found, std::int64_t now_ms);

}  // namespace tarry::service
