#include "tarry/gateway/gateway.h"

#include <fmt/format.h>

#include <atomic>
#include <new>

#include "tarry/gateway/decision_ticket.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/feedback_batch.h"
#include "tarry/service/names.h"
#include "tarry/service/spec_rules.h"

namespace tarry::gateway {
namespace {

using service::error_json;
using service::error_response;
using service::FeedbackItem;
using service::Refusal;
using service::Reply;
using service::Response;
using store::Fate;

const std::pair<std::string, std::string> kAppliedPreference{"Preference-Applied", "respond-async"};

Response elsewhere(const std::string& what) {
  return error_response(Refusal(501, "not_at_a_gateway", "a gateway keeps no model's state: " + what));
}

// Runs `f` and gives what it throws as a refusal.
template <class F>
std::optional<Refusal> refused_by(F f) {
  try {
    f();
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal;
  } catch (const Error& error) {
    return service::refusal_of(error, true);
  } catch (const std::bad_alloc&) {
    return service::refusal_of(Error(Code::kOutOfMemory, "not enough memory"), true);
  } catch (const std::exception& error) {
    return service::refusal_of(Error(Code::kInternal, error.what()), true);
  }
}

}  // namespace

void Gateway::post(const std::string& model, const std::string& event, bool for_outcome, Waiting::Done done) {
  if (!service::is_name(model)) throw service::no_such_model(model);
  if (!setting_.ready()) throw Refusal(503, "not_ready", "outcomes are not being read yet: try again");
  const int partition = setting_.partition_of(model);
  const auto id = waiting_.add(partition, for_outcome, setting_.now_ms() + setting_.wait_ms, std::move(done));
  if (!id) {
    ++counters_.overloaded;
    throw Refusal(503, "overloaded", "too many requests wait for Kafka: try again later");
  }
  setting_.send(partition, model, event, *id);
}

std::string Gateway::queued_json(const std::string& model, Offset offset) const {
  return fmt::format("\"status\": \"queued\", \"partition\": {}, \"offset\": {}}}", setting_.partition_of(model),
                     offset);
}

// ---- models come and go

void Gateway::create(const std::string& name, spec::Value given, Reply reply) {
  std::string spec;
  const Response checked = service::or_refusal(false, [&] {
    if (!service::is_name(name))
      throw Refusal(400, "bad_name", fmt::format("a model's name must be {}", service::kNameRule), "name");
    service::check_names_no_file(given);
    const ModelSpec read = ModelSpec::read(given);
    service::check_size(read, setting_.limits.dimension);
    spec = read.json();
    return Response{};
  });
  if (checked.status != 200) return reply(checked);
  const auto done = [this, name, spec, reply](const News& news) {
    reply(service::or_refusal(false, [&] {
      if (const auto refusal = refusal_of(news, setting_.wait_ms)) throw *refusal;
      const Outcome outcome = read_outcome(news.text);
      if (outcome.error) throw *outcome.error;
      return Response{.status = outcome.fate == Fate::kApplied ? 201 : 200,
                      .body = fmt::format("{{\"name\": \"{}\", \"incarnation\": {}, \"spec\": {}}}", name,
                                          outcome.incarnation, spec)};
    }));
  };
  if (const auto refusal = refused_by([&] { post(name, fmt::format("{{\"create\": {}}}", spec), true, done); }))
    reply(error_response(*refusal));
}

void Gateway::remove(const std::string& name, Reply reply) {
  const auto done = [this, name, reply](const News& news) {
    reply(service::or_refusal(true, [&] {
      if (const auto refusal = refusal_of(news, setting_.wait_ms)) throw *refusal;
      const Outcome outcome = read_outcome(news.text);
      if (outcome.error) throw *outcome.error;
      return Response{.body = fmt::format("{{\"name\": \"{}\", \"deleted\": true}}", name)};
    }));
  };
  if (const auto refusal = refused_by([&] { post(name, "{\"delete\": true}", true, done); }))
    reply(error_response(*refusal));
}

// ---- what needs a model at hand

void Gateway::list(const Reply& reply) const { reply(elsewhere("tarry queue check lists the models")); }
void Gateway::describe(const std::string&, Reply reply) { reply(elsewhere("tarry queue check tells a model's hash")); }
void Gateway::view(const std::string&, Reply reply) { reply(elsewhere("there is no page of a model")); }
void Gateway::snapshot_of(const std::string&, Reply reply) {
  reply(elsewhere("tarry queue export writes a model's history, and tarry replay --save its snapshot"));
}
void Gateway::create_from(const std::string&, std::string, Reply reply) {
  reply(elsewhere("tarry queue import sends a model's history"));
}
void Gateway::predict(const std::string&, std::vector<Features>, bool, Reply reply) {
  reply(elsewhere("it cannot predict without a decision"));
}

// ---- decisions

// The decisions of one request; whoever comes last answers.
struct Gateway::Decisions {
  Decisions(service::DecideRequest asked, Reply reply_with)
      : request(std::move(asked)),
        reply(std::move(reply_with)),
        answers(request.plays.size()),
        refusals(request.plays.size()) {}

  service::DecideRequest request;
  Reply reply;
  std::vector<std::string> answers;  // JSON
  std::vector<std::optional<Refusal>> refusals;
  std::atomic<std::size_t> left = 1;

  void done() {
    if (--left > 0) return;
    for (const auto& refusal : refusals)  // an answer to all of the request
      if (refusal && (!request.batch || refusal->code() == "idempotency_key_reused"))
        return reply(error_response(*refusal));
    Response response{.status = request.no_wait ? 202 : 200};
    if (request.no_wait) response.headers.push_back(kAppliedPreference);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      response.body += (i > 0 ? ", " : "") + (refusals[i] ? error_json(*refusals[i]) : answers[i]);
      if (refusals[i])
        response.refused.push_back({refusals[i]->status(), refusals[i]->code(), refusals[i]->what(), {}});
    }
    if (request.batch) response.body = fmt::format("{{\"results\": [{}]}}", response.body);
    reply(std::move(response));
  }
};

