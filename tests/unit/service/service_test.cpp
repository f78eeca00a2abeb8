#include "tarry/service/models/service.h"

#include <gtest/gtest.h>

#include <future>

#include "tarry/hosting/memory_log.h"
#include "tarry/model/replay.h"
#include "tarry/service/routes/bodies.h"
#include "tarry/service/routes/openapi.h"
#include "tarry/service/routes/routes.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

const char* const kSpec = R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
  "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})";

// A service over a log in memory, asked as HTTP would.
class Asked {
 public:
  explicit Asked(hosting::Log& log, ServiceLimits limits = {}, hosting::SecretKey key = {})
      : clock_(1'000'000, 0), epoch_(log.last() + 100) {
    hosting::Models models;
    log.read(0, [&](Position position, std::string_view payload) {
      models.apply(position, payload);
      return true;
    });
    const std::string opened = hosting::entry_bytes(hosting::Opened{.epoch = epoch_, .at_ms = 1, .engine = "test"});
    const std::string_view payload = opened;
    log.append({&payload, 1});
    log.sync();
    service_ = std::make_unique<Service>(
        log, models, clock_,
        ServiceSetting{
            .key = key, .epoch = epoch_, .limits = limits, .workers = 2, .broken = [](const std::string&) { FAIL(); }});
    access_ = std::make_unique<Access>(true, Tokens());
    routes_ = std::make_unique<Routes>(*service_, *access_,
                                       RoutesSetting{.not_ready = [] { return std::optional<std::string>(); }});
  }

  Response ask(const std::string& method, const std::string& path, const std::string& body = {},
               const std::string& once = {}) {
    Request request;
    request.method = method;
    request.path = path;
    request.host = "localhost";
    request.content_type = "application/json";
    request.body = body;
    request.idempotency_key = once;
    request.has_idempotency_key = !once.empty();
    std::promise<Response> answer;
    routes_->handle(std::move(request), [&](Response response) { answer.set_value(std::move(response)); });
    return answer.get_future().get();
  }
  Response make() { return ask("PUT", "/v1/models/m", kSpec); }
  Response decide(const std::string& once = {}, const std::string& body = R"({"features": [1, 0.5]})") {
    return ask("POST", "/v1/models/m/decisions", body, once);
  }
  Response feed(const std::string& body) { return ask("POST", "/v1/feedback", body); }
  std::string state(const char* key) {
    const spec::Value value = spec::parse_json(ask("GET", "/v1/models/m").body);
    return spec::to_json(*value.find(key));
  }
  Service& service() { return *service_; }

  static std::string ticket(const Response& decision) {
    const spec::Value value = spec::parse_json(decision.body);
    const spec::Value* ticket = value.find("ticket");
    return ticket == nullptr ? "none: " + decision.body : std::get<std::string>(ticket->as);
  }
  static std::string labelled(const std::string& ticket, const std::string& rest = "\"label\": 2") {
    return "{\"ticket\": \"" + ticket + "\", " + rest + "}";
  }

 private:
  hosting::Clock clock_;
  std::uint64_t epoch_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<Access> access_;
  std::unique_ptr<Routes> routes_;
};

TEST(Service, MakesAModelOnce) {
  hosting::MemoryLog log;
  Asked asked(log);
  EXPECT_EQ(asked.make().status, 201);
  EXPECT_EQ(asked.make().status, 200);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/m", R"({"task": "binary"})").status, 409);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/M", kSpec).status, 400);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", R"({"task": "nothing"})").status, 400);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", "{").status, 400);
  EXPECT_EQ(asked
                .ask("PUT", "/v1/models/n",
                     R"({"set": {"type": "polytope", "lp_file": "/etc/passwd"}, "learner": {"type": "auto"}})")
                .status,
            400);
  EXPECT_EQ(asked.ask("GET", "/v1/models/none").status, 404);
  EXPECT_EQ(asked.ask("GET", "/v1/none").status, 404);
  EXPECT_EQ(asked.ask("POST", "/v1/models").status, 405);
}

TEST(Service, DescribesItself) {
  EXPECT_EQ(spec::parse_json(openapi_json()).find("paths")->find("/v1/partitions"), nullptr);
  EXPECT_NE(spec::parse_json(gateway_openapi_json()).find("paths")->find("/v1/partitions"), nullptr);
}

