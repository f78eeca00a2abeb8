// A request that is sent again before the first is durable.
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>

#include "tarry/hosting/memory_log.h"
#include "tarry/service/models/service.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

const char* const kPlainSpec = R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
  "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})";

// Syncs only while it is let.
class LetLog : public hosting::MemoryLog {
 public:
  Position sync() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return let_; });
    lock.unlock();
    return MemoryLog::sync();
  }
  void let(bool yes) {
    const std::lock_guard lock(mutex_);
    let_ = yes;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool let_ = true;
};

class InFlight : public testing::Test {
 protected:
  InFlight()
      : clock_(1'000'000, 0),
        service_(log_, hosting::Models(), clock_,
                 ServiceSetting{.epoch = 7, .workers = 2, .broken = [](const auto&) { FAIL(); }}) {
    reply([&](ReplyTo to) { service_.create("m", spec::parse_json(kPlainSpec), std::move(to)); }).get();
  }
  ~InFlight() override {
    log_.let(true);
    service_.stop();
  }

  template <class Ask>
  static std::future<Reply> reply(Ask ask) {
    const auto promise = std::make_shared<std::promise<Reply>>();
    std::future<Reply> answer = promise->get_future();
    ask([promise](Reply told) -> hosting::Send {
      return [promise, told = std::move(told)]() mutable { promise->set_value(std::move(told)); };
    });
    return answer;
  }
  std::future<Reply> decide(const std::string& key, std::uint64_t digest = 5) {
    DecideRequest request;
    request.plays.push_back(Play{.features = Vec{1, 0.5}});
    request.once = hosting::Once{.key = key, .digest = digest};
    return reply([&](ReplyTo to) { service_.decide("m", std::move(request), std::move(to)); });
  }
  // Once the lane has done all that it was asked: predictions wait for no log.
  void let_the_lane_run() {
    reply([&](ReplyTo to) { service_.predict("m", {.features = {Vec{1, 0.5}}}, std::move(to)); }).get();
  }
  static std::string code_of(const Reply& reply) {
    const auto* rejection = std::get_if<Rejection>(&reply);
    return rejection == nullptr ? "" : rejection->code();
  }
  static const hosting::Decided& decided(const Reply& reply) {
    return std::get<hosting::Decided>(std::get<hosting::Decisions>(reply).items.at(0));
  }

  LetLog log_;
  hosting::Clock clock_;
  Service service_;
};

TEST_F(InFlight, TheSameAgainIsToldToWait) {
  log_.let(false);
  std::future<Reply> first = decide("k"), second = decide("k"), other = decide("another");
  let_the_lane_run();
  log_.let(true);
  const Reply made = first.get();
  EXPECT_EQ(code_of(made), "");
  EXPECT_EQ(code_of(second.get()), "in_flight");
  EXPECT_EQ(code_of(other.get()), "");
  // Once it is durable, the same is answered as the first time.
  const Reply again = decide("k").get();
  EXPECT_EQ(decided(again).ticket, decided(made).ticket);
  EXPECT_EQ(std::get<PlayReply>(decided(again).what), std::get<PlayReply>(decided(made).what));
  EXPECT_EQ(code_of(decide("k", 6).get()), "idempotency_key_reused");
}

}  // namespace
}  // namespace tarry::service
