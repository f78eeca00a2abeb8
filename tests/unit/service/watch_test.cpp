#include "tarry/service/watch/watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "tarry/model/model_spec.h"
#include "tarry/service/dashboard/live.h"
#include "tarry/service/models/model_row.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kWatchedNow = 1'794'000'000'000;
constexpr const char* kSquared =
    R"({"set": {"type": "box", "dimension": 1, "lower": -9, "upper": 9}, "learner": {"type": "auto"}, "loss": {"type": "squared"}})";

// A model on a lane of its own, without a service around it.
class Watched : public ::testing::Test {
 protected:
  ServedPointer serve(const std::string& name, const std::string& spec = kSquared) {
    auto hosted = std::make_shared<hosting::HostedModel>(name, ModelSpec::parse(spec).json());
    hosted->created(++made_);
    auto served = std::make_shared<Served>(hosted, std::make_shared<Lane>(workers_, Lane::Limits{}));
    models_.add(served);
    return served;
  }

  hosting::Folded apply(Served& served, Event event, std::int64_t at_ms) {
    const hosting::Apply entry{.incarnation = served.model->incarnation(), .at_ms = at_ms, .event = std::move(event)};
    const hosting::Folded folded = served.model->apply(entry, 1);
    watch_.folded(served.watched, {*served.model, entry.event, folded, 0.002, at_ms});
    served.publish();
    return folded;
  }

  Round play(Served& served, std::int64_t at_ms) { return apply(served, Play{Features(Vec{1.0}), {}}, at_ms).round; }

  const Step& last(Served& served) { return served.watched.timeline.steps(1).back(); }

  Workers workers_{1};
  ServedModels models_;
  Watch watch_;
  Position made_ = 0;
};

TEST_F(Watched, AnAnswerBelongsToTheStepOfItsDecision) {
  const auto served = serve("m");
  const Round round = play(*served, kWatchedNow);
  play(*served, kWatchedNow);
  apply(*served, Label{round, 3.0}, kWatchedNow + 600'000);
  const auto& steps = served->watched.timeline.steps(1);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps.front().decisions, 2u);
  EXPECT_EQ(steps.front().answered, 1u);
  EXPECT_DOUBLE_EQ(steps.front().loss, 9);
  EXPECT_DOUBLE_EQ(steps.front().constant, 9);
  EXPECT_EQ(steps.front().feedback, 0u);
  EXPECT_EQ(steps.back().feedback, 1u);
  EXPECT_EQ(steps.back().answered, 0u);
  EXPECT_DOUBLE_EQ(steps.back().update_ms, 2);
  EXPECT_EQ(served->watched.delays.counts[19], 1u);  // 600 s are between 2^19 and 2^20 ms
}

TEST_F(Watched, SaysHowGoodAModelIsAsFarAsItIsKnown) {
  const auto served = serve("m", R"({"task": "binary"})");
  std::int64_t now = kWatchedNow;
  const auto sentence = [&] { return served->watched.quality.sentence(now); };
  EXPECT_EQ(sentence(), "No label has come yet.");
  std::deque<std::pair<Round, bool>> waiting;
  for (int i = 0; i < 6000; ++i, now += 10'000) {
    const bool yes = (i * 7 + i / 11) % 5 < 2;
    const NamedFeatures row{{"x", std::string(yes ? "a" : "b")}};
    waiting.emplace_back(apply(*served, Play{.features = Features(row)}, now).round, yes);
    if (waiting.size() <= 360) continue;
    apply(*served, Label{waiting.front().first, waiting.front().second}, now);
    waiting.pop_front();
    if (i % 60 == 0) Watch::gauge(served->watched, now, waiting.size(), 0, 0);
    if (i == 500) {
      EXPECT_EQ(served->watched.quality.health(now), Health::kTooEarly);
    }
  }
  EXPECT_EQ(served->watched.quality.health(now), Health::kBetter);
  EXPECT_NE(sentence().find("the model is expected to lose"), std::string::npos) << sentence();
  EXPECT_FALSE(served->watched.quality.is_miscalibrated());
  EXPECT_NEAR(served->watched.quality.reliability().all().outcome / served->watched.quality.reliability().all().labels,
              0.4, 0.02);
  std::string json;
  served->watched.quality.append(json, now, {});
  const spec::Value told = spec::parse_json(json);
  EXPECT_NE(told.find("lately"), nullptr);
  EXPECT_NE(told.find("checks"), nullptr);
  EXPECT_EQ(served->watched.quality.troubles().since_ms(Trouble::kOverdue), 0);
  // Labels stop: that comes first, and is in the list of models.
  for (int i = 0; i < 720; ++i, now += 10'000) {
    apply(*served, Play{.features = Features(NamedFeatures{{"x", std::string("a")}})}, now);
    if (i % 60 == 0) Watch::gauge(served->watched, now, waiting.size() + static_cast<std::uint64_t>(i), 0, 0);
  }
  EXPECT_TRUE(sentence().starts_with("Labels are overdue, for ")) << sentence();
  EXPECT_NE(sentence().find(" now: about "), std::string::npos) << sentence();
  EXPECT_NE(sentence().find(" did. Look at the source of the labels"), std::string::npos) << sentence();
  EXPECT_TRUE(sentence().ends_with("to 100 %).")) << sentence();  // nothing is lost less than all
  EXPECT_EQ(served->watched.quality.sentence(now, {.tells_arrivals = true}).find("overdue"), std::string::npos);
  EXPECT_TRUE(served->watched.quality.troubles().holds(Trouble::kOverdue));
  std::string row;
  append_row(row, *served, now);
  EXPECT_NE(row.find("\"trouble\":[\"overdue\""), std::string::npos) << row;
}

