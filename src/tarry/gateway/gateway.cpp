#include "tarry/gateway/gateway.h"

#include <fmt/format.h>

#include <atomic>
#include <new>

#include "tarry/gateway/decision_ticket.h"
#include "tarry/gateway/no_outcome.h"
#include "tarry/hosting/names.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/kafka/partition.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/host/feedback_batch.h"

namespace tarry::gateway {

using namespace hosting;
using service::FeedbackItem;
using service::Keeper;

namespace {

// What `f` throws, as a rejection; nothing: it did what it should.
template <class F>
std::optional<Rejection> rejected(F f) {
  const std::optional<Reply> reply = rejected_by(true, f);
  if (!reply) return std::nullopt;
  if (const auto* rejection = std::get_if<Rejection>(&*reply)) return *rejection;
  return not_enough_memory();
}

}  // namespace

void Gateway::post(const std::string& model, const std::string& event, bool for_outcome, Waiting::Done done) {
  if (!is_name(model)) throw no_such_model(model);
  if (!setting_.ready()) throw Rejection(Rejection::kBusy, "not_ready", "outcomes are not being read yet: try again");
  const int partition = setting_.partition_of(model);
  const auto id = waiting_.add(partition, for_outcome, setting_.now_ms() + setting_.wait_ms, std::move(done));
  if (!id) {
    ++counters_.overloaded;
    throw Rejection(Rejection::kBusy, "overloaded", "too many requests wait for Kafka: try again later");
  }
  setting_.send(partition, model, event, *id);
}

Queued Gateway::queued(const std::string& model, Offset offset) const {
  return {.partition = setting_.partition_of(model), .offset = offset};
}

kafka::RecordOutcome Gateway::outcome_in(const News& news) const {
  if (const auto rejection = rejection_of(news, setting_.wait_ms)) throw *rejection;
  kafka::RecordOutcome outcome = kafka::read_outcome(news.text);
  if (outcome.rejection) throw *outcome.rejection;
  return outcome;
}

// ---- models come and go

void Gateway::create(const std::string& name, spec::Value given, ReplyTo reply_to) {
  std::string spec;
  const auto refused = rejected_by(false, [&] {
    if (!is_name(name)) throw bad_name();
    check_names_no_file(given);
    const ModelSpec read = ModelSpec::read(given);
    check_size(read, setting_.limits.dimension);
    spec = read.json();
  });
  if (refused) return reply_to(*refused)();
  const auto done = [this, name, spec, reply_to](const News& news) {
    reply_to(or_rejection(false, [&]() -> Reply {
      const kafka::RecordOutcome outcome = outcome_in(news);
      return Created{name, outcome.incarnation, spec, outcome.fate != Fate::kApplied};
    }))();
  };
  if (const auto why = rejected([&] { post(name, fmt::format("{{\"create\": {}}}", spec), true, done); }))
    reply_to (*why)();
}

void Gateway::remove(const std::string& name, ReplyTo reply_to) {
  const auto done = [this, name, reply_to](const News& news) {
    reply_to(or_rejection(true, [&]() -> Reply {
      outcome_in(news);
      return Deleted{name};
    }))();
  };
  if (const auto why = rejected([&] { post(name, "{\"delete\": true}", true, done); })) reply_to (*why)();
}

void Gateway::change(ChallengerChanged change, const std::string& record, ReplyTo reply_to) {
  const auto done = [this, change, reply_to](const News& news) {
    reply_to(or_rejection(true, [&]() -> Reply {
      ChallengerChanged told = change;
      if (outcome_in(news).fate != Fate::kApplied) told.what = ChallengerChanged::kThere;
      return told;
    }))();
  };
  if (const auto why = rejected([&] { post(change.model, record, true, done); })) reply_to (*why)();
}

void Gateway::challenge(const std::string& name, const std::string& challenger, spec::Value given, ReplyTo reply_to) {
  change({ChallengerChanged::kMade, name, challenger},
         fmt::format("{{\"challenge\": {}, \"with\": {}}}", spec::to_json({challenger}), spec::to_json(given)),
         std::move(reply_to));
}

void Gateway::dismiss(const std::string& name, const std::string& challenger, ReplyTo reply_to) {
  change({ChallengerChanged::kRemoved, name, challenger},
         fmt::format("{{\"dismiss\": {}}}", spec::to_json({challenger})), std::move(reply_to));
}

void Gateway::promote(const std::string& name, const std::string& challenger, ReplyTo reply_to) {
  change({ChallengerChanged::kPromoted, name, challenger},
         fmt::format("{{\"promote\": {}}}", spec::to_json({challenger})), std::move(reply_to));
}

Keeper& Gateway::keeper(Keeper::Call call) {
  const auto instead = [&] {
    switch (call) {
      case Keeper::Call::kList:
        return "tarry queue check lists the models";
      case Keeper::Call::kDescribe:
        return "tarry queue check prints a model's hash";
      case Keeper::Call::kView:
        return "there is no page of a model";
      case Keeper::Call::kQuality:
        return "it does not know how good a model is";
      case Keeper::Call::kSnapshot:
        return "tarry queue export writes a model's history, and tarry replay --save its snapshot";
      case Keeper::Call::kRestore:
        return "tarry queue import sends a model's history";
      case Keeper::Call::kChallengers:
        return "tarry queue check prints how challengers do";
      case Keeper::Call::kRounds:
        return "tarry queue export writes a model's history";
      case Keeper::Call::kPredict:
        break;
    }
    return "it cannot predict without a decision";
  };
  throw Rejection(Rejection::kNotHere, "not_at_a_gateway",
                  fmt::format("a gateway keeps no model's state: {}", instead()));
}

// ---- decisions

// The decisions of one request; the last to be made answers.
struct Gateway::Deciding {
  Deciding(service::DecideRequest asked, ReplyTo to) : request(std::move(asked)), reply_to(std::move(to)) {
    made.list = request.batch;
    made.async = request.no_wait;
    made.items.resize(request.plays.size());
  }

