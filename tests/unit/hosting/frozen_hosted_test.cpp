#include "tarry/hosting/frozen_hosted.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <thread>

#include "sanitized.h"
#include "tarry/hosting/hosted_model.h"

namespace tarry::hosting {
namespace {

const char* const kExpiring = R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
  "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}, "expiry": {"rounds": 700}})";

std::string bytes_of(const FrozenHosted& frozen) {
  ByteWriter out;
  frozen.save(out, frozen.model.hash());
  return out.take();
}

// Plays with keys, in batches that go on later; labels out of order, rounds that are declared void, others given up.
class Game {
 public:
  Game() : model_("m", kExpiring) { model_.created(1); }

  void go_on(int events) {
    for (int i = 0; i < events; ++i) {
      const std::uint64_t n = ++count_;
      Once once{.key = "request " + std::to_string(n % 5 == 0 ? n - 40 : n), .digest = 3, .index = n};
      apply(Play{.features = Vec{1, 0.01 * static_cast<double>(n % 7)}, .key = n % 2 ? "key " + std::to_string(n) : ""},
            once);
      const Round asked = (n * 48271) % n + 1;
      if (n % 9 == 0)
        apply(Void{.round = asked});
      else if (n % 3 == 0)
        apply(Label{.round = asked, .label = 0.5});
    }
  }
  const HostedModel& model() const { return model_; }

 private:
  void apply(Event event, std::optional<Once> once = std::nullopt) {
    model_.apply(
        {.incarnation = 1, .at_ms = static_cast<std::int64_t>(count_), .once = once, .event = std::move(event)},
        11 + count_ / 1000);
    model_.at(++position_);
  }

  HostedModel model_;
  std::uint64_t count_ = 0;
  Position position_ = 1;
};

TEST(FrozenHosted, StaysAsItWasWhileTheModelGoesOn) {
  Game game;
  std::vector<std::pair<FrozenHosted, std::string>> kept;
  for (int i = 0; i < 12; ++i) {
    game.go_on(300);
    FrozenHosted frozen = game.model().freeze();
    EXPECT_EQ(frozen.position, game.model().position());
    EXPECT_EQ(frozen.model.hash(), game.model().model().hash());
    std::string bytes = bytes_of(frozen);
    kept.emplace_back(std::move(frozen), std::move(bytes));
  }
  game.go_on(2000);
  for (const auto& [frozen, bytes] : kept) {
    EXPECT_EQ(bytes_of(frozen), bytes);
    ByteReader in(bytes);
    const HostedModel loaded = HostedModel::load(in);
    in.expect_end();
    EXPECT_EQ(bytes_of(loaded.freeze()), bytes);
  }
}

TEST(FrozenHosted, IsSavedByAnotherThreadWhileTheModelGoesOn) {
  Game game;
  game.go_on(3000);
  for (int i = 0; i < 5; ++i) {
    const std::string before = bytes_of(game.model().freeze());
    std::string saved;
    std::thread saver([&, frozen = game.model().freeze()] { saved = bytes_of(frozen); });
    game.go_on(500);
    saver.join();
    EXPECT_EQ(saved, before);
  }
}

TEST(FrozenHosted, TakesNoMemoryForTheRoundsThatWait) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take memory of their own";
  HostedModel model("m", R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
    "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})");
  for (int i = 0; i < 20'000; ++i)
    model.apply({.incarnation = 1, .event = Play{.features = Vec{1, 2}, .key = "key " + std::to_string(i)}}, 1);
  const auto before = mallinfo2().uordblks;
  const FrozenHosted frozen = model.freeze();
  EXPECT_LT(mallinfo2().uordblks - before, 100'000u);
  for (Round round = 1; round <= 10'000; ++round)
    model.apply({.incarnation = 1, .event = Label{.round = round, .label = 1.0}}, 1);
  EXPECT_EQ(frozen.model.ledger.outstanding(), 20'000u);
}

}  // namespace
}  // namespace tarry::hosting
