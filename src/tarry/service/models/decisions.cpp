// Decisions and predictions.
#include <fmt/format.h>

#include <exception>

#include "tarry/model/stamp.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;

namespace {

constexpr std::size_t kMostParts = 20;  // of an explanation; the others are summed

// What each feature adds, as JSON.
std::string explained(const Model& model, const Features& features) {
  return spec::to_json(to_value(model.contributions(FeaturesView(features)), kMostParts));
}

}  // namespace

void Service::decide(const std::string& name, DecideRequest request, ReplyTo reply_to) {
  auto asked = std::make_shared<DecideRequest>(std::move(request));
  on_lane(name, std::move(reply_to), [this, asked](Served& served) { return decide_now(served, *asked); });
}

// Room in the log first, then the model, then the log: a full disk never leaves a model ahead of its history.
Decisions Service::decide_now(Served& served, DecideRequest& request) {
  check_memory();
  if (request.once) check_in_flight(served, request.once->key);
  if (request.explain && !served.model->model().loss())
    throw Error(Code::kUnsupported, "explain: only a model that predicts labels can say what each feature adds");
  const Ledger& ledger = served.model->model().ledger();
  if (ledger.outstanding() + request.plays.size() > setting_.limits.outstanding)
    throw Rejection(Rejection::kTooLarge, "too_many_outstanding",
                    fmt::format("{} rounds wait for feedback, the most", ledger.outstanding()));

  std::vector<Apply> applies;
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  {
    const MayFail own;
    for (Play& play : request.plays) {
      std::optional<Once> once = request.once;
      if (once) once->index = applies.size();
      applies.push_back({.incarnation = served.model->incarnation(),
                         .at_ms = clock_.now_ms(),
                         .once = std::move(once),
                         .event = std::move(play),
                         .deferred = request.deferred});
      stamp(served.model->model(), applies.back().event, static_cast<double>(applies.back().at_ms) / 1000);
      entries.push_back(entry_bytes(applies.back()));
      bytes += entries.back().size();
    }
  }
  Committer::Room room = reserve(entries.size(), bytes);

  Decisions made;
  made.list = request.batch;
  made.items.reserve(applies.size());
  std::vector<std::string> applied;
  applied.reserve(applies.size());
  served.names.begin(served.model->model());
  std::exception_ptr failed;  // thrown only once the log has what the model has
  for (std::size_t i = 0; i < applies.size() && !failed; ++i) {
    try {
      Folded folded = fold(served, applies[i]);
      if (folded.fate == Fate::kConflict) throw idempotency_key_reused();
      if (folded.fate == Fate::kApplied) {
        applied.push_back(std::move(entries[i]));
        served.names.saw(served.model->model(), applies[i].event, folded.round, applies[i].at_ms);
      }
      ++(folded.fate == Fate::kApplied ? counters_.decisions : counters_.repeated_decisions);
      const bool applied_now = folded.fate == Fate::kApplied;
      Decided told = decided(served, std::move(folded));
      const auto* play = std::get_if<Play>(&applies[i].event);
      if (request.explain && applied_now && play != nullptr && play->features)
        told.explanation = explained(served.model->model(), *play->features);
      made.items.emplace_back(std::move(told));
    } catch (const Error& error) {
      if (request.batch)
        made.items.emplace_back(rejection_of(error, true));
      else
        failed = std::current_exception();
    } catch (...) {
      failed = std::current_exception();
    }
  }
  append(served, std::move(room), applied);
  if (failed) std::rethrow_exception(failed);
  if (request.once && !applied.empty()) served.model->written(request.once->key);
  return made;
}

Decided Service::decided(const Served& served, Folded folded) const {
  const Ticket ticket{.incarnation = served.model->incarnation(),
                      .epoch = served.model->epoch_of(folded.round).value_or(0),
                      .round = folded.round};
  return {.ticket = ticket_text(ticket, setting_.key), .what = std::move(folded.reply).value()};
}

// The first request with this key may not have been answered yet.
void Service::check_in_flight(const Served& served, const std::string& key) const {
  const RememberedRequest* before = served.model->retries().request(key);
  if (before != nullptr && before->written > committer_.durable())
    throw Rejection(Rejection::kConflict, "in_flight",
                    "a request with this Idempotency-Key is being answered: try again");
}

void Service::predict(const std::string& name, PredictRequest request, ReplyTo reply_to) {
  auto work = [this, request = std::move(request)](Served& served) {
    const Model& model = served.model->model();
    Predictions made;
    made.list = request.batch;
    made.items.reserve(request.features.size());
    for (const Features& one : request.features) {
      try {
        Predicted predicted{.shown = shown_prediction(model, model.predict(one))};
        if (request.explain) predicted.explanation = explained(model, one);
        made.items.emplace_back(std::move(predicted));
        ++counters_.predictions;
      } catch (const Error& error) {
        if (!request.batch) throw;
        made.items.emplace_back(rejection_of(error, true));
      }
    }
    return made;
  };
  on_lane(name, std::move(reply_to), std::move(work), false);
}

}  // namespace tarry::service
