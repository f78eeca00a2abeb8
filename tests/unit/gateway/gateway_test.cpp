#include "tarry/gateway/gateway.h"

#include <gtest/gtest.h>

#include <future>

#include "tarry/gateway/decision_ticket.h"
#include "tarry/hosting/ticket.h"
#include "tarry/kafka/partition.h"
#include "tarry/service/access/access.h"
#include "tarry/service/routes/routes.h"
#include "tarry/spec/json.h"

namespace tarry::gateway {
namespace {

using service::Response;

// Gateways over one partition in memory, asked as HTTP would. Two of them share a key.
class Asked {
 public:
  Asked() {
    for (int i = 0; i < 2; ++i) {
      GatewaySetting setting{.now_ms = [this] { return now_ms; }, .ready = [this] { return ready; }};
      setting.partition_of = [](std::string_view) { return 0; };
      setting.send = [this, i](int, std::string_view model, std::string_view event, Waiting::Id id) {
        send(i, std::string(model), std::string(event), id);
      };
      gateways_.push_back(std::make_unique<Gateway>(std::move(setting), waiting[i]));
      routes_.push_back(std::make_unique<service::Routes>(
          *gateways_.back(), access_,
          service::RoutesSetting{.not_ready = [] { return std::optional<std::string>(); }}));
    }
  }

  // Kafka and a worker at once, unless they are away.
  void send(int gateway, const std::string& model, const std::string& event, Waiting::Id id) {
    if (!kafka_there) return;
    const auto offset = static_cast<Offset>(events.size());
    events.push_back(event);
    const std::string outcome =
        kafka::record_of(partition.apply({.offset = offset, .at_ms = 1000, .key = model, .value = event})).json;
    if (outcome_first && worker_there) tell(offset, outcome);
    waiting[gateway].acknowledged(id, offset);
    if (!outcome_first && worker_there) tell(offset, outcome);
  }
  void tell(Offset offset, const std::string& outcome) {
    for (Waiting& one : waiting) one.outcome(0, offset, outcome);
  }

  Response ask(const std::string& method, const std::string& path, const std::string& body = {},
               const std::string& once = {}, const std::string& prefer = {}) {
    service::Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.host = "localhost";
    request.content_type = "application/json";
    request.subscription_key = "m";
    request.idempotency_key = once;
    request.has_idempotency_key = !once.empty();
    request.prefer = prefer;
    std::optional<Response> answer;
    routes_[which]->handle(request, [&](Response response) { answer = std::move(response); });
    if (!answer) {  // nobody has answered: time passes
      now_ms += 10'000;
      for (Waiting& one : waiting) one.expire(now_ms);
    }
    return answer.value();
  }
  Response make() { return ask("PUT", "/v1/models/m", R"({"task": "regression"})"); }
  Response decide(const std::string& body = R"({"features": {"x": 1}})", const std::string& once = {}) {
    return ask("POST", "/v1/models/m/decisions", body, once);
  }
  Response feed(const std::string& body) { return ask("POST", "/v1/feedback", body); }
  Response label(const std::string& ticket, const std::string& value = "2") {
    return feed("{\"ticket\": \"" + ticket + "\", \"label\": " + value + "}");
  }
  std::string model_hash() const { return partition.models().find("m")->model().hash(); }

  bool kafka_there = true, worker_there = true, outcome_first = false, ready = true;
  int which = 0;  // of the gateways
  std::int64_t now_ms = 0;
  kafka::Partition partition;
  std::vector<std::string> events;
  std::array<Waiting, 2> waiting{Waiting(1, 100), Waiting(1, 100)};
  service::Counters& counters() { return gateways_[0]->counters(); }

