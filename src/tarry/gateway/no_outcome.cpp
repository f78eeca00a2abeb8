#include "tarry/gateway/no_outcome.h"

#include <fmt/format.h>

namespace tarry::gateway {

using hosting::Rejection;

std::optional<Rejection> rejection_of(const News& news, std::int64_t waited_ms) {
  const double seconds = static_cast<double>(waited_ms) / 1000;
  switch (news.kind) {
    case News::Kind::kOutcome:
    case News::Kind::kAcknowledged:
      return std::nullopt;
    case News::Kind::kNotAcknowledged:
      return Rejection(
          Rejection::kNoAnswer, "not_acknowledged",
          fmt::format("Kafka has not acknowledged it within {} s: it may still get there and be folded; the "
                      "same sent again is counted once where it has a key",
                      seconds));
    case News::Kind::kNoOutcome:
      return Rejection(Rejection::kNoAnswer, "no_outcome",
                       fmt::format("Kafka has it, but no worker has answered within {} s: it may still be folded; the "
                                   "same sent again is counted once where it has a key",
                                   seconds));
    case News::Kind::kTooLarge:
      return Rejection(Rejection::kTooLarge, "too_large", "Kafka does not take an event of this size");
    case News::Kind::kRefused:
      break;
  }
  return Rejection(Rejection::kBusy, "not_taken", fmt::format("Kafka did not take it: {}", news.text));
}

}  // namespace tarry::gateway
