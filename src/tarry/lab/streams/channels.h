// Made-up advertising channels: a budget is split every day, and what it brought becomes known late.
#pragma once

#include "tarry/data/formats/dataset.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

using data::Dataset;

// Channel i turns a day's spending x into strength · ln(1 + x/saturation) conversions. Its strength swings with the
// seasons, and from day to day by chance.
struct Channel {
  double strength = 1;
  double saturation = 1;
  double late = 1;  // the mean of how many days its conversions take, were there no window
};

struct ChannelRule {
  std::vector<Channel> channels;
  double drift = 0;     // strengths swing by this share, …
  double period = 365;  // … once in so many days, each channel at its own time
  double noise = 0;     // standard deviation of the logarithm
  double never = 0;     // the chance that a channel's day is never reported
  double window = 30;   // days after which nothing more comes
};

// A round is one channel's day, all channels of a day one after the other: features 1/saturation at the channel, the
// strength as label. Times are in days. All channels of a day are asked at the same time, so that nothing that comes
// meanwhile changes the day's split.
Dataset channel_days(const ChannelRule& rule, std::size_t rounds, std::uint64_t seed);

StreamEntry channels_entry();

}  // namespace tarry::lab
