// A model is asked while it is saved.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <set>
#include <thread>

#include "tarry/hosting/memory_log.h"
#include "tarry/service/models/service.h"
#include "tarry/service/routes/http_reply.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

using Seconds = std::chrono::duration<double>;

class Saved : public testing::Test {
 protected:
  Saved()
      : clock_(1'000'000, 0),
        service_(log_, hosting::Models(), clock_,
                 ServiceSetting{.epoch = 7, .workers = 2, .broken = [](const auto&) { FAIL(); }}) {
    answer([&](ReplyTo to) { service_.create("m", spec::parse_json(R"({"task": "binary"})"), std::move(to)); });
  }
  ~Saved() override { service_.stop(); }

  template <class Ask>
  static Response answer(Ask ask) {
    std::promise<Response> answered;
    ask(reply_over([&](Response response) { answered.set_value(std::move(response)); }));
    return answered.get_future().get();
  }
  Response decide(std::size_t count) {
    DecideRequest request;
    request.batch = true;
    for (std::size_t i = 0; i < count; ++i) {
      NamedFeatures features;
      for (int j = 0; j < 10; ++j) features.push_back({"f" + std::to_string(j), 0.25 * (j + 1)});
      request.plays.push_back(Play{.features = std::move(features)});
    }
    return answer([&](ReplyTo to) { service_.decide("m", std::move(request), std::move(to)); });
  }
  std::string save() {
    std::string bytes;
    service_.save(service_.begin_save(), [&](std::string_view piece) { bytes += piece; });
    return bytes;
  }

  hosting::MemoryLog log_;
  hosting::Clock clock_;
  Service service_;
};

// The longest answer meanwhile, as a share of the time that `work` takes. Another program may have the processor while
// one answer is on its way: the best of a few turns tells whether the lane was held up.
template <class Work, class Decide>
double longest_share(Work work, Decide decide) {
  double best = 1;
  for (int turn = 0; turn < 6 && best > 0.2; ++turn) {
    std::atomic<bool> done = false;
    Seconds longest{0};
    std::thread client([&] {
      while (!done) {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(decide(1).status, 200);
        longest = std::max(longest, Seconds(std::chrono::steady_clock::now() - start));
      }
    });
    const auto start = std::chrono::steady_clock::now();
    work();
    const Seconds took = std::chrono::steady_clock::now() - start;
    done = true;
    client.join();
    best = std::min(best, longest / took);
  }
  return best;
}

TEST_F(Saved, ASnapshotDoesNotHoldItsModelUp) {
  for (int i = 0; i < 60; ++i) ASSERT_EQ(decide(1000).status, 200);
  const double share =
      longest_share([&] { EXPECT_GT(save().size(), 60'000u * 100); }, [&](std::size_t count) { return decide(count); });
  EXPECT_LT(share, 0.2);
}

TEST_F(Saved, AHashForAClientDoesNotHoldItsModelUp) {
  for (int i = 0; i < 60; ++i) ASSERT_EQ(decide(1000).status, 200);
  const auto describe = [&] {
    const Response told = answer([&](ReplyTo to) { service_.describe("m", std::move(to)); });
    EXPECT_EQ(told.status, 200);
  };
  EXPECT_LT(longest_share(describe, [&](std::size_t count) { return decide(count); }), 0.2);
}

// Many at once: none is refused, and each hash is the one of its position.
TEST_F(Saved, ManyAskForTheHashAtOnce) {
  ASSERT_EQ(decide(1000).status, 200);
  std::vector<std::promise<Response>> told(50);
  for (std::promise<Response>& one : told)
    service_.describe("m", reply_over([&](Response response) { one.set_value(std::move(response)); }));
  std::set<std::string> bodies;
  for (std::promise<Response>& one : told) {
    const Response response = one.get_future().get();
    EXPECT_EQ(response.status, 200);
    const auto at = response.body.find("\"hash\": \"");
    ASSERT_NE(at, std::string::npos);
    bodies.insert(response.body.substr(at, 9 + 64 + 1));
  }
  EXPECT_EQ(bodies.size(), 1u);
}

}  // namespace
}  // namespace tarry::service
