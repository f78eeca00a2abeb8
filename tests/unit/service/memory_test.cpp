// Requests for which memory runs out, at each of their allocations in turn.
#include "tarry/service/memory/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <future>

#include "tarry/base/tally.h"
#include "tarry/hosting/memory_log.h"
#include "tarry/service/http/response_text.h"
#include "tarry/service/models/service.h"
#include "tarry/service/routes/http_reply.h"
#include "tarry/service/routes/routes.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

const std::string kFeatures = R"({"a name": 1, "another": 2.5, "third": "a text that is not short at all"})";

class ServiceMemory : public ::testing::Test {
 protected:
  explicit ServiceMemory(ServiceLimits limits = {})
      : service_(log_, hosting::Models(), clock_,
                 {.epoch = 7, .limits = limits, .workers = 2, .broken = [](const std::string&) { FAIL(); }}) {}
  ~ServiceMemory() override { fail_allocation(0); }

  Response ask(const std::string& method, const std::string& path, const std::string& body = {}) {
    Request request;
    request.method = method;
    request.path = path;
    request.host = "localhost";
    request.content_type = "application/json";
    request.subscription_key = "m";  // without tokens, the model that Personalizer's addresses are about
    request.body = body;
    std::promise<Response> answer;
    routes_.handle(std::move(request), [&](Response response) { answer.set_value(std::move(response)); });
    return answer.get_future().get();
  }

  // At its first allocation that may fail, then at its second, until none is left to fail; then the answer.
  Response ask_failing(const std::string& method, const std::string& path, const std::string& body) {
    for (int n = 1;; ++n) {
      fail_allocation(n);
      Response response = ask(method, path, body);
      if (!allocation_failed()) {
        EXPECT_GT(n, 1);
        return response;
      }
      EXPECT_EQ(response.status, 507) << response.text();
      EXPECT_NE(response.text().find("\"code\": \"out_of_memory\""), std::string_view::npos) << response.text();
      if (::testing::Test::HasFailure()) return response;
    }
  }

  std::string model(const char* key) {
    const spec::Value told = spec::parse_json(ask("GET", "/v1/models/m").body);
    return spec::to_json(*told.find(key));
  }

  hosting::MemoryLog log_;
  hosting::Clock clock_{1'000'000, 0};
  Service service_;
  Access access_{true, Tokens()};
  Routes routes_{service_, access_, RoutesSetting{.not_ready = [] { return std::optional<std::string>(); }}};
};

TEST_F(ServiceMemory, RunsOutAnywhereInARequestAndNothingIsDoneOrBroken) {
  EXPECT_EQ(ask_failing("PUT", "/v1/models/m", R"({"task": "binary"})").status, 201);
  EXPECT_EQ(ask_failing("POST", "/v1/models/m/predict", "{\"features\": " + kFeatures + "}").status, 200);
  const Response decided = ask_failing("POST", "/v1/models/m/decisions", "{\"features\": " + kFeatures + "}");
  EXPECT_EQ(decided.status, 200);
  EXPECT_EQ(model("rounds"), "1");  // those that failed opened none
  const spec::Value told = spec::parse_json(decided.body);
  const std::string ticket = spec::to_json(*told.find("ticket"));
  EXPECT_EQ(ask_failing("POST", "/v1/feedback", "{\"ticket\": " + ticket + ", \"label\": true}").status, 200);
  EXPECT_EQ(model("settled"), "1");
}

TEST_F(ServiceMemory, RunsOutInAnEventOfPersonalizersAndNothingIsDone) {
  EXPECT_EQ(ask("PUT", "/v1/models/m", R"({"task": "choose"})").status, 201);
  const Response ranked =
      ask_failing("POST", "/personalizer/v1.0/rank",
                  R"({"eventId": "e", "deferActivation": true, "contextFeatures": [)" + kFeatures +
                      R"(], "actions": [{"id": "a", "features": [)" + kFeatures + R"(]}, {"id": "b"}]})");
  EXPECT_EQ(ranked.status, 201);
  EXPECT_EQ(model("rounds"), "1");
  for (int n = 1;; ++n) {
    fail_allocation(n);
    const Response response = ask("POST", "/personalizer/v1.0/events/e/reward", R"({"value": 1})");
    const bool failed = allocation_failed();
    EXPECT_EQ(response.status, failed ? 507 : 204) << response.text();
    if (!failed || ::testing::Test::HasFailure()) break;
  }
  EXPECT_EQ(ask("POST", "/personalizer/v1.0/events/e/activate").status, 204);
  EXPECT_EQ(model("settled"), "1");
}

