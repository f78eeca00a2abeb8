// Late feedback, alone or many at a time: an answer for each, one append for each model.
#include <fmt/format.h>

#include <atomic>
#include <map>

#include "tarry/service/service.h"
#include "tarry/service/spec_rules.h"

namespace tarry::service {

// One request's items, while models work on them; the last to finish answers.
struct Service::Batch {
  std::vector<FeedbackItem> items;
  bool list = false;
  Reply reply;
  std::vector<std::string> answers;  // JSON, one for each item
  std::vector<int> statuses;
  std::vector<RefusedItem> refused;
  std::atomic<std::size_t> left = 1;

  void refuse(std::size_t i, const Refusal& refusal, const std::string& model = {}) {
    refused[i] = {refusal.status(), refusal.code(), refusal.what(), model};
    answers[i] = error_json(refusal);
    statuses[i] = refusal.status();
  }

  void done() {
    if (--left > 0) return;
    std::erase_if(refused, [](const RefusedItem& item) { return item.status == 0; });
    if (!list) {
      Response response{.status = statuses[0], .body = std::move(answers[0])};
      if (response.status == 503) response.headers.emplace_back("Retry-After", "1");
      response.refused = std::move(refused);
      return reply(std::move(response));
    }
    std::string body = "[";
    for (std::size_t i = 0; i < answers.size(); ++i) body += (i > 0 ? ", " : "") + answers[i];
    Response response{.body = body + "]"};
    response.refused = std::move(refused);
    reply(std::move(response));
  }
};

void Service::feedback(std::vector<FeedbackItem> items, bool list, Reply reply) {
  const auto batch = std::make_shared<Batch>();
  batch->items = std::move(items);
  batch->list = list;
  batch->reply = std::move(reply);
  batch->answers.resize(batch->items.size());
  batch->statuses.resize(batch->items.size(), 200);
  batch->refused.resize(batch->items.size());

  std::map<ServedPointer, std::vector<std::size_t>> by_model;
  for (std::size_t i = 0; i < batch->items.size(); ++i) {
    const FeedbackItem& item = batch->items[i];
    if (item.refused) {
      if (item.refused->status() == 403) ++counters_.forged;
      batch->refuse(i, *item.refused);
    } else if (const ServedPointer served =
                   item.ticket ? models_.find(item.ticket->incarnation) : models_.find(item.model)) {
      by_model[served].push_back(i);
    } else if (item.ticket) {
      ++counters_.lost;
      batch->refuse(i, lost_ticket());
    } else {
      batch->refuse(i, no_such_model(item.model));
    }
  }
  batch->left += by_model.size();
  for (const auto& [served, which] : by_model) {
    const bool taken = served->lane->submit([this, served = served, which = which, batch] {
      feed_now(*served, which, *batch);
      committer_.when_durable(served->model->position(), [batch] { batch->done(); });
    });
    if (taken) continue;
    for (const std::size_t i : which) batch->refuse(i, overloaded(), served->name);
    batch->done();
  }
  batch->done();
}

void Service::feed_now(Served& served, const std::vector<std::size_t>& which, Batch& batch) {
  std::vector<store::Apply> applies;
  std::vector<std::string> entries, applied;
  std::size_t bytes = 0;
  for (const std::size_t i : which) {
    applies.push_back(
        {.incarnation = served.model->incarnation(), .at_ms = clock_.now_ms(), .event = batch.items[i].event});
    entries.push_back(store::entry_bytes(applies.back()));
    bytes += entries.back().size();
  }
  applied.reserve(which.size());
  try {
    Committer::Room room = reserve(entries.size(), bytes);
    for (std::size_t j = 0; j < which.size(); ++j) {
      const std::size_t i = which[j];
      try {
        check_ticket(served, batch.items[i]);
        const store::Folded folded = fold(served, applies[j]);
        if (folded.fate == store::Fate::kApplied) applied.push_back(std::move(entries[j]));
        batch.answers[i] = feedback_json(folded);
      } catch (const Refusal& refusal) {
        batch.refuse(i, refusal, served.name);
      } catch (const Error& error) {
        ++counters_.impossible;
        batch.refuse(i, refusal_of(error, true), served.name);
      } catch (const std::exception& error) {  // the log must get what the model has, whatever went wrong after
        batch.refuse(i, refusal_of(Error(Code::kInternal, error.what()), true), served.name);
      }
    }
    append(served, std::move(room), applied);
  } catch (const Error& error) {  // no room: nothing was done
    for (const std::size_t i : which) batch.refuse(i, refusal_of(error, true), served.name);
  }
}

// A ticket of this model's name is not enough: it must be of the history that is here.
void Service::check_ticket(const Served& served, const FeedbackItem& item) {
  if (!item.ticket) {
    if (served.gone) throw no_such_model(served.name);
    return;
  }
  if (!served.gone && served.model->epoch_of(item.ticket->round) == item.ticket->epoch) return;
  ++counters_.lost;
  throw lost_ticket();
}

// What was applied, or applied before; throws for the rest.
std::string Service::feedback_json(const store::Folded& folded) {
  switch (folded.fate) {
    case store::Fate::kApplied:
      ++counters_.accepted;
      return fmt::format("{{\"status\": \"accepted\", \"round\": {}}}", folded.round);
    case store::Fate::kDuplicate:
      ++counters_.duplicates;
      return fmt::format("{{\"status\": \"accepted\", \"round\": {}, \"duplicate\": true}}", folded.round);
    case store::Fate::kConflict:
      ++counters_.conflicts;
      throw Refusal(409, "conflict", fmt::format("round {} was told something else before", folded.round));
    case store::Fate::kExpired:
      ++counters_.too_late;
      throw Refusal(410, "expired", fmt::format("round {} was given up before its feedback came", folded.round));
    case store::Fate::kUnknown:
      break;
  }
  ++counters_.unknown;
  throw Refusal(404, "unknown_key", "no decision was made under this key, or it is too old", "key");
}

}  // namespace tarry::service