TEST(Service, AnswersFeedbackByWhatBecomesOfIt) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.make();
  const std::string ticket = Asked::ticket(asked.decide());
  EXPECT_EQ(asked.feed(Asked::labelled(ticket)).body, R"({"status": "accepted", "round": 1})");
  const Response again = asked.feed(Asked::labelled(ticket));
  EXPECT_EQ(again.status, 200);
  EXPECT_NE(again.body.find("\"duplicate\": true"), std::string::npos);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, "\"label\": 3")).status, 409);
  EXPECT_EQ(asked.feed(Asked::labelled("B" + ticket.substr(1))).status, 403);
  EXPECT_EQ(asked.feed(R"({"model": "m", "key": "none", "label": 1})").status, 404);
  EXPECT_EQ(asked.feed(R"({"model": "none", "key": "none", "label": 1})").status, 404);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, "\"label\": []")).status, 400);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, "\"void\": false")).status, 400);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, "\"label\": 1, \"void\": true")).status, 400);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, "\"label\": 1, \"more\": true")).status, 400);
  EXPECT_EQ(asked.feed("nothing").status, 400);
  const std::string next = Asked::ticket(asked.decide());
  EXPECT_EQ(asked.feed(Asked::labelled(next, "\"label\": 1e200")).status, 422);
  EXPECT_EQ(asked.feed(Asked::labelled(next, "\"label\": \"cat\"")).status, 422);
  EXPECT_EQ(asked.feed(Asked::labelled(next, "\"gradient\": [1, 2, 3]")).status, 422);
  EXPECT_EQ(asked.feed(Asked::labelled(next, "\"indices\": [0, 1], \"values\": [1]")).status, 422);
  EXPECT_EQ(asked.feed(Asked::labelled(next, "\"indices\": [1, 0], \"values\": [1, 2]")).status, 200);
  const std::string voided = Asked::ticket(asked.decide());
  EXPECT_EQ(asked.feed(Asked::labelled(voided, "\"void\": true")).status, 200);
  EXPECT_EQ(asked.feed(Asked::labelled(voided, "\"void\": true")).status, 200);
  EXPECT_EQ(asked.feed(Asked::labelled(voided)).status, 409);
}

TEST(Service, RefusesIndicesWithoutTheirValues) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.make();
  EXPECT_EQ(asked.decide("", R"({"features": {"indices": [], "values": [1]}, "key": "a"})").status, 422);
  EXPECT_EQ(asked.decide("", R"({"features": {"indices": [0, 1], "values": [1]}})").status, 422);
  const std::string ticket = Asked::ticket(asked.decide("", "{}"));
  EXPECT_EQ(asked.feed(Asked::labelled(ticket, R"("label": 1, "features": {"indices": [], "values": [1]})")).status,
            422);
}

TEST(Service, OneBadItemDoesNotRefuseTheOthers) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.make();
  const std::string a = Asked::ticket(asked.decide()), b = Asked::ticket(asked.decide());
  const Position before = log.last();
  const Response answer =
      asked.feed("[" + Asked::labelled(a) + ", 7, " + Asked::labelled("forged") + ", " + Asked::labelled(b) + "]");
  EXPECT_EQ(answer.status, 200);
  const spec::Value list = spec::parse_json(answer.body);
  const auto& items = std::get<spec::Array>(list.as);
  ASSERT_EQ(items.size(), 4u);
  EXPECT_NE(items[0].find("status"), nullptr);
  EXPECT_EQ(std::get<std::int64_t>(items[1].find("error")->find("status")->as), 400);
  EXPECT_EQ(std::get<std::int64_t>(items[2].find("error")->find("status")->as), 403);
  EXPECT_NE(items[3].find("status"), nullptr);
  EXPECT_EQ(log.last(), before + 2);
  EXPECT_EQ(asked.feed("[]").body, "[]");
}

TEST(Service, AnIdempotencyKeyMakesManyRequestsOne) {
  hosting::MemoryLog log;
  std::string first;
  {
    Asked asked(log);
    asked.make();
    first = asked.decide("k").body;
    EXPECT_EQ(asked.decide("k").body, first);
    EXPECT_EQ(asked.decide("k", R"({"features": [1, 1]})").status, 422);
    EXPECT_EQ(asked.state("rounds"), "1");
  }
  Asked asked(log);  // and after a restart
  EXPECT_EQ(asked.decide("k").body, first);
  EXPECT_EQ(asked.state("rounds"), "1");
}

