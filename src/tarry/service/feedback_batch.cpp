#include "tarry/service/feedback_batch.h"

#include <fmt/format.h>

namespace tarry::service {

FeedbackBatch::FeedbackBatch(FeedbackRequest request, Reply reply_with)
    : items(std::move(request.items)),
      list(request.batch),
      reply(std::move(reply_with)),
      answers(items.size()),
      statuses(items.size(), 200),
      refused(items.size()) {}

void FeedbackBatch::refuse(std::size_t i, const Refusal& refusal, const std::string& model) {
  refused[i] = {refusal.status(), refusal.code(), refusal.what(), model};
  answers[i] = error_json(refusal);
  statuses[i] = refusal.status();
}

void FeedbackBatch::done() {
  if (--left > 0) return;
  std::erase_if(refused, [](const RefusedItem& item) { return item.status == 0; });
  Response response{.status = list ? list_status : statuses[0], .headers = std::move(headers)};
  if (list) {
    response.body = "[";
    for (std::size_t i = 0; i < answers.size(); ++i) response.body += (i > 0 ? ", " : "") + answers[i];
    response.body += "]";
  } else {
    response.body = std::move(answers[0]);
    if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
  }
  response.refused = std::move(refused);
  reply(std::move(response));
}

std::string feedback_json(store::Fate fate, Round round, Counters& counters) {
  switch (fate) {
    case store::Fate::kApplied:
      ++counters.accepted;
      return fmt::format("{{\"status\": \"accepted\", \"round\": {}}}", round);
    case store::Fate::kDuplicate:
      ++counters.duplicates;
      return fmt::format("{{\"status\": \"accepted\", \"round\": {}, \"duplicate\": true}}", round);
    case store::Fate::kConflict:
      ++counters.conflicts;
      throw Refusal(409, "conflict", fmt::format("round {} was told something else before", round));
    case store::Fate::kExpired:
      ++counters.too_late;
      throw Refusal(410, "expired", fmt::format("round {} was given up before its feedback came", round));
    case store::Fate::kUnknown:
      break;
  }
  ++counters.unknown;
  throw Refusal(404, "unknown_key", "no decision was made under this key, or it is too old", "key");
}

}  // namespace tarry::service