 private:
  service::Access access_{true, service::Tokens()};
  std::vector<std::unique_ptr<Gateway>> gateways_;
  std::vector<std::unique_ptr<service::Routes>> routes_;
};

std::string ticket_in(const Response& response) {
  const spec::Value value = spec::parse_json(response.body);
  const spec::Value* ticket = value.find("ticket");
  return ticket == nullptr ? "none: " + response.body : std::get<std::string>(ticket->as);
}

bool has(const Response& response, const std::string& part) { return response.body.find(part) != std::string::npos; }

TEST(Gateway, PassesChallengersOn) {
  Asked asked;
  asked.make();
  const std::string path = "/v1/models/m/challengers";
  EXPECT_EQ(asked.ask("PUT", path + "/plain", R"({"products": false})").status, 201);
  EXPECT_EQ(asked.events.back(), R"({"challenge": "plain", "with": {"products": false}})");
  EXPECT_EQ(asked.ask("PUT", path + "/plain", R"({"products": 0})").status, 200);
  EXPECT_EQ(asked.ask("PUT", path + "/plain", R"({"bends": false})").status, 409);
  EXPECT_EQ(asked.ask("PUT", path + "/x", R"({"task": "binary"})").status, 422);
  EXPECT_EQ(asked.ask("GET", path).status, 501);
  const std::string ticket = ticket_in(asked.decide());
  EXPECT_EQ(asked.ask("POST", "/v1/models/m/promote", R"({"challenger": "nobody"})").status, 404);
  const Response promoted = asked.ask("POST", "/v1/models/m/promote", R"({"challenger": "plain"})");
  EXPECT_EQ(promoted.status, 200);
  EXPECT_EQ(promoted.body, R"({"model": "m", "challenger": "plain", "promoted": true})");
  EXPECT_EQ(asked.partition.models().find("m")->champion(), "plain");
  EXPECT_EQ(asked.label(ticket).status, 200);  // the round was played by both
  EXPECT_EQ(asked.ask("DELETE", path + "/original").status, 200);
  EXPECT_EQ(asked.ask("DELETE", path + "/original").status, 404);
}

TEST(Gateway, MakesAndDeletesModels) {
  Asked asked;
  const Response made = asked.make();
  EXPECT_EQ(made.status, 201);
  EXPECT_TRUE(has(made, R"({"name": "m", "incarnation": 1, "spec": {)")) << made.body;
  const Response again = asked.make();
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, made.body);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/m", R"({"task": "binary"})").status, 409);
  const std::size_t sent = asked.events.size();
  EXPECT_EQ(asked.ask("PUT", "/v1/models/M", R"({"task": "binary"})").status, 400);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", R"({"task": "nothing"})").status, 400);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", "{").status, 400);
  EXPECT_EQ(asked.events.size(), sent);  // what has the wrong form never gets to Kafka
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").body, R"({"name": "m", "deleted": true})");
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").status, 404);
  EXPECT_EQ(asked.decide().status, 404);
}

TEST(Gateway, AnswersFeedbackByWhatBecomesOfIt) {
  Asked asked;
  asked.make();
  for (const bool first : {false, true}) {
    asked.outcome_first = first;
    asked.which = 0;
    const Response decision = asked.decide();
    EXPECT_EQ(decision.status, 200) << decision.body;
    EXPECT_TRUE(has(decision, "\"prediction\": "));
    const std::string ticket = ticket_in(decision);
    asked.which = 1;  // any gateway has the key
    EXPECT_TRUE(has(asked.label(ticket), R"({"status": "accepted", "round": )"));
    EXPECT_TRUE(has(asked.label(ticket), R"("duplicate": true)"));
    EXPECT_EQ(asked.label(ticket, "3").status, 409);
    EXPECT_EQ(asked.label(ticket, "\"a class\"").status, 422);
  }
  std::string forged = ticket_in(asked.decide());
  forged[10] = forged[10] == 'A' ? 'B' : 'A';
  EXPECT_EQ(asked.label(forged).status, 403);
  EXPECT_EQ(asked.feed(R"({"model": "m", "key": "none", "label": 1})").status, 404);
  EXPECT_EQ(asked.feed(R"({"model": "none", "key": "none", "label": 1})").status, 404);
  EXPECT_EQ(asked.feed(R"({"model": "m", "label": 1})").status, 400);
}

TEST(Gateway, ARoundThatWasGivenUpIsExpired) {
  Asked asked;
  asked.ask("PUT", "/v1/models/m", R"({"task": "regression", "expiry": {"rounds": 1}})");
  const std::string ticket = ticket_in(asked.decide());
  asked.decide();
  asked.decide();
  EXPECT_EQ(asked.label(ticket).status, 410);
}

