// Decisions and predictions.
#include <fmt/format.h>

#include <exception>

#include "tarry/model/reply.h"
#include "tarry/model/stamp.h"
#include "tarry/service/memory.h"
#include "tarry/service/service.h"

namespace tarry::service {

void Service::decide(const std::string& name, DecideRequest request, Reply reply) {
  auto asked = std::make_shared<DecideRequest>(std::move(request));
  on_lane(name, std::move(reply), [this, asked](Served& served) { return decide_now(served, *asked); });
}

// Room in the log first, then the model, then the log: a full disk never leaves a model ahead of its history.
Response Service::decide_now(Served& served, DecideRequest& request) {
  check_memory();
  if (request.once) check_in_flight(served, request.once->key);
  const Ledger& ledger = served.model->model().ledger();
  if (ledger.outstanding() + request.plays.size() > setting_.limits.outstanding)
    throw Refusal(413, "too_many_outstanding",
                  fmt::format("{} rounds wait for feedback, the most", ledger.outstanding()));

  std::vector<store::Apply> applies;
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  {
    const MayFail own;
    for (Play& play : request.plays) {
      std::optional<store::Once> once = request.once;
      if (once) once->index = applies.size();
      applies.push_back({.incarnation = served.model->incarnation(),
                         .at_ms = clock_.now_ms(),
                         .once = std::move(once),
                         .event = std::move(play)});
      stamp(served.model->model(), applies.back().event, static_cast<double>(applies.back().at_ms) / 1000);
      entries.push_back(store::entry_bytes(applies.back()));
      bytes += entries.back().size();
    }
  }
  Committer::Room room = reserve(entries.size(), bytes);

  std::string body = request.batch ? "{\"results\": [" : "";
  std::vector<std::string> applied;
  applied.reserve(applies.size());
  std::exception_ptr failed;  // thrown only once the log has what the model has
  for (std::size_t i = 0; i < applies.size() && !failed; ++i) {
    try {
      if (i > 0) body += ", ";
      const store::Folded folded = fold(served, applies[i]);
      if (folded.fate == store::Fate::kConflict)
        throw Refusal(422, "idempotency_key_reused", "this Idempotency-Key came before with another body");
      if (folded.fate == store::Fate::kApplied) applied.push_back(std::move(entries[i]));
      ++(folded.fate == store::Fate::kApplied ? counters_.decisions : counters_.repeated_decisions);
      body += decision_json(served, folded);
    } catch (const Error& error) {
      if (request.batch)
        body += error_json(refusal_of(error, true));
      else
        failed = std::current_exception();
    } catch (...) {
      failed = std::current_exception();
    }
  }
  append(served, std::move(room), applied);
  if (failed) std::rethrow_exception(failed);
  if (request.once && !applied.empty()) {
    served.in_flight.emplace(request.once->key, served.model->position());
    served.in_flight_order.emplace_back(served.model->position(), request.once->key);
  }
  return {.body = request.batch ? body + "]}" : body};
}

std::string Service::decision_json(const Served& served, const store::Folded& folded) const {
  const Ticket ticket{.incarnation = served.model->incarnation(),
                      .epoch = served.model->epoch_of(folded.round).value_or(0),
                      .round = folded.round};
  return fmt::format("{{\"ticket\": \"{}\", {}", ticket_text(ticket, setting_.key),
                     std::string_view(folded.reply).substr(1));
}

// The first request with this key may not have been answered yet.
void Service::check_in_flight(Served& served, const std::string& key) const {
  while (!served.in_flight_order.empty() && served.in_flight_order.front().first <= committer_.durable()) {
    served.in_flight.erase(served.in_flight_order.front().second);
    served.in_flight_order.pop_front();
  }
  if (served.in_flight.contains(key))
    throw Refusal(409, "in_flight", "a request with this Idempotency-Key is being answered: try again");
}

void Service::predict(const std::string& name, std::vector<Features> features, bool batch, Reply reply) {
  auto work = [this, features = std::move(features), batch](Served& served) {
    const Model& model = served.model->model();
    std::string body = batch ? "{\"results\": [" : "";
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (i > 0) body += ", ";
      try {
        std::string one = "{";
        append_prediction(one, model, model.predict(features[i]));
        body += one + "}";
        ++counters_.predictions;
      } catch (const Error& error) {
        if (!batch) throw;
        body += error_json(refusal_of(error, true));
      }
    }
    return Response{.body = batch ? body + "]}" : body};
  };
  on_lane(name, std::move(reply), std::move(work), false);
}

}  // namespace tarry::service