void Gateway::decide(const std::string& name, service::DecideRequest request, Reply reply) {
  const auto batch = std::make_shared<Decisions>(std::move(request), std::move(reply));
  batch->left += batch->request.plays.size();
  for (std::size_t i = 0; i < batch->request.plays.size(); ++i) {
    Play& play = batch->request.plays[i];
    const bool chosen = play.key.empty() || batch->request.once.has_value();
    // A key makes it harmless that an event may stand in Kafka twice.
    if (play.key.empty())
      play.key = batch->request.once ? fmt::format("Idempotency-Key {} {}", i, batch->request.once->key)
                                     : service::base64url(service::random_bytes(16));
    const auto done = [this, batch, i, name, chosen](const News& news) {
      batch->refusals[i] = refused_by(
          [&] { batch->answers[i] = decided(name, batch->request.plays[i], chosen, batch->request.no_wait, news); });
      batch->done();
    };
    const auto refused = refused_by([&] { post(name, event_json(play), !batch->request.no_wait, done); });
    if (!refused) continue;  // `done` has the answer, and may be there already
    batch->refusals[i] = refused;
    batch->done();
  }
  batch->done();
}

// `chosen_key`: the caller did not ask for this key, or said by a header that a repeat is the same request.
std::string Gateway::decided(const std::string& model, const Play& play, bool chosen_key, bool async,
                             const News& news) {
  if (const auto refusal = refusal_of(news, setting_.wait_ms)) throw *refusal;
  const auto ticket = [&](Offset since) { return ticket_text({model, play.key, since}, setting_.secret); };
  if (async) return fmt::format("{{\"ticket\": \"{}\", {}", ticket(news.offset), queued_json(model, news.offset));
  Outcome outcome = read_outcome(news.text);
  if (outcome.error) throw *outcome.error;
  if (outcome.fate == Fate::kConflict) {
    if (chosen_key) throw Refusal(422, "idempotency_key_reused", "this Idempotency-Key came before with another body");
    throw Refusal(409, "conflict", fmt::format("key {} was played with other features", spec::to_json({play.key})));
  }
  if (outcome.reply.empty()) throw Error(Code::kCorrupt, "the outcome of a decision has no reply");
  const bool repeated = outcome.fate == Fate::kDuplicate;
  ++(repeated ? counters_.repeated_decisions : counters_.decisions);
  if (repeated && !chosen_key && outcome.reply.find(", \"answer\": ") == std::string::npos)
    outcome.reply.insert(outcome.reply.size() - 1, ", \"answer\": \"duplicate\"");
  return fmt::format("{{\"ticket\": \"{}\", {}", ticket(static_cast<Offset>(outcome.incarnation) - 1),
                     std::string_view(outcome.reply).substr(1));
}

// ---- feedback

std::optional<RoundName> Gateway::open_ticket(std::string_view text, FeedbackItem& item) const {
  if (auto ticket = read_ticket(text, setting_.secret)) {
    item.model = std::move(ticket->model);
    item.since = ticket->since;
    return RoundName(std::move(ticket->key));
  }
  // Of a service with its own log that had this secret before.
  item.ticket = service::read_ticket(text, setting_.secret);
  if (!item.ticket) return std::nullopt;
  return RoundName(item.ticket->round);
}

void Gateway::feedback(service::FeedbackRequest request, Reply reply) {
  const bool async = request.no_wait;
  const auto batch = std::make_shared<service::FeedbackBatch>(std::move(request), std::move(reply));
  if (async) {
    batch->list_status = 202;
    batch->headers.push_back(kAppliedPreference);
  }
  batch->left += batch->items.size();
  for (std::size_t i = 0; i < batch->items.size(); ++i) {
    const FeedbackItem& item = batch->items[i];
    const auto refused = refused_by([&] {
      if (item.refused) {
        if (item.refused->status() == 403) ++counters_.forged;
        throw *item.refused;
      }
      if (item.ticket) {
        ++counters_.lost;
        throw service::lost_ticket();
      }
      std::string event = event_json(item.event);
      if (item.since) event.insert(event.size() - 1, fmt::format(", \"since\": {}", *item.since));
      post(item.model, event, !async, [this, batch, i, async](const News& news) {
        const FeedbackItem& told = batch->items[i];
        batch->statuses[i] = async ? 202 : 200;
        if (const auto why = refused_by([&] { batch->answers[i] = fed(told, async, news); }))
          batch->refuse(i, *why, told.model);
        batch->done();
      });
    });
    if (!refused) continue;
    batch->refuse(i, *refused, item.model);
    batch->done();
  }
  batch->done();
}

std::string Gateway::fed(const FeedbackItem& item, bool async, const News& news) {
  if (const auto refusal = refusal_of(news, setting_.wait_ms)) throw *refusal;
  if (async) return "{" + queued_json(item.model, news.offset);
  const Outcome outcome = read_outcome(news.text);
  const bool gone = outcome.error && (outcome.error->code() == "no_such_model" || outcome.error->code() == "lost");
  if (item.since && (gone || (!outcome.error && outcome.fate == Fate::kUnknown))) {
    ++counters_.lost;
    throw service::lost_ticket();
  }
  if (outcome.error) {
    if (outcome.error->status() == 422) ++counters_.impossible;
    throw *outcome.error;
  }
  return service::feedback_json(outcome.fate, outcome.round, counters_);
}

}  // namespace tarry::gateway
