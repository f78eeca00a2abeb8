// Rounds that are given up or declared void, and plays that are sent again.
#include "tarry/model/expiry.h"

#include <gtest/gtest.h>

#include <limits>

#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

Model linear(const std::string& more = "") {
  return make_model(ModelSpec::parse(R"({"set": {"type": "box", "dimension": 2, "lower": -1, "upper": 1},
      "learner": {"type": "adagrad"}, "loss": "squared")" +
                                     more + "}"));
}
Play play(Vec features, std::string key = "") {
  return {.features = Features(std::move(features)), .key = std::move(key)};
}

TEST(Expiry, ReadsAndWritesItsSpecification) {
  const auto read = [](const std::string& json) {
    const spec::Value value = spec::parse_json(json);
    return Expiry::read(spec::Node(value, "expiry"));
  };
  const auto again = [&](const std::string& json) { return spec::to_json(canonical(read(json).to_value())); };
  EXPECT_EQ(again(R"({"rounds": 3})"), R"({"rounds": 3, "then": "drop"})");
  EXPECT_EQ(again(R"({"then": {"label": false}, "seconds": 60})"), R"({"seconds": 60, "then": {"label": false}})");
  EXPECT_EQ(again(R"({"rounds": 3, "then": {"label": "no"}})"), R"({"rounds": 3, "then": {"label": "no"}})");
  const auto refused = [&](const std::string& json) { return thrown_by([&] { read(json); }).message; };
  EXPECT_EQ(refused("{}"), "expiry: give either rounds or seconds");
  EXPECT_EQ(refused(R"({"rounds": 3, "seconds": 3})"), "expiry: give either rounds or seconds");
  EXPECT_EQ(refused(R"({"rounds": 0})"),
            "expiry: rounds must be a whole number from 1 to 9007199254740992 (rounds = 0)");
  EXPECT_EQ(refused(R"({"seconds": -1})"), "expiry: seconds must be positive (seconds = -1)");
  EXPECT_EQ(refused(R"({"rounds": 3, "then": "forget"})"),
            R"(expiry: then must be "drop" or {"label": …} (then = "forget"))");
  EXPECT_EQ(refused(R"({"rounds": 3, "hours": 1})"),
            R"(expiry: unknown key "hours" (known keys: rounds, seconds, then))");
}

TEST(Expiry, GivesARoundUpAtThePlayThatMakesItDue) {
  Model model = linear(R"(, "expiry": {"rounds": 3})");
  for (Round t = 1; t <= 3; ++t) EXPECT_EQ(model.apply(play({1, 0})).expired, 0u);
  EXPECT_EQ(model.ledger().outstanding(), 3u);
  EXPECT_EQ(model.apply(play({1, 0})).expired, 1u);  // the play of round 4 gives up round 1
  EXPECT_EQ(model.ledger().waiting(), (std::vector<Round>{2, 3, 4}));
  EXPECT_EQ(model.apply(Label{1, 1}).answer, Answer::kExpired);
  EXPECT_EQ(model.apply(Label{2, 1}).answer, Answer::kApplied);
  EXPECT_EQ(model.apply(play({1, 0})).expired, 0u);
  EXPECT_EQ(model.apply(play({1, 0})).expired, 1u);
  EXPECT_EQ(model.ledger().waiting(), (std::vector<Round>{4, 5, 6}));
  EXPECT_EQ(model.ledger().expired(), 2u);
}

TEST(Expiry, ARefusedPlayGivesNothingUp) {
  Model model = linear(R"(, "expiry": {"rounds": 1})");
  model.apply(play({1, 0}));
  EXPECT_EQ(thrown_by([&] { model.apply(play({1, 0, 0})); }).code, Code::kBadInput);
  EXPECT_EQ(model.ledger().outstanding(), 1u);
}

TEST(Expiry, ADroppedRoundTeachesNothing) {
  Model model = linear(R"(, "expiry": {"rounds": 1})");
  for (int t = 0; t < 5; ++t) EXPECT_EQ(model.apply(play({1, 0})).prediction, 0);
  EXPECT_EQ(model.certificate(), std::nullopt);
}

TEST(Expiry, ADefaultLabelIsLearntAsIfItHadCome) {
  Model by_default = linear(R"(, "expiry": {"rounds": 2, "then": {"label": 1}})"), by_hand = linear();
  for (int t = 1; t <= 6; ++t) {
    if (t > 2) by_hand.apply(Label{static_cast<Round>(t - 2), 1});
    const double wanted = by_hand.apply(play({1, 0.5})).prediction;
    EXPECT_EQ(by_default.apply(play({1, 0.5})).prediction, wanted) << t;
    EXPECT_EQ(wanted > 0, t > 2);
  }
  EXPECT_EQ(by_default.apply(Label{1, -1}).answer, Answer::kExpired);
  EXPECT_EQ(by_default.ledger().expired(), 4u);
  EXPECT_EQ(by_default.ledger().delays().answered, 0u);
}

TEST(Expiry, WithoutFeaturesThereIsNothingToLearnADefaultLabelFrom) {
  Model model = linear(R"(, "expiry": {"rounds": 2, "then": {"label": 1}})");
  model.apply(Play{});
  EXPECT_EQ(model.apply(Expire{1}).answer, Answer::kApplied);
  EXPECT_EQ(model.apply(play({1, 1})).prediction, 0);
  EXPECT_EQ(model.ledger().expired(), 1u);
}