TEST_F(ServiceMemory, ThatRunsOutIsToldWithoutAny) {
  fail_allocation(1);
  Response response;
  {
    const MayFail own;
    response = response_of(hosting::or_rejection(true, []() -> Reply { throw std::bad_alloc(); }));
  }
  EXPECT_FALSE(allocation_failed());  // nothing was asked for
  EXPECT_EQ(response.status, 507);
  EXPECT_TRUE(kOutOfMemoryAnswer.ends_with(response.text()));
}

TEST_F(ServiceMemory, IsCountedByModel) {
  EXPECT_EQ(ask("PUT", "/v1/models/m", R"({"task": "binary"})").status, 201);
  EXPECT_EQ(ask("PUT", "/v1/models/idle", R"({"task": "binary"})").status, 201);
  const auto bytes = [&](const char* name) { return service_.models().find(name)->numbers.bytes.load(); };
  const auto empty = bytes("m");
  EXPECT_GT(empty, 0);
  std::vector<std::string> tickets;
  for (int i = 0; i < 500; ++i) {
    std::string body = "{\"features\": {";
    for (int j = 0; j < 200; ++j)
      body += (j > 0 ? ", \"f" : "\"f") + std::to_string(j) + "\": " + std::to_string(i + j / 7.0);
    const Response response = ask("POST", "/v1/models/m/decisions", body + "}}");
    ASSERT_EQ(response.status, 200);
    tickets.push_back(spec::to_json(*spec::parse_json(response.body).find("ticket")));
  }
  const auto waiting = bytes("m");
  EXPECT_GT(waiting, empty + 500 * 200 * 8);
  EXPECT_LT(waiting, empty + 500 * 200 * 8 * 5);
  for (const std::string& ticket : tickets)
    ASSERT_EQ(ask("POST", "/v1/feedback", "{\"ticket\": " + ticket + ", \"label\": true}").status, 200);
  EXPECT_LT(bytes("m"), empty + (waiting - empty) / 2);
  EXPECT_LT(bytes("idle"), 2 * empty);  // nearly the same: malloc rounds up
}

class LittleMemory : public ServiceMemory {
 protected:
  LittleMemory() : ServiceMemory({.memory = static_cast<std::uint64_t>(allocated_bytes()) + (32u << 20)}) {}
};

TEST_F(LittleMemory, BeyondTheLimitNothingIsOpenedAndLabelsAreTaken) {
  EXPECT_EQ(ask("PUT", "/v1/models/m", R"({"task": "binary"})").status, 201);
  const Response decided = ask("POST", "/v1/models/m/decisions", "{\"features\": " + kFeatures + "}");
  EXPECT_EQ(decided.status, 200);
  {
    const std::vector<char> ballast(48u << 20);  // as if a model held it
    for (const auto& [method, path, body] :
         {std::array<std::string, 3>{"POST", "/v1/models/m/decisions", "{\"features\": " + kFeatures + "}"},
          std::array<std::string, 3>{"PUT", "/v1/models/other", R"({"task": "binary"})"}}) {
      const Response refused = ask(method, path, body);
      EXPECT_EQ(refused.status, 507);
      EXPECT_NE(refused.body.find("\"code\": \"memory\""), std::string::npos) << refused.body;
      EXPECT_NE(refused.body.find("--max-memory"), std::string::npos);
    }
    EXPECT_EQ(ask("POST", "/v1/models/m/predict", "{\"features\": " + kFeatures + "}").status, 200);
    const std::string ticket = spec::to_json(*spec::parse_json(decided.body).find("ticket"));
    EXPECT_EQ(ask("POST", "/v1/feedback", "{\"ticket\": " + ticket + ", \"label\": true}").status, 200);
  }
  EXPECT_EQ(ask("POST", "/v1/models/m/decisions", "{\"features\": " + kFeatures + "}").status, 200);
}

}  // namespace
}  // namespace tarry::service
