// Challengers of models that choose: they learn from what is shown, are compared by what they would have earned, and
// replay to the bit.
#include "tarry/hosting/choice_trial.h"

#include <gtest/gtest.h>

#include <functional>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/base/sha256.h"
#include "tarry/hosting/challenger_spec.h"
#include "tarry/hosting/models.h"
#include "tarry/spec/json.h"

namespace tarry::hosting {
namespace {

const char* const kEpsilon = R"({"task": "choose", "explore": {"type": "epsilon", "epsilon": 0.5}, "products": 0,
                                 "bends": 0, "features": {"capacity": 16}, "actions": ["a", "b", "c"]})";

class ChoiceTrials : public testing::Test {
 protected:
  ChoiceTrials() { begin(kEpsilon); }

  void begin(const std::string& spec) {
    entries_.clear();
    models_ = Models();
    add(Opened{.epoch = 11, .at_ms = 100});
    add(Create{.name = "m", .spec = ModelSpec::parse(spec).json(), .at_ms = 100});
  }
  [[gnu::noinline]] std::optional<Folded> add(Entry entry) {
    entries_.push_back(std::move(entry));
    return models_.apply(entries_.size(), entries_.back());
  }
  Folded add(Event event) { return *add(Entry(Apply{.incarnation = 2, .at_ms = 200, .event = std::move(event)})); }
  void challenge(const std::string& name, const std::string& given) {
    const ModelSpec spec = challenger_spec(model().model(), spec::parse_json(given));
    add(Challenge{.incarnation = 2, .at_ms = 200, .challenger = name, .spec = spec.json()});
  }
  // Of three actions the third earns most. Rewards come `late` rounds later; some never do.
  std::string choose_one() {
    const Random random(7);
    const Round round = model().model().ledger().issued() + 1;
    Choosing asked{.context = {{"x", random.gaussian(round)}}};
    if (round % 29 == 0) asked.shown = ShownInstead{.id = "b"};
    const Folded folded = add(Play{.key = "k" + std::to_string(round), .choosing = asked});
    taken_.push_back(asked.shown ? "b" : folded.reply->choice->action);
    return taken_.back();
  }
  static bool earns(Round round, const std::string& action) {
    const double often = action == "a" ? 0.2 : action == "b" ? 0.3 : 0.7;
    return Random(9).uniform(round) < often;
  }
  void play(Round rounds, Round late = 3) {
    for (Round i = 0; i < rounds; ++i) {
      choose_one();
      const Round round = model().model().ledger().issued();
      if (round <= late) continue;
      const Round then = round - late;
      if (then % 23 == 0)
        add(Expire{then});
      else if (then % 31 == 0)
        add(Void{then});
      else
        add(Label{then, earns(then, taken_[then - 1])});
    }
  }
  const HostedModel& model() const { return *models_.find("m"); }
  const Challenger& challenger(const std::string& name) const { return *model().find_challenger(name); }
  static std::string saved(const Models& models) {
    ByteWriter out;
    models.save(out);
    return out.take();
  }
  void expect_replays(Position break_at) const {
    Models again;
    for (Position at = 1; at <= entries_.size(); ++at) {
      again.apply(at, entry_from_bytes(entry_bytes(entries_[at - 1])));
      if (at != break_at) continue;
      const std::string bytes = saved(again);
      ByteReader in(bytes);
      Models loaded;
      loaded.load(in);
      in.expect_end();
      EXPECT_EQ(sha256(saved(loaded)), sha256(bytes));
      again = std::move(loaded);
    }
    EXPECT_EQ(sha256(saved(again)), sha256(saved(models_)));
  }
  static std::string refusal(const std::function<void()>& f) {
    try {
      f();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Models models_;
  std::vector<Entry> entries_;
  std::vector<std::string> taken_;  // by round, from the first
};

TEST_F(ChoiceTrials, TellThatExploringLessEarnsMore) {
  play(30);
  challenge("greedy", R"({"explore": "none"})");
  EXPECT_EQ(challenger("greedy").verdict(), Verdict::kTooEarly);
  play(1500);
  const auto figures = *challenger("greedy").trial().choices->figures();
  EXPECT_EQ(challenger("greedy").verdict(), Verdict::kBetter);
  EXPECT_GT(figures.low, 0);
  EXPECT_NEAR(figures.first, (0.5 / 3) * (0.2 + 0.3) + (0.5 + 0.5 / 3) * 0.7, 0.05);
  EXPECT_NEAR(figures.second, 0.7, 0.05);
  const Trial& trial = challenger("greedy").trial();
  EXPECT_GT(figures.unknown, 80u);  // expired, or void
  EXPECT_GT(trial.left_out, 40u);   // something else was shown
  EXPECT_EQ(figures.rounds + figures.unknown + trial.left_out, trial.front - trial.from);
  expect_replays(entries_.size() / 2);
}

TEST_F(ChoiceTrials, LeaveTheModelAsItWouldBeAlone) {
  play(30);
  play(300);
  const std::string alone = model().model().hash();
  begin(kEpsilon);
  taken_.clear();
  play(30);
  challenge("greedy", R"({"explore": "none"})");
  play(300);
  EXPECT_EQ(model().model().hash(), alone);
}

TEST_F(ChoiceTrials, AreTurnedRoundByPromotion) {
  play(30);
  challenge("greedy", R"({"explore": "none"})");
  play(1200);
  const Folded open = add(Play{.key = "open", .choosing = Choosing{.context = {{"x", 1.0}}}});
  taken_.push_back(open.reply->choice->action);
  add(Promote{.incarnation = 2, .at_ms = 200, .challenger = "greedy"});
  EXPECT_EQ(model().champion(), "greedy");
  const Folded again = add(Play{.key = "open", .choosing = Choosing{.context = {{"x", 1.0}}}});
  EXPECT_EQ(again.fate, Fate::kDuplicate);
  EXPECT_EQ(again.reply->choice->action, open.reply->choice->action);
  EXPECT_EQ(again.reply->choice->probability, open.reply->choice->probability);
  EXPECT_EQ(add(Label{open.round, true}).fate, Fate::kApplied);
  add(Label{open.round - 3, true});                              // play goes on after it
  EXPECT_EQ(model().model().comparison().figures().rounds, 0u);  // it has earned nothing of what others showed
  play(600);
  // A model that always takes the best says nothing about the others: which is better stays open.
  EXPECT_EQ(challenger("original").verdict(), Verdict::kUnclear);
  EXPECT_GT(model().model().comparison().figures().rounds, 500u);
  expect_replays(entries_.size() - 100);
}

// All actions earn the same. Who voids what the model likes best, every other time, must not make another one better.
TEST_F(ChoiceTrials, AreNotSwayedByChoicesThatAreVoid) {
  challenge("any", R"({"explore": {"type": "epsilon", "epsilon": 1}})");
  std::uint64_t voids = 0;
  for (int i = 0; i < 2000; ++i) {
    const Folded played = add(Play{.choosing = Choosing{.context = {{"x", 1.0}}}});
    const bool best = played.reply->choice->probability > 0.5;
    const bool counts = challenger("any").trial().from > 0;
    if (best && Random(3).uniform(played.round) < 0.5) {
      add(Void{played.round});
      voids += counts ? 1 : 0;
    } else {
      add(Label{played.round, Random(9).uniform(played.round) < 0.5});
    }
  }
  const auto figures = *challenger("any").trial().choices->figures();
  EXPECT_EQ(challenger("any").verdict(), Verdict::kUnclear) << figures.low << " to " << figures.high;
  EXPECT_GT(voids, 500u);
  EXPECT_EQ(figures.unknown, voids);
}

TEST_F(ChoiceTrials, AreSavedWhereAnotherChallengerHasFailed) {
  challenge("greedy", R"({"explore": "none"})");
  challenge("floored", R"({"explore": {"type": "epsilon", "floor": 0.4}})");  // too much for three actions
  play(30);
  EXPECT_EQ(challenger("floored").verdict(), Verdict::kFailed);
  add(Promote{.incarnation = 2, .at_ms = 200, .challenger = "greedy"});
  expect_replays(entries_.size());
}

// Where it is only told later, and is another action, nobody knows what the one that was drawn would have earned.
TEST_F(ChoiceTrials, TakeNoRewardOfWhatWasShownInstead) {
  begin(R"({"task": "choose", "features": {"capacity": 16}, "actions": ["a", "b", "c"]})");
  challenge("greedy", R"({"explore": "none"})");
  play(200, 0);
  const auto before = *challenger("greedy").trial().choices->figures();
  Round others = 0;
  for (int i = 0; i < 30; ++i) {
    const std::string taken = choose_one();
    const Round round = model().model().ledger().issued();
    if (round % 29 == 0) continue;
    Label told{round, true};
    told.shown = ShownLater{.action = {.id = i % 2 == 0 ? taken : taken == "a" ? "b" : "a"}};
    others += i % 2;
    EXPECT_EQ(add(told).fate, Fate::kApplied);
  }
  const auto after = *challenger("greedy").trial().choices->figures();
  EXPECT_EQ(after.unknown - before.unknown, others);
}

TEST_F(ChoiceTrials, AreForModelsOfTheSameActionsAndRewardsOfYesAndNo) {
  const auto told = [&](const std::string& champion, const std::string& given) {
    begin(champion);
    return refusal([&] { challenge("x", given); });
  };
  EXPECT_EQ(told(kEpsilon, R"({"explore": "gaps"})"), "");
  EXPECT_EQ(told(R"({"task": "choose"})", R"({"products": false})"), "");
  EXPECT_EQ(told(R"({"task": "choose", "reward": "number"})", R"({"products": false})"),
            "challenger: of a model that chooses, rewards must be true or false: for numbers of any size there is no "
            "interval");
  EXPECT_EQ(told(kEpsilon, R"({"task": "binary", "features": {"capacity": 16}})"),
            "challenger: the model chooses, and the challenger must, too");
  EXPECT_EQ(told(R"({"task": "binary"})", R"({"task": "choose"})"),
            "challenger: the model does not choose, and the challenger must not");
  EXPECT_EQ(told(kEpsilon, R"({"actions": ["a", "b"]})").rfind("challenger: actions must be the model's", 0), 0u);
}

TEST_F(ChoiceTrials, KeepTheTaskOfASpecification) {
  const auto made = [&](const std::string& champion, const std::string& given) {
    begin(champion);
    return challenger_spec(model().model(), spec::parse_json(given)).json();
  };
  const auto whole = [](const std::string& json) { return ModelSpec::parse(json).json(); };
  EXPECT_EQ(made(R"({"task": "choose", "seed": 5})", R"({"products": false})"),
            whole(R"({"task": "choose", "seed": 5, "products": 0, "bends": 0})"));
  EXPECT_EQ(made(R"({"task": "choose", "seed": 5})", R"({"explore": "none"})"),
            whole(R"({"task": "choose", "seed": 5, "explore": "none"})"));
}

}  // namespace
}  // namespace tarry::hosting