TEST(Service, ABatchWithAnIdempotencyKeyIsFinishedWhereItWasCutShort) {
  hosting::MemoryLog log;
  const std::string body = R"({"requests": [{"features": [1, 0]}, {"features": [1]}, {"features": [0, 1]}]})";
  std::string whole;
  {
    Asked asked(log);
    asked.make();
    whole = asked.decide("k", body).body;
    EXPECT_EQ(asked.decide("k", body).body, whole);
    EXPECT_EQ(asked.state("rounds"), "2");
  }
  hosting::MemoryLog torn;  // all but the last record
  log.read(0, [&](Position position, std::string_view payload) {
    if (position < log.last()) torn.append({&payload, 1});
    return true;
  });
  Asked asked(torn);
  asked.decide("k", body);
  EXPECT_EQ(asked.state("rounds"), "2");
}

TEST(Service, ATicketOfALostHistoryLabelsNothing) {
  hosting::MemoryLog log;
  const hosting::SecretKey key = hosting::random_key();
  std::string kept, lost;
  hosting::MemoryLog restored;
  {
    Asked asked(log, {}, key);
    asked.make();
    kept = Asked::ticket(asked.decide());
    log.read(0, [&](Position, std::string_view payload) {
      restored.append({&payload, 1});
      return true;
    });
    lost = Asked::ticket(asked.decide());
  }
  Asked asked(restored, {}, key);
  EXPECT_EQ(asked.feed(Asked::labelled(lost)).status, 500);
  const std::string other = Asked::ticket(asked.decide());  // the same round again, in another history
  EXPECT_EQ(asked.feed(Asked::labelled(lost)).status, 500);
  EXPECT_EQ(asked.service().counters().lost, 2u);
  EXPECT_EQ(asked.feed(Asked::labelled(kept)).status, 200);
  EXPECT_EQ(asked.feed(Asked::labelled(other)).status, 200);
}

TEST(Service, ATicketOfADeletedModelIsLost) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.make();
  const std::string ticket = Asked::ticket(asked.decide());
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").status, 200);
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").status, 404);
  EXPECT_EQ(asked.make().status, 201);
  asked.decide();
  EXPECT_EQ(asked.feed(Asked::labelled(ticket)).status, 500);
  EXPECT_EQ(asked.state("outstanding"), "1");
}

TEST(Service, AFullDiskChangesNothingAndReadsGoOn) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.make();
  const std::string ticket = Asked::ticket(asked.decide());
  const std::string hash = asked.state("hash");
  log.set_room(5);
  EXPECT_EQ(asked.decide().status, 507);
  EXPECT_EQ(asked.decide("k").status, 507);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket)).status, 507);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", kSpec).status, 507);
  EXPECT_EQ(asked.ask("DELETE", "/v1/models/m").status, 507);
  EXPECT_EQ(asked.ask("POST", "/v1/models/m/predict", R"({"features": [1, 1]})").status, 200);
  EXPECT_EQ(asked.state("hash"), hash);
  EXPECT_TRUE(asked.service().full());
  log.set_room(1'000'000);
  EXPECT_EQ(asked.decide("k").status, 200);
  EXPECT_EQ(asked.feed(Asked::labelled(ticket)).status, 200);
  asked.service().look_for_room();
  EXPECT_FALSE(asked.service().full());
}