TEST(Expiry, AnExpireEventLearnsTheDefaultLabelToo) {
  Model model = linear(R"(, "expiry": {"seconds": 9, "then": {"label": 1}})");
  model.apply(play({1, 0}));
  EXPECT_EQ(model.apply(Expire{1}).answer, Answer::kApplied);
  EXPECT_GT(model.apply(play({1, 0})).prediction, 0);
  EXPECT_EQ(model.apply(Expire{1}).answer, Answer::kExpired);
  EXPECT_EQ(model.apply(Expire{9}).answer, Answer::kUnknown);
  model.apply(Label{2, 1});
  EXPECT_EQ(model.apply(Expire{2}).answer, Answer::kDuplicate);
}

TEST(Expiry, ADefaultLabelMustBeALabelOfTheLoss) {
  EXPECT_EQ(thrown_by([] { linear(R"(, "expiry": {"rounds": 2, "then": {"label": "late"}})"); }).message,
            "label must be a number, true or false (late came)");
  EXPECT_ERROR(make_model(ModelSpec::parse(R"({"set": {"type": "simplex", "dimension": 2}, "learner": {"type": "auto"},
                   "expiry": {"rounds": 2, "then": {"label": 1}}})")),
               Code::kBadSpec, "model: expiry.then: a default label needs a loss");
}

TEST(Void, IsNeitherLearntNorLost) {
  Model model = linear(R"(, "expiry": {"rounds": 2, "then": {"label": 1}})");
  model.apply(play({1, 0}, "a"));
  EXPECT_EQ(model.apply(Void{std::string("a")}).answer, Answer::kApplied);
  EXPECT_EQ(model.ledger().voided(), 1u);
  for (int t = 0; t < 2; ++t) EXPECT_EQ(model.apply(play({1, 0})).prediction, 0);
  EXPECT_EQ(model.ledger().expired(), 0u);
  EXPECT_EQ(model.apply(Void{std::string("a")}).answer, Answer::kExpired);
  EXPECT_EQ(model.apply(Label{std::string("a"), 1}).answer, Answer::kExpired);
  EXPECT_EQ(model.apply(Void{std::string("b")}).answer, Answer::kUnknown);
  EXPECT_EQ(model.apply(Void{2}).answer, Answer::kApplied);
  model.apply(Label{3, 1});
  EXPECT_EQ(model.apply(Void{3}).answer, Answer::kDuplicate);
}

TEST(KeyedPlays, TheSameQuestionGetsTheFirstAnswerAndOpensNoRound) {
  Model model = linear();
  model.apply(play({1, 0}, "a"));
  model.apply(Label{std::string("a"), 1});
  const auto second = model.apply(play({1, 0}, "b"));
  ASSERT_GT(second.prediction, 0);
  const auto again = model.apply(play({1, 0}, "a"));
  EXPECT_EQ(again.answer, Answer::kDuplicate);
  EXPECT_EQ(again.round, 1u);
  EXPECT_EQ(again.prediction, 0) << "as it was the first time";
  EXPECT_EQ(model.apply(play({1, 0}, "b")).prediction, second.prediction);
  EXPECT_EQ(model.apply(Play{.features = SparseVector{{0}, {1}}, .key = "b"}).answer, Answer::kDuplicate)
      << "however the features are written";
  EXPECT_EQ(model.ledger().issued(), 2u);
  EXPECT_EQ(model.events(), 3u);
}

TEST(KeyedPlays, AnotherQuestionUnderAKeyIsAConflictAndChangesNothing) {
  Model model = linear();
  model.apply(play({1, 0}, "a"));
  const std::string before = model.hash();
  EXPECT_ERROR(model.apply(play({1, 1}, "a")), Code::kConflict, "key \"a\" was played in round 1 with other features");
  EXPECT_EQ(thrown_by([&] { model.apply(Play{.key = "a"}); }).code, Code::kConflict);
  EXPECT_EQ(thrown_by([&] {
              model.apply(play({1, 0}, std::string(1025, 'x')));
            }).message,
            "key must have 1 to 1024 bytes (1025 came)");
  EXPECT_EQ(model.hash(), before);
}

TEST(KeyedPlays, AreRememberedThroughSaveAndLoad) {
  Model model = linear();
  model.apply(play({1, 0}, "a"));
  model.apply(play({0, 1}, "b"));
  model.apply(Label{std::string("a"), 1});
  Model copy = load_snapshot(snapshot_bytes(model));
  for (const char* key : {"a", "b"}) {
    const Vec features = *key == 'a' ? Vec{1, 0} : Vec{0, 1};
    EXPECT_EQ(copy.apply(play(features, key)).answer, Answer::kDuplicate);
    EXPECT_EQ(thrown_by([&] { copy.apply(play({2, 2}, key)); }).code, Code::kConflict);
  }
  EXPECT_EQ(copy.apply(Label{std::string("a"), 1}).answer, Answer::kDuplicate);
  EXPECT_EQ(copy.apply(Label{std::string("b"), 1}).answer, Answer::kApplied);
}

TEST(Events, NumbersThatAreNoneAreRefusedAndChangeNothing) {
  for (const bool standardise : {false, true}) {
    Model model = linear(standardise ? R"(, "standardise": true)" : "");
    model.apply(play({1, 0}));
    const std::string before = model.hash();
    for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
      EXPECT_EQ(thrown_by([&] { model.apply(play({x, 0})); }).code, Code::kBadInput);
      EXPECT_EQ(thrown_by([&] { model.apply(Gradient{1, Features(Vec{x, 0})}); }).code, Code::kBadInput);
      EXPECT_EQ(thrown_by([&] { model.apply(Label{1, x}); }).code, Code::kBadInput) << x << standardise;
    }
    EXPECT_EQ(model.hash(), before);
  }
}

}  // namespace
}  // namespace tarry
