#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tarry/base/random.h"
#include "tarry/hosting/memory_log.h"
#include "tarry/service/models/round_search.h"
#include "tarry/service/models/service.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kBegins = 1'794'000'000'000, kEvery = 600'000, kADay = 86'400'000;
constexpr Round kLate = 15;
constexpr int kAtOnce = 5;

// A service whose clock is turned by hand: five decisions every ten minutes, whose labels come half an hour later.
class Weeks {
 public:
  Weeks()
      : clock_(kBegins, 0, {}, [this] { return turned_.load(); }),
        service_(log_, hosting::Models(), clock_,
                 ServiceSetting{.epoch = 7, .workers = 2, .broken = [](const std::string&) { FAIL(); }}) {
    ask([&](ReplyTo to) { service_.create("m", spec::parse_json(R"({"task": "binary"})"), std::move(to)); });
  }

  template <class F>
  hosting::Reply ask(F question) {
    std::promise<hosting::Reply> answer;
    question([&](hosting::Reply reply) -> hosting::Send {
      auto kept = std::make_shared<hosting::Reply>(std::move(reply));
      return [&answer, kept] { answer.set_value(std::move(*kept)); };
    });
    return answer.get_future().get();
  }

  void play(std::int64_t until, bool missing) {
    for (; turned_ < until; turned_ += kEvery) {
      DecideRequest decide;
      FeedbackRequest feedback;
      decide.batch = feedback.batch = true;
      for (int k = 0; k < kAtOnce; ++k) {
        NamedFeatures features{{"speed", draw_.uniform()}};
        if (!missing) features.push_back({"amount", draw_.uniform()});
        decide.plays.push_back(Play{Features(features), "k" + std::to_string(++played_)});
        if (played_ <= kLate) continue;
        feedback.items.push_back(
            {.model = "m", .event = Label{"k" + std::to_string(played_ - kLate), LabelValue(draw_.uniform() < 0.4)}});
      }
      ask([&](ReplyTo to) { service_.decide("m", std::move(decide), std::move(to)); });
      if (!feedback.items.empty()) ask([&](ReplyTo to) { service_.feedback(std::move(feedback), std::move(to)); });
    }
  }

  spec::Value rounds(RoundsRequest request) {
    const hosting::Reply reply = ask([&](ReplyTo to) { service_.rounds("m", std::move(request), std::move(to)); });
    const auto* page = std::get_if<hosting::ModelPage>(&reply);
    EXPECT_NE(page, nullptr);
    return page == nullptr ? spec::Value{} : spec::parse_json(page->json);
  }
  Round played() const { return played_; }
  const hosting::Log& log() const { return log_; }

 private:
  hosting::MemoryLog log_;
  std::atomic<std::int64_t> turned_ = 0;
  hosting::Clock clock_;
  Service service_;
  RandomSequence draw_{5};
  Round played_ = 0;
};

double number(const spec::Value& of, const std::string& key) {
  const spec::Value* found = of.find(key);
  if (found == nullptr) return -1;
  const auto* whole = std::get_if<std::int64_t>(&found->as);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(found->as);
}

TEST(Rounds, BehindAnAlarmCanBeLookedAt) {
  Weeks weeks;
  weeks.play(14 * kADay, false);
  const Round before = weeks.played();
  weeks.play(15 * kADay + kADay / 2, true);
  const spec::Value told = weeks.rounds({.alarm = 1});
  ASSERT_EQ(told.text_at("column"), "amount");
  const auto& rounds = std::get<spec::Array>(told.find("rounds")->as);
  ASSERT_GT(rounds.size(), 4u);
  for (const spec::Value& one : rounds) {
    EXPECT_GT(number(one, "round"), static_cast<double>(before));
    EXPECT_EQ(one.text_at("key"), "k" + std::to_string(static_cast<Round>(number(one, "round"))));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(one.find("value")->as));  // it is missing
    EXPECT_GE(number(one, "prediction"), 0);
  }
  const spec::Value old = weeks.rounds({.round = RoundName(Round{100})});
  EXPECT_EQ(old.text_at("key"), "k100");
  EXPECT_EQ(number(old, "played"), (kBegins + 19 * kEvery) / 1000.0);
  const auto& feedback = std::get<spec::Array>(old.find("feedback")->as);
  ASSERT_EQ(feedback.size(), 1u);
  EXPECT_EQ(number(feedback[0], "after"), 3 * kEvery / 1000.0);
}

// A log that was pruned, and a mark that is missing.
TEST(RoundSearch, SaysWhatTheLogDoesNotHave) {
  Weeks weeks;
  weeks.play(8 * kEvery, false);
  RoundSearch search{.incarnation = 1, .wanted = {{.round = 3, .feedback = true}}};
  const FoundRounds whole = search_log(reads(weeks.log()), search);
  ASSERT_TRUE(whole.rounds[0].play.has_value());
  EXPECT_EQ(std::get<Play>(whole.rounds[0].play->event).key, "k3");
  EXPECT_EQ(whole.rounds[0].feedback.size(), 1u);
  struct Pruned : hosting::MemoryLog {
    void read(hosting::Position, const std::function<bool(hosting::Position, std::string_view)>&) const override {
      throw Error(Code::kBadInput, "journal: position 1 was pruned; it begins at 9");
    }
  };
  const Pruned pruned;
  const FoundRounds none = search_log(reads(pruned), search);
  EXPECT_TRUE(none.pruned);
  EXPECT_FALSE(none.rounds[0].play.has_value());
}

}  // namespace
}  // namespace tarry::service