TEST(Service, ALabelInOtherWordsIsADuplicate) {
  hosting::MemoryLog log;
  Asked asked(log);
  const auto status = [&](const std::string& ticket, const std::string& label) {
    return asked.feed(Asked::labelled(ticket, "\"label\": " + label)).status;
  };
  const auto play = [&](const std::string& model) {
    return Asked::ticket(asked.ask("POST", "/v1/models/" + model + "/decisions", R"({"features": {"x": 1}})"));
  };
  asked.ask("PUT", "/v1/models/b", R"({"task": "binary"})");
  asked.ask("PUT", "/v1/models/r", R"({"task": "regression"})");
  asked.ask("PUT", "/v1/models/c", R"({"task": "classes", "classes": 4})");
  const std::string yes = play("b"), no = play("b"), one = play("r"), named = play("c"), flag = play("c");
  EXPECT_EQ(status(yes, "1"), 200);
  for (const char* same : {"true", "1", "1.0"}) EXPECT_EQ(status(yes, same), 200) << same;
  for (const char* other : {"false", "0", "-1"}) EXPECT_EQ(status(yes, other), 409) << other;
  EXPECT_EQ(status(no, "false"), 200);
  for (const char* same : {"false", "0", "-1"}) EXPECT_EQ(status(no, same), 200) << same;
  for (const char* other : {"true", "1"}) EXPECT_EQ(status(no, other), 409) << other;
  EXPECT_EQ(status(one, "true"), 200);
  for (const char* same : {"true", "1"}) EXPECT_EQ(status(one, same), 200) << same;
  for (const char* other : {"false", "0", "-1", "2"}) EXPECT_EQ(status(one, other), 409) << other;
  EXPECT_EQ(status(named, "1"), 200);
  for (const char* same : {"1", "\"1\"", "1.0"}) EXPECT_EQ(status(named, same), 200) << same;
  for (const char* other : {"true", "\"one\"", "2"}) EXPECT_EQ(status(named, other), 409) << other;  // other classes
  EXPECT_EQ(status(flag, "true"), 200);
  EXPECT_EQ(status(flag, "\"true\""), 200);
  EXPECT_EQ(status(flag, "1"), 409);
}

TEST(Service, KeepsItsLimits) {
  hosting::MemoryLog log;
  ServiceLimits limits;
  limits.models = 1;
  limits.dimension = 10;
  limits.outstanding = 2;
  limits.batch = 3;
  Asked asked(log, limits);
  EXPECT_EQ(
      asked.ask("PUT", "/v1/models/m", R"({"set": {"type": "simplex", "dimension": 11}, "learner": {"type": "auto"}})")
          .status,
      413);
  EXPECT_EQ(asked.make().status, 201);
  EXPECT_EQ(asked.ask("PUT", "/v1/models/n", kSpec).status, 413);
  EXPECT_EQ(asked.decide("", R"({"requests": [{}, {}, {}, {}]})").status, 413);
  EXPECT_EQ(asked.decide().status, 200);
  EXPECT_EQ(asked.decide().status, 200);
  EXPECT_EQ(asked.decide().status, 413);
}

TEST(Service, ManyClientsAtOnceLeaveTheStateOfTheirLog) {
  hosting::MemoryLog log;
  std::string hash;
  {
    Asked asked(log);
    asked.make();
    asked.ask("PUT", "/v1/models/other", kSpec);
    std::vector<std::thread> clients;
    for (int c = 0; c < 4; ++c)
      clients.emplace_back([&asked, c] {
        for (int i = 0; i < 50; ++i) {
          const std::string model = c % 2 == 0 ? "m" : "other";
          const Response decision =
              asked.ask("POST", "/v1/models/" + model + "/decisions", R"({"features": [0.5, 1]})");
          const std::string body = Asked::labelled(Asked::ticket(decision));
          EXPECT_EQ(asked.feed(body).status, 200);
          EXPECT_EQ(asked.feed(body).status, 200);
        }
      });
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(asked.state("rounds"), "100");
    EXPECT_EQ(asked.state("outstanding"), "0");
    hash = asked.state("hash");
    Service::Saving saving = asked.service().begin_save();
    std::string bytes;
    asked.service().save(saving, [&](std::string_view piece) { bytes += piece; });
    hosting::Models loaded;
    ByteReader in(bytes);
    loaded.load(in);
    EXPECT_EQ("\"" + loaded.find("m")->model().hash() + "\"", hash);
  }
  Asked again(log);
  EXPECT_EQ(again.state("hash"), hash);
}

TEST(Service, GivesUpRoundsWhoseTimeHasPassed) {
  hosting::MemoryLog log;
  Asked asked(log);
  asked.ask("PUT", "/v1/models/m", R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
    "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}, "expiry": {"seconds": 0.001}})");
  const std::string ticket = Asked::ticket(asked.decide());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  asked.service().expire_overdue();
  EXPECT_EQ(asked.feed(Asked::labelled(ticket)).status, 410);
  EXPECT_EQ(asked.state("expired"), "1");
}

}  // namespace
}  // namespace tarry::service