TEST_F(Watched, RewardsOfChoicesAreCounted) {
  const auto served = serve("m", R"({"task": "choose"})");
  for (int i = 0; i < 300; ++i) {
    Play play;
    play.choosing = Choosing{.context = {{"x", 1.0}}, .actions = {{"a"}, {"b"}}};
    const std::int64_t now = kWatchedNow + 1000 * i;
    apply(*served, Label{apply(*served, play, now).round, i % 3 == 0}, now + 500);
  }
  EXPECT_EQ(served->watched.quality.maturing().lately(kWatchedNow + 301'000).labels, 300);
}

TEST_F(Watched, TheLastWeeksAreKeptByQuartersOfADay) {
  const auto served = serve("m");
  const std::int64_t quarter = PastWeeks::kQuarterMs;
  const Round round = play(*served, kWatchedNow);
  for (int k = 1; k < 200; ++k) play(*served, kWatchedNow + k * quarter);
  apply(*served, Label{round + 190, 3.0}, kWatchedNow + 200 * quarter);
  apply(*served, Label{round, 3.0}, kWatchedNow + 200 * quarter);  // too long ago to be counted
  const auto& kept = served->watched.weeks.quarters();
  ASSERT_EQ(kept.size(), static_cast<std::size_t>(PastWeeks::kKept));
  std::uint64_t answered = 0;
  for (const Quarter& one : kept) answered += one.answered;
  EXPECT_EQ(answered, 1u);
  EXPECT_EQ(kept[kept.size() - 10].answered, 1u);
  EXPECT_DOUBLE_EQ(kept[kept.size() - 10].loss, 9);
}

TEST_F(Watched, AWindowsEndIsAnOutcomeToo) {
  const auto served = serve("m", R"({"task": "binary", "expiry": {"seconds": 60, "then": {"label": false}}})");
  for (int i = 0; i < 200; ++i) {
    const Round round = apply(*served, Play{.features = Features(NamedFeatures{{"x", 1.0}})}, kWatchedNow + i).round;
    if (i % 2 == 0)
      apply(*served, Label{round, true}, kWatchedNow + 1000 + i);
    else
      apply(*served, Expire{round}, kWatchedNow + 60'000 + i);
  }
  const auto all = served->watched.quality.reliability().all();
  EXPECT_EQ(all.labels, 200);
  EXPECT_EQ(all.outcome, 100);
  EXPECT_EQ(served->watched.labels, 200u);
  EXPECT_GT(served->watched.loss, 0.2);
}

TEST_F(Watched, RepeatsAndWhatCameTooLateAreNoAnswers) {
  const auto served = serve("m");
  const Round first = play(*served, kWatchedNow), second = play(*served, kWatchedNow);
  apply(*served, Label{first, 3.0}, kWatchedNow);
  EXPECT_EQ(apply(*served, Label{first, 3.0}, kWatchedNow).fate, hosting::Fate::kDuplicate);
  EXPECT_EQ(apply(*served, Label{first, 4.0}, kWatchedNow).fate, hosting::Fate::kConflict);
  apply(*served, Expire{second}, kWatchedNow);
  EXPECT_EQ(apply(*served, Label{second, 4.0}, kWatchedNow).fate, hosting::Fate::kExpired);
  EXPECT_EQ(last(*served).feedback, 1u);
  EXPECT_EQ(last(*served).duplicates, 1u);
  EXPECT_EQ(last(*served).expired, 2u);
  EXPECT_EQ(last(*served).answered, 1u);
  EXPECT_EQ(last(*served).given_up, 1u);
  EXPECT_EQ(served->watched.duplicates, 1u);
}

TEST_F(Watched, AllModelsTogetherAreInUnitsOfTheConstant) {
  const auto small = serve("small"), large = serve("large");
  for (int k = 0; k < 2; ++k) {
    apply(*small, Label{play(*small, kWatchedNow), 1.0}, kWatchedNow);
    apply(*large, Label{play(*large, kWatchedNow), 1000.0}, kWatchedNow);
  }
  watch_.look([&](const Timeline& timeline, const DelayTimes&) {
    const Step& step = timeline.steps(0).back();
    EXPECT_EQ(step.decisions, 4u);
    EXPECT_EQ(step.losses, 4u);
    EXPECT_LT(step.loss, 10);  // the labels of a thousand do not drown the others
  });
}

TEST_F(Watched, RefusedRequestsAreKeptUpToAHundred) {
  const auto served = serve("m");
  for (int k = 0; k < 150; ++k)
    watch_.refused(k == 0 ? &served->watched : nullptr,
                   {.at_ms = kWatchedNow, .status = 403, .code = "forged", .message = "", .model = ""});
  watch_.refused(nullptr, {.at_ms = kWatchedNow, .status = 410, .code = "expired", .message = "", .model = ""});
  EXPECT_EQ(served->watched.refused, 1u);
  const auto all = watch_.refused_after(0);
  ASSERT_EQ(all.size(), 100u);
  EXPECT_EQ(all.back().number, 151u);
  EXPECT_EQ(watch_.refused_after(150).size(), 1u);
  watch_.look([](const Timeline& timeline, const DelayTimes&) { EXPECT_EQ(timeline.steps(0).back().refused, 150u); });
}

TEST_F(Watched, TheFirstLineTellsAllAndTheOthersWhatIsNew) {
  const auto busy = serve("busy"), idle = serve("idle");
  play(*busy, kWatchedNow);
  LiveStream stream({.watch = watch_, .models = models_, .started_ms = kWatchedNow, .range = 0});
  const auto line = [&](std::int64_t now_ms) {
    const auto text = stream.next(now_ms);
    EXPECT_TRUE(text && text->back() == '\n');
    return spec::parse_json(*text);
  };
  const auto count = [](const spec::Value& value, const char* key) {
    const auto* array = std::get_if<spec::Array>(&value.find(key)->as);
    return array == nullptr ? 0u : array->size();
  };
  const auto first = line(kWatchedNow + 10);
  EXPECT_NE(first.find("full"), nullptr);
  EXPECT_EQ(count(first, "models"), 2u);
  EXPECT_EQ(count(first, "points"), 1u);
  const auto second = line(kWatchedNow + 20);
  EXPECT_EQ(second.find("full"), nullptr);
  EXPECT_EQ(count(second, "models"), 1u);  // its rate falls
  EXPECT_EQ(count(second, "points"), 0u);
  line(kWatchedNow + 60'000);
  EXPECT_EQ(count(line(kWatchedNow + 61'000), "models"), 0u);
  models_.remove(idle);
  EXPECT_EQ(count(line(kWatchedNow + 62'000), "gone"), 1u);
}

TEST_F(Watched, AStreamOfOneModelEndsWithIt) {
  const auto served = serve("m");
  LiveStream stream({.watch = watch_, .models = models_, .started_ms = kWatchedNow, .range = 1, .model = served});
  EXPECT_TRUE(stream.next(kWatchedNow));
  models_.remove(served);
  EXPECT_FALSE(stream.next(kWatchedNow + 1000));
}

TEST(ConstantAnswer, IsTheMeanOfTheLabelsBefore) {
  const Model model = make_model(ModelSpec::parse(kSquared));
  ConstantAnswer constant;
  EXPECT_DOUBLE_EQ(*constant.judge(model, 2.0), 4);
  EXPECT_DOUBLE_EQ(*constant.judge(model, 4.0), 4);
  EXPECT_DOUBLE_EQ(*constant.judge(model, 3.0), 0);
}

TEST(ConstantAnswer, LearnsHowOftenTrueIs) {
  const Model model = make_model(ModelSpec::parse(R"({"task": "binary", "features": {"capacity": 8}})"));
  ConstantAnswer constant;
  double sum = 0;
  for (int k = 0; k < 4000; ++k) {
    const double lost = *constant.judge(model, k % 10 == 0);
    if (k >= 2000) sum += lost;
  }
  EXPECT_NEAR(sum / 2000, 0.325, 0.02);  // the entropy of one in ten
}

TEST(ConstantAnswer, KnowsTheClassesShares) {
  Model model =
      make_model(ModelSpec::parse(R"({"task": "classes", "classes": ["a", "b"], "features": {"capacity": 8}})"));
  ConstantAnswer constant;
  double last = 0;
  for (int k = 0; k < 1000; ++k) last = *constant.judge(model, std::string("a"));
  EXPECT_LT(last, 0.01);
  EXPECT_FALSE(constant.judge(model, std::string("never")));
}

TEST(ConstantAnswer, HasNothingToSayWithoutALoss) {
  const Model model = make_model(ModelSpec::parse(R"({"task": "allocation", "options": ["a", "b"]})"));
  EXPECT_FALSE(ConstantAnswer().judge(model, 1.0));
}

}  // namespace
}  // namespace tarry::service