TEST(Gateway, TicketsOfAModelThatWasDeletedAreLost) {
  Asked asked;
  asked.make();
  const std::string own = ticket_in(asked.decide(R"({"features": {"x": 1}, "key": "k"})"));
  const std::string chosen = ticket_in(asked.decide());
  asked.ask("DELETE", "/v1/models/m");
  EXPECT_EQ(asked.label(own).status, 500);
  asked.make();
  asked.decide(R"({"features": {"x": 1}, "key": "k"})");  // the same name and key, and another decision
  const std::string hash = asked.model_hash();
  for (const std::string& ticket : {own, chosen}) {
    const Response answer = asked.label(ticket);
    EXPECT_EQ(answer.status, 500);
    EXPECT_TRUE(has(answer, "\"code\": \"lost\""));
  }
  EXPECT_EQ(asked.model_hash(), hash);
  EXPECT_EQ(asked.label(hosting::ticket_text({.incarnation = 1, .epoch = 2, .round = 3}, hosting::SecretKey{})).status,
            500);  // of a service with its own log
}

TEST(Gateway, ARepeatHasTheFirstAnswer) {
  Asked asked;
  asked.make();
  const Response first = asked.decide(R"({"features": {"x": 1}})", "once");
  EXPECT_EQ(asked.decide(R"({"features": {"x": 1}})", "once").body, first.body);
  EXPECT_EQ(asked.decide(R"({"features": {"x": 2}})", "once").status, 422);
  const Response keyed = asked.decide(R"({"features": {"x": 1}, "key": "k"})");
  const Response repeat = asked.decide(R"({"features": {"x": 1}, "key": "k"})");
  EXPECT_EQ(repeat.body, keyed.body.substr(0, keyed.body.size() - 1) + R"(, "answer": "duplicate"})");
  EXPECT_EQ(asked.decide(R"({"features": {"x": 2}, "key": "k"})").status, 409);
  const std::string many = R"({"requests": [{"features": {"x": 1}}, {"features": {"x": 2}}]})";
  const Response batch = asked.decide(many, "twice");
  EXPECT_EQ(asked.decide(many, "twice").body, batch.body);
  EXPECT_EQ(asked.decide(R"({"requests": [{"features": {"x": 3}}, {"features": {"x": 2}}]})", "twice").status, 422);
}

TEST(Gateway, ManyAtATimeHaveAnAnswerEach) {
  Asked asked;
  asked.make();
  const Response made =
      asked.decide(R"({"requests": [{"features": {"x": 1}}, {"features": [1]}, {"features": {"x": 1}, "key": "k"}]})");
  EXPECT_EQ(made.status, 200);
  EXPECT_TRUE(has(made, R"({"results": [{"ticket": )")) << made.body;
  EXPECT_TRUE(has(made, R"({"error": {"status": 422)")) << made.body;
  const Response fed = asked.feed(R"([{"model": "m", "key": "k", "label": 1},
                                      {"model": "m", "key": "none", "label": 1}, {"label": 1}, 7])");
  EXPECT_EQ(fed.status, 200);
  EXPECT_TRUE(has(fed, R"([{"status": "accepted", "round": 2}, {"error": {"status": 404)")) << fed.body;
  EXPECT_EQ(asked.decide(R"({"requests": []})").body, R"({"results": []})");
  EXPECT_EQ(asked.feed("[]").body, "[]");
}

TEST(Gateway, WhoeverDoesNotWaitHearsThatKafkaHasIt) {
  Asked asked;
  asked.make();
  asked.worker_there = false;
  const Response queued =
      asked.ask("POST", "/v1/models/m/decisions", R"({"features": {"x": 1}})", "", "wait=5, Respond-Async; x=1");
  EXPECT_EQ(queued.status, 202);
  EXPECT_TRUE(has(queued, R"("status": "queued", "partition": 0, "offset": 1})")) << queued.body;
  const std::string ticket = ticket_in(queued);
  const std::string body = "{\"ticket\": \"" + ticket + "\", \"label\": 1}";
  const Response told = asked.ask("POST", "/v1/feedback", body, "", "respond-async");
  EXPECT_EQ(told.status, 202);
  EXPECT_EQ(told.body, R"({"status": "queued", "partition": 0, "offset": 2})");
  EXPECT_EQ(asked.ask("POST", "/v1/feedback", "[" + body + "]", "", "respond-async").status, 202);
  asked.worker_there = true;
  EXPECT_TRUE(has(asked.label(ticket, "1"), R"("duplicate": true)"));
  const Response preferred = asked.ask("POST", "/v1/models/m/decisions", R"({"features": {"x": 1}})", "", "other");
  EXPECT_EQ(preferred.status, 200);
}

