// Late feedback, alone or many at a time: an answer for each, one append for each model.
#include <map>
#include <new>

#include "tarry/model/stamp.h"
#include "tarry/service/host/feedback_batch.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;
namespace {

// Each label without a name is a part of its own: sent twice, it means two.
void name_part(const Model& model, Event& event) {
  auto* label = std::get_if<Label>(&event);
  if (label != nullptr && label->revising.part.empty() && model.revisable().labels == LabelsAre::kSum)
    label->revising.part = base64url(random_bytes(12));
}

}  // namespace

std::optional<RoundName> Service::open_ticket(std::string_view text, FeedbackItem& item) const {
  item.ticket = read_ticket(text, setting_.key);
  if (!item.ticket) return std::nullopt;
  return RoundName(item.ticket->round);
}

void Service::feedback(FeedbackRequest request, ReplyTo reply_to) {
  const auto batch = std::make_shared<FeedbackBatch>(std::move(request), std::move(reply_to));
  std::map<ServedPointer, std::vector<std::size_t>> by_model;
  for (std::size_t i = 0; i < batch->items.size(); ++i) {
    const FeedbackItem& item = batch->items[i];
    if (item.refused) {
      if (item.refused->kind() == Rejection::kForged) ++counters_.forged;
      batch->reject(i, *item.refused);
    } else if (const ServedPointer served =
                   item.ticket ? models_.find(item.ticket->incarnation) : models_.find(item.model)) {
      by_model[served].push_back(i);
    } else if (item.ticket) {
      ++counters_.lost;
      batch->reject(i, lost_ticket());
    } else {
      batch->reject(i, no_such_model(item.model));
    }
  }
  batch->left += by_model.size();
  for (const auto& [served, which] : by_model) {
    const bool taken = served->lane->submit([this, served = served, which = which, batch] {
      feed_now(*served, which, *batch);
      committer_.when_durable(served->model->position(), [batch] { batch->done(); });
    });
    if (taken) continue;
    for (const std::size_t i : which) batch->reject(i, overloaded(), served->name);
    batch->done();
  }
  batch->done();
}

void Service::feed_now(Served& served, const std::vector<std::size_t>& which, FeedbackBatch& batch) {
  std::vector<Apply> applies;
  std::vector<std::string> entries, applied;
  std::size_t bytes = 0;
  try {
    for (const std::size_t i : which) {
      const MayFail own;
      applies.push_back({.incarnation = served.model->incarnation(),
                         .at_ms = clock_.now_ms(),
                         .event = std::move(batch.items[i].event)});
      if (batch.items[i].names_no_part) name_part(served.model->model(), applies.back().event);
      stamp(served.model->model(), applies.back().event, static_cast<double>(applies.back().at_ms) / 1000);
      entries.push_back(entry_bytes(applies.back()));
      bytes += entries.back().size();
    }
    applied.reserve(which.size());
    Committer::Room room = reserve(entries.size(), bytes);
    for (std::size_t j = 0; j < which.size(); ++j) {
      const std::size_t i = which[j];
      try {
        check_ticket(served, batch.items[i]);
        const Folded folded = fold(served, applies[j]);
        if (folded.fate == Fate::kApplied) applied.push_back(std::move(entries[j]));
        batch.replies.items[i] = accepted(folded.fate, folded.round, counters_);
      } catch (const Rejection& rejection) {
        batch.reject(i, rejection, served.name);
      } catch (const Error& error) {
        ++counters_.impossible;
        batch.reject(i, rejection_of(error, true), served.name);
      } catch (const std::bad_alloc&) {
        batch.reject(i, not_enough_memory(), served.name);
      } catch (const std::exception& error) {  // the log must get what the model has, whatever went wrong after
        batch.reject(i, rejection_of(Error(Code::kInternal, error.what()), true), served.name);
      }
    }
    append(served, std::move(room), applied);
  } catch (const Error& error) {  // no room: nothing was done
    for (const std::size_t i : which) batch.reject(i, rejection_of(error, true), served.name);
  } catch (const std::bad_alloc&) {
    for (const std::size_t i : which) batch.reject(i, not_enough_memory(), served.name);
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

}  // namespace tarry::service
