// Which rounds a request means, and what the model and its watch know of them before the log is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarry/service/host/host.h"
#include "tarry/service/models/round_view.h"

namespace tarry::service {

struct LookedRounds {
  RoundSearch search;
  std::vector<KnownRound> known;
  std::optional<quality::Alarm> alarm;
};

// On the model's lane. Throws Rejection where there is no such round.
LookedRounds look_at_rounds(Served& served, const RoundsRequest& request);
std::string rounds_json(const Served& served, const LookedRounds& looked, const FoundRounds& found,
                        std::int64_t now_ms);

}  // namespace tarry::service
