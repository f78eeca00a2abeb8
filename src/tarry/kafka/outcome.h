// What became of a record, and its form in the topic of decisions: the one place where a worker's replies and
// rejections become bytes, and where a gateway reads them. docs/distributed.md states them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/hosted_model.h"
#include "tarry/hosting/rejection.h"
#include "tarry/kafka/client.h"
#include "tarry/model/reply.h"

namespace tarry::kafka {

// Part of the fold: every worker has the same.
inline constexpr std::size_t kLargestReply = std::size_t{900} << 10;  // bytes; a broker takes a million

struct RecordOutcome {
  Offset offset = -1;                                // of the event that it answers
  std::uint64_t arithmetic = 0;                      // that gave it; 0: written before there were numbers
  std::optional<hosting::Fate> fate = std::nullopt;  // nothing: it was rejected
  Round round = 0;                                   // 0: none
  hosting::Position incarnation = 0;                 // of the model, for a creation or a play; 0: none
  std::string key = {};                              // of a play; empty: none
  std::optional<double> loss = std::nullopt;         // of a label that was applied
  std::optional<PlayReply> reply = std::nullopt;     // to a play
  std::optional<hosting::Rejection> rejection = std::nullopt;
};

struct OutcomeBytes {
  std::string json = {};
  bool rejected = false;  // also where the fold went well and its reply is too large for a record
};
OutcomeBytes record_of(const RecordOutcome& outcome);

// Throws Error{kCorrupt} for a text that is no outcome.
RecordOutcome read_outcome(std::string_view json);

// The input offset that an outcome answers, without reading the rest; nothing: it is no outcome.
std::optional<Offset> answered_offset(std::string_view json);

}  // namespace tarry::kafka