  service::DecideRequest request;
  ReplyTo reply_to;
  Decisions made;
  std::atomic<std::size_t> left = 1;

  void done() {
    if (--left > 0) return;
    for (const auto& item : made.items)  // an answer to all of the request
      if (const auto* rejection = std::get_if<Rejection>(&item))
        if (!made.list || rejection->code() == kIdempotencyKeyReused) return reply_to(*rejection)();
    reply_to(std::move(made))();
  }
};

namespace {

Rejection nothing_deferred() {
  return Rejection(Rejection::kNotHere, "not_at_a_gateway",
                   "a gateway defers no decision: tell it void where it was not shown");
}

}  // namespace

void Gateway::activate(const std::string&, const std::string&, ReplyTo reply_to) { reply_to(nothing_deferred())(); }

void Gateway::decide(const std::string& name, service::DecideRequest request, ReplyTo reply_to) {
  if (request.deferred) return reply_to(nothing_deferred())();
  if (request.explain)
    return reply_to(Rejection(Rejection::kNotHere, "not_at_a_gateway",
                              "a gateway explains no decision: the model is not at hand"))();
  const auto batch = std::make_shared<Deciding>(std::move(request), std::move(reply_to));
  batch->left += batch->request.plays.size();
  for (std::size_t i = 0; i < batch->request.plays.size(); ++i) {
    Play& play = batch->request.plays[i];
    const bool chosen = play.key.empty() || batch->request.once.has_value();
    // A key makes it harmless that an event may stand in Kafka twice.
    if (play.key.empty())
      play.key = batch->request.once ? fmt::format("Idempotency-Key {} {}", i, batch->request.once->key)
                                     : base64url(random_bytes(16));
    const auto done = [this, batch, i, name, chosen](const News& news) {
      if (const auto why = rejected([&] {
            batch->made.items[i] = decided(name, batch->request.plays[i], chosen, batch->request.no_wait, news);
          }))
        batch->made.items[i] = *why;
      batch->done();
    };
    const auto why =
        rejected([&] { post(name, kafka::event_record(play, std::nullopt), !batch->request.no_wait, done); });
    if (!why) continue;  // `done` has the answer, and may be there already
    batch->made.items[i] = *why;
    batch->done();
  }
  batch->done();
}

// `chosen_key`: the caller did not ask for this key, or said by a header that a repeat is the same request.
Decided Gateway::decided(const std::string& model, const Play& play, bool chosen_key, bool async, const News& news) {
  const auto ticket = [&](Offset since) { return ticket_text({model, play.key, since}, setting_.secret); };
  if (async) {
    if (const auto rejection = rejection_of(news, setting_.wait_ms)) throw *rejection;
    return {.ticket = ticket(news.offset), .what = queued(model, news.offset)};
  }
  kafka::RecordOutcome outcome = outcome_in(news);
  if (outcome.fate == Fate::kConflict) {
    if (chosen_key) throw idempotency_key_reused();
    throw Rejection(Rejection::kConflict, "conflict",
                    fmt::format("key {} was played with other features", spec::to_json({play.key})));
  }
  if (!outcome.reply) throw Error(Code::kCorrupt, "the outcome of a decision has no reply");
  const bool repeated = outcome.fate == Fate::kDuplicate;
  ++(repeated ? counters_.repeated_decisions : counters_.decisions);
  if (repeated && !chosen_key) outcome.reply->answer = Answer::kDuplicate;
  return {.ticket = ticket(static_cast<Offset>(outcome.incarnation) - 1), .what = *std::move(outcome.reply)};
}

// ---- feedback

std::optional<RoundName> Gateway::open_ticket(std::string_view text, FeedbackItem& item) const {
  if (auto ticket = read_ticket(text, setting_.secret)) {
    item.model = std::move(ticket->model);
    item.since = ticket->since;
    return RoundName(std::move(ticket->key));
  }
  // Of a service with its own log that had this secret before.
  item.ticket = hosting::read_ticket(text, setting_.secret);
  if (!item.ticket) return std::nullopt;
  return RoundName(item.ticket->round);
}

void Gateway::feedback(service::FeedbackRequest request, ReplyTo reply_to) {
  const bool async = request.no_wait;
  const auto batch = std::make_shared<service::FeedbackBatch>(std::move(request), std::move(reply_to));
  batch->replies.async = async;
  batch->left += batch->items.size();
  for (std::size_t i = 0; i < batch->items.size(); ++i) {
    const FeedbackItem& item = batch->items[i];
    const auto refused = rejected([&] {
      if (item.refused) {
        if (item.refused->kind() == Rejection::kForged) ++counters_.forged;
        throw *item.refused;
      }
      if (item.ticket) {
        ++counters_.lost;
        throw lost_ticket();
      }
      post(item.model, kafka::event_record(item.event, item.since), !async, [this, batch, i, async](const News& news) {
        const FeedbackItem& told = batch->items[i];
        if (const auto why = rejected([&] { batch->replies.items[i] = fed(told, async, news); }))
          batch->reject(i, *why, told.model);
        batch->done();
      });
    });
    if (!refused) continue;
    batch->reject(i, *refused, item.model);
    batch->done();
  }
  batch->done();
}

std::variant<Accepted, Queued, Rejection> Gateway::fed(const FeedbackItem& item, bool async, const News& news) {
  if (const auto rejection = rejection_of(news, setting_.wait_ms)) throw *rejection;
  if (async) return queued(item.model, news.offset);
  const kafka::RecordOutcome outcome = kafka::read_outcome(news.text);
  const auto& why = outcome.rejection;
  const bool gone = why && (why->code() == kNoSuchModel || why->code() == kLost);
  if (item.since && (gone || (!why && outcome.fate == Fate::kUnknown))) {
    ++counters_.lost;
    throw lost_ticket();
  }
  if (why) {
    if (why->kind() == Rejection::kUnusable) ++counters_.impossible;
    throw *why;
  }
  return service::accepted(outcome.fate.value_or(Fate::kUnknown), outcome.round, counters_);
}

}  // namespace tarry::gateway
