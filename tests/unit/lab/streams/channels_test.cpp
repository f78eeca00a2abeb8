#include "tarry/lab/streams/channels.h"

#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/lab/play/game.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/combinatorial/budget.h"
#include "tarry/spec/json.h"
#include "unit/data/flat_rows.h"
#include "unit/expect_error.h"

namespace tarry::lab {
namespace {

ChannelRule two_channels() {
  return {.channels = {{10, 4, 2}, {5, 1, 20}}, .drift = 0, .noise = 0.3, .never = 0.2, .window = 30};
}

TEST(Channels, ARoundIsOneChannelsDay) {
  const Dataset data = channel_days(two_channels(), 5, 1);
  EXPECT_EQ(data.dimension, 2);
  EXPECT_EQ(data.event_time, (Vec{0, 0, 1, 1, 2}));
  EXPECT_EQ(flat(data).indices, (std::vector<Index>{0, 1, 0, 1, 0}));
  EXPECT_EQ(flat(data).values, (Vec{0.25, 1, 0.25, 1, 0.25}));
}

TEST(Channels, StrengthsAndLatenessAreThoseOfTheRule) {
  constexpr std::size_t kDays = 20000;
  const Dataset data = channel_days(two_channels(), 2 * kDays, 7);
  Vec label(2), late(2), known(2);
  for (std::size_t t = 0; t < data.rows(); ++t) {
    label[t % 2] += data.labels[t] / kDays;
    const double days = data.feedback_time[t] - data.event_time[t];
    if (std::isinf(days)) continue;
    EXPECT_GE(days, 0);
    EXPECT_LE(days, 30);
    late[t % 2] += days;
    known[t % 2] += 1;
  }
  EXPECT_NEAR(label[0], 10, 0.1);
  EXPECT_NEAR(label[1], 5, 0.05);
  for (std::size_t i : {0, 1}) EXPECT_NEAR(known[i] / kDays, 0.8, 0.02);
  EXPECT_NEAR(late[0] / known[0], 2, 0.1);
  // An exponential of mean 20 cut at 30: 20 − 30/(e^1.5 − 1).
  EXPECT_NEAR(late[1] / known[1], 20 - 30 / (std::exp(1.5) - 1), 0.2);
}

TEST(Channels, StrengthsSwingOnceInAPeriod) {
  ChannelRule rule = two_channels();
  rule.drift = 0.5;
  rule.noise = 0;
  rule.period = 100;
  const Dataset data = channel_days(rule, 400, 3);
  const auto [low, high] = std::minmax_element(data.labels.begin(), data.labels.end());
  EXPECT_NEAR(*high, 15, 0.02);
  EXPECT_NEAR(*low, 2.5, 0.01);
  for (std::size_t t = 0; t < 200; ++t) EXPECT_NEAR(data.labels[t], data.labels[t + 200], 1e-9);
}

TEST(Channels, TheFirstDaysDoNotDependOnHowManyFollow) {
  const Dataset few = channel_days(two_channels(), 10, 3), many = channel_days(two_channels(), 100, 3);
  EXPECT_EQ(few.labels, Vec(many.labels.begin(), many.labels.begin() + 10));
  EXPECT_EQ(few.feedback_time, Vec(many.feedback_time.begin(), many.feedback_time.begin() + 10));
  EXPECT_NE(few.labels, channel_days(two_channels(), 10, 4).labels);
}

// The channels of a day are asked at one time: what they spend is one decision, and sums to the budget.
TEST(Channels, ADayIsSplitOnce) {
  const spec::Value spec = spec::parse_json(
      R"({"type": "channels", "strength": [10, 5], "saturation": [4, 1], "late": [2, 20], "never": 0.2})");
  const Stream stream = make_stream(spec::Node(spec, "stream"), 400, 1);
  const AnySet set = Budget(10, {0, 0}, {10, 10});
  const spec::Value learner = spec::parse_json(R"({"type": "delayed_ogd", "eta": 0.5})");
  Model model(set, make_learner(spec::Node(learner, "learner"), {.set = set, .initial = {}}), stream.table()->loss);
  Vec spent;
  double changes = 0;
  const auto after = [&](const RoundPlayed& round, const Played&) {
    spent.push_back(round.prediction * (round.round % 2 == 1 ? 4 : 1));
  };
  const auto delays = recorded_delays(*stream.table()->data);
  play_game(model, stream, *delays, {.rounds = 400, .after = after, .clock = {}});
  for (std::size_t t = 0; t < 400; t += 2) {
    EXPECT_NEAR(spent[t] + spent[t + 1], 10, 1e-9) << "day " << t / 2;
    if (t > 0) changes += std::fabs(spent[t] - spent[t - 2]);
  }
  EXPECT_GT(changes, 1);
}

TEST(Channels, BadRulesAreRefused) {
  const auto made = [](const std::string& keys, Round rounds = 10) {
    const spec::Value spec = spec::parse_json(R"({"type": "channels", )" + keys + "}");
    make_stream(spec::Node(spec, "stream"), rounds, 1);
  };
  const std::string good = R"("strength": [1, 2], "saturation": [1, 2], "late": [1, 2])";
  EXPECT_ERROR(made(good, 0), Code::kBadSpec, "channels: rounds must be given: the days are made beforehand");
  EXPECT_ERROR(made(R"("strength": [1, 2], "saturation": [1], "late": [1, 2])"), Code::kBadSpec,
               "channels: saturation must be 2 numbers, as strength has (saturation = [1])");
  EXPECT_ERROR(made(R"("strength": [1, -2], "saturation": [1, 2], "late": [1, 2])"), Code::kBadSpec,
               "channels: strength must be positive numbers (strength = [1, -2])");
  EXPECT_ERROR(made(good + R"(, "never": 1)"), Code::kBadSpec,
               "channels: never must be at least 0 and below 1 (never = 1)");
}

}  // namespace
}  // namespace tarry::lab
