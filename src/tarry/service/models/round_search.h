// Rounds in the log: how they were played, and what came of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/hosting/entry.h"
#include "tarry/hosting/log.h"
#include "tarry/service/watch/round_places.h"

namespace tarry::service {

struct WantedRound {
  Round round = 0;
  bool feedback = false;            // it is closed: what closed it is wanted too
  hosting::Position closed_at = 0;  // where that is; 0: nobody knows
  std::string key = {};             // where it is known
};

struct RoundSearch {
  hosting::Position incarnation = 0;
  std::optional<RoundMark> start = std::nullopt;  // before the first of them; nothing: from the model's creation
  std::vector<WantedRound> wanted = {};           // ascending
  bool revisable = false;                         // more feedback may follow the first
};

struct FoundRound {
  Round round = 0;
  std::optional<hosting::Apply> play = std::nullopt;  // nothing: it was not found
  std::vector<hosting::Apply> feedback = {};          // at most kMostFeedback
};

struct FoundRounds {
  std::vector<FoundRound> rounds = {};  // one for each that was wanted
  bool pruned = false;                  // the log no longer has its beginning
  bool gave_up = false;                 // after kMostSearched entries
};

inline constexpr std::uint64_t kMostSearched = 1'000'000;  // entries of the log, of whatever model
inline constexpr std::size_t kMostFeedback = 16;

// Visits the entries of a log after a position, as hosting::Log::read does.
using ReadLog =
    std::function<void(hosting::Position after, const std::function<bool(hosting::Position, std::string_view)>& visit)>;
inline ReadLog reads(const hosting::Log& log) {
  return [&log](hosting::Position after, const auto& visit) { log.read(after, visit); };
}

// Beside the lanes: it may take a second.
FoundRounds search_log(const ReadLog& read, const RoundSearch& search);

}  // namespace tarry::service