TEST(Gateway, TimeThatIsUpIsSaidInOneLine) {
  Asked asked;
  asked.make();
  asked.worker_there = false;
  const Response late = asked.decide();
  EXPECT_EQ(late.status, 504);
  EXPECT_TRUE(has(late, "\"no_outcome\"") && has(late, "it may still be folded")) << late.body;
  asked.kafka_there = false;
  EXPECT_TRUE(has(asked.decide(), "\"not_acknowledged\""));
  EXPECT_EQ(asked.feed(R"({"model": "m", "key": "k", "label": 1})").status, 504);
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").status, 504);
  asked.ready = false;
  EXPECT_EQ(asked.decide().status, 503);
}

TEST(Gateway, TooManyAreRefused) {
  Asked asked;
  asked.make();
  asked.kafka_there = false;
  std::string many = R"({"requests": [{})";
  for (int i = 0; i < 100; ++i) many += ", {}";
  const Response answer = asked.decide(many + "]}");
  EXPECT_TRUE(has(answer, "\"overloaded\"")) << answer.body.substr(0, 300);
  EXPECT_EQ(asked.counters().overloaded, 1u);
}

TEST(Gateway, WhatNeedsAModelAtHandIsNotImplemented) {
  Asked asked;
  asked.make();
  for (const char* path :
       {"/v1/models", "/v1/models/m", "/v1/models/m/view", "/v1/models/m/quality", "/v1/models/m/snapshot"})
    EXPECT_EQ(asked.ask("GET", path).status, 501) << path;
  EXPECT_EQ(asked.ask("POST", "/v1/models/m/predict", R"({"features": {"x": 1}})").status, 501);
}

TEST(DecisionTicket, HasOneText) {
  const hosting::SecretKey secret{1, 2, 3};
  const DecisionTicket ticket{"m", "a \"key\"", 17};
  const std::string text = ticket_text(ticket, secret);
  EXPECT_EQ(read_ticket(text, secret), ticket);
  EXPECT_FALSE(read_ticket(text, hosting::SecretKey{}));
  EXPECT_FALSE(read_ticket(text + "A", secret));
  EXPECT_FALSE(read_ticket("", secret));
  EXPECT_FALSE(read_ticket(hosting::ticket_text({.incarnation = 1, .epoch = 2, .round = 3}, secret), secret));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(read_ticket(other, secret)) << i;
  }
}

TEST(Gateway, AnswersPersonalizersClientsAndDefersNothing) {
  Asked asked;
  ASSERT_EQ(asked.ask("PUT", "/v1/models/m", R"({"task": "choose", "features": {"capacity": 64}})").status, 201);
  const std::string body = R"({"eventId": "e", "actions": [{"id": "a"}, {"id": "b"}]})", root = "/personalizer/v1.0/";
  const Response first = asked.ask("POST", root + "rank", body);
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(asked.ask("POST", root + "rank", body).body, first.body);
  EXPECT_EQ(asked.ask("POST", root + "events/e/reward", R"({"value": 1})").status, 204);
  EXPECT_EQ(asked.ask("POST", root + "events/other/reward", R"({"value": 1})").status, 404);
  const Response deferred = asked.ask("POST", root + "rank", R"({"deferActivation": true, "actions": [{"id": "a"}]})");
  EXPECT_EQ(deferred.status, 501);
  EXPECT_NE(deferred.body.find(R"({"error": {"code": "InternalServerError", "message": "a gateway defers)"),
            std::string::npos)
      << deferred.body;
  EXPECT_EQ(asked.ask("POST", root + "events/e/activate").status, 501);
}

}  // namespace
}  // namespace tarry::gateway
