#include "tarry/service/host/feedback_batch.h"

#include <fmt/format.h>

namespace tarry::service {

using hosting::Fate;

FeedbackBatch::FeedbackBatch(FeedbackRequest request, ReplyTo to)
    : items(std::move(request.items)), reply_to(std::move(to)) {
  replies.items.resize(items.size());
  replies.list = request.batch;
}

void FeedbackBatch::done() {
  if (--left == 0) reply_to(std::move(replies))();
}

hosting::Accepted accepted(Fate fate, Round round, Counters& counters) {
  switch (fate) {
    case Fate::kApplied:
      ++counters.accepted;
      return {.round = round};
    case Fate::kDuplicate:
      ++counters.duplicates;
      return {.round = round, .duplicate = true};
    case Fate::kUntracked:
      ++counters.untracked;
      return {.round = round, .untracked = true};
    case Fate::kConflict:
      ++counters.conflicts;
      throw Rejection(Rejection::kConflict, "conflict", fmt::format("round {} already has different feedback", round));
    case Fate::kExpired:
      ++counters.too_late;
      throw Rejection(Rejection::kGone, "expired",
                      fmt::format("round {} was given up before its feedback came", round));
    case Fate::kUnknown:
      break;
  }
  ++counters.unknown;
  throw Rejection(Rejection::kAbsent, "unknown_key", "no decision was made under this key, or it is too old", "key");
}

}  // namespace tarry::service
