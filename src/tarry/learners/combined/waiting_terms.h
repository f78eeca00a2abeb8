// What is the same in what is known of waiting, whether labels are classes (waiting.h) or numbers (waiting_numbers.h).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tarry/base/elementary.h"

namespace tarry::waiting {

inline constexpr std::size_t kMostAges = 88;
inline constexpr std::size_t kYoungest = 3;  // the first age at which being open says something
inline constexpr double kEarliest = 200;     // rounds before which nothing is said
inline constexpr double kEnough = 10;        // rounds at risk, or labels, without which nothing is known
inline constexpr double kErrors = 1.5;       // standard errors by which a difference is believed less
inline constexpr double kByChance = 2;       // standard errors that chance may explain
inline constexpr double kBetween = 1;        // by how much strata may differ: a standard deviation
inline constexpr std::size_t kLatest = 2;    // spans of ages, an octave, before the last known one
inline constexpr double kEvery = 64;         // what is known is worked out again after a 64th more rounds

// The age of a round that has waited for so many: ages begin at 8 and 12 times powers of two, as age_at has it.
inline std::size_t age_after(double waited) {
  if (!(waited >= 8)) return 0;
  if (waited >= 0x1p52) return kMostAges - 1;
  const auto rounds = static_cast<std::uint64_t>(waited);
  const auto octave = static_cast<std::size_t>(std::bit_width(rounds)) - 4;
  return std::min(1 + 2 * octave + (rounds >= std::uint64_t{12} << octave ? 1 : 0), kMostAges - 1);
}

// As far as so many standard errors allow.
inline double believed(double difference, double variance, double errors = kErrors) {
  const double off = errors * std::sqrt(variance);
  return std::fabs(difference) <= off ? 0 : difference > 0 ? difference - off : difference + off;
}

// How many of the rounds that came of age lately were open.
struct Lately {
  static constexpr double kLong = 64;  // rounds
  double share = 1, at = 0;

  // (1 − 1/kLong) to the power of so many rounds: mostly few, and asked for at every look.
  static double left_after(double rounds) {
    static const auto kFew = [] {
      std::array<double, 512> powers = {};
      for (std::size_t k = 0; k < powers.size(); ++k) powers[k] = tarry::pow(1 - 1 / kLong, static_cast<double>(k));
      return powers;
    }();
    return rounds < kFew.size() ? kFew[static_cast<std::size_t>(rounds)] : tarry::pow(1 - 1 / kLong, rounds);
  }
  void open(double played) {  // those between, which were not open, are not told
    if (at > 0) share *= left_after(std::max(0.0, played - at - 1));
    share += (1 - share) / kLong;
    at = played;
  }
  // Where more are open than ever before, something else keeps their labels back, whatever they are: the share of
  // rounds for which that is true.
  double more_than(double usual) const {
    usual = std::min(0.999999, usual);
    const double by_chance = kByChance * std::sqrt(std::max(usual * (1 - usual), 0.01) / kLong);
    return std::clamp((share - usual - by_chance) / (1 - usual), 0.0, 1.0);
  }
};

}  // namespace tarry::waiting
