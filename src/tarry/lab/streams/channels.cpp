#include "tarry/lab/streams/channels.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/lab/streams/data_stream.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

enum ChannelDraws : std::uint64_t { kPhases = 61, kNoise, kDays, kNeverComes };

// Exponential, cut at the window: the inverse of its distribution.
double days_late(const Channel& channel, double window, double u) {
  return -channel.late * tarry::log1p(-u * (1 - tarry::exp(-window / channel.late)));
}

Vec positive_list(const Node& node, const std::string& key, std::size_t count) {
  const Vec list = node.numbers(key);
  for (double x : list)
    if (!(x > 0)) node.at(key).fail("positive numbers");
  if (list.empty() || (count > 0 && list.size() != count))
    node.at(key).fail(count > 0 ? fmt::format("{} numbers, as strength has", count) : "at least one number");
  return list;
}

double share(const Node& node, const std::string& key, double fallback, double below) {
  const double x = node.number_or(key, fallback);
  if (!(x >= 0 && x < below)) node.at(key).fail(fmt::format("at least 0 and below {}", below));
  return x;
}

Stream make_channels(const Node& node, Round rounds, std::uint64_t seed) {
  ChannelRule rule;
  const Vec strength = positive_list(node, "strength", 0),
            saturation = positive_list(node, "saturation", strength.size()),
            late = positive_list(node, "late", strength.size());
  for (std::size_t i = 0; i < strength.size(); ++i) rule.channels.push_back({strength[i], saturation[i], late[i]});
  rule.drift = share(node, "drift", 0.3, 1);
  rule.period = node.positive_or("period", 365);
  rule.noise = share(node, "noise", 0.2, 10);
  rule.never = share(node, "never", 0.1, 1);
  rule.window = node.positive_or("window", 30);
  node.refuse_unknown_keys();
  if (rounds == 0) node.fail_whole("rounds must be given: the days are made beforehand");
  if (rounds > Round{1} << 30) node.fail_whole("rounds must be at most 2^30: the days are made beforehand");
  return data_stream(channel_days(rule, rounds, seed), named_loss(usual_loss(Measure::kGain)), node.type());
}

}  // namespace

Dataset channel_days(const ChannelRule& rule, std::size_t rounds, std::uint64_t seed) {
  const std::size_t n = rule.channels.size();
  const Random phases(seed, kPhases), noise(seed, kNoise), days(seed, kDays), never(seed, kNeverComes);
  DatasetBuilder builder;
  for (std::size_t t = 0; t < rounds; ++t) {
    const std::size_t i = t % n;
    const Channel& channel = rule.channels[i];
    const auto day = static_cast<double>(t / n);
    const double season = 1 + rule.drift * tarry::sin_turns(day / rule.period + phases.uniform(i));
    const double chance = tarry::exp(rule.noise * noise.gaussian(t) - rule.noise * rule.noise / 2);
    const double known = never.uniform(t) < rule.never ? std::numeric_limits<double>::infinity()
                                                       : day + days_late(channel, rule.window, days.uniform(t));
    builder.add(static_cast<Index>(i), 1 / channel.saturation);
    builder.end_row(channel.strength * season * chance, day, known);
  }
  return builder.take(static_cast<Index>(n));
}

StreamEntry channels_entry() {
  return {.name = "channels",
          .summary =
              "made-up advertising channels with diminishing returns that drift; a round is one channel's day, "
              "reported late or never",
          .keys = {{"strength", "an array: conversions of a channel are strength · ln(1 + spent/saturation)", ""},
                   {"saturation", "an array: where its curve bends, in money", ""},
                   {"late", "an array: the mean number of days until its conversions are reported", ""},
                   {"drift", "the share by which strengths swing", "0.3"},
                   {"period", "days of a swing", "365"},
                   {"noise", "standard deviation of the logarithm of a day's strength", "0.2"},
                   {"never", "the chance that a channel's day is never reported", "0.1"},
                   {"window", "days after which nothing more comes", "30"}},
          .make = make_channels,
          .seeded = true,
          .examples = {R"({"type": "channels", "strength": [20, 10, 15], "saturation": [40, 10, 20], )"
                       R"("late": [2, 9, 20]})"}};
}

}  // namespace tarry::lab
