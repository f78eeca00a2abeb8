// Streams as the weeks of a shop look: fewer decisions at night and at weekends, features that follow the hour, labels
// that come hours later. A fault may begin at some time. For tests and bench/alarms.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "tarry/base/random.h"
#include "tarry/quality/drift.h"

namespace tarry::planted {

inline constexpr std::int64_t kFirst = 1'794'000'000'000, kHour = 3'600'000, kDay = 24 * kHour;

enum class Fault : std::uint8_t {
  kNone,
  kMissing,     // two in five amounts are missing
  kShifted,     // amounts are half as large again
  kOtherWord,   // a country that never came
  kNewName,     // amuont in the place of amount, in one decision of five
  kPrediction,  // predictions are half of what they were
  kSlower,      // labels take three times as long
  kNoClass,     // no label says yes any more
  kOutage,      // no label comes
};

struct Week {
  double a_day = 3000;  // decisions
  bool seasonal = true, skewed = false;
  double lost = 0;        // share of labels that never come
  double wait_hours = 4;  // mean of labels' waits
  Fault fault = Fault::kNone;
  double begins_days = 1e9, ends_days = 1e5;
};

// How busy an hour is, about 1 on average; nights and weekends are quieter.
inline double busy(const Week& week, std::int64_t ms) {
  if (!week.seasonal) return 1;
  const double hour = static_cast<double>(ms % kDay) / kHour;
  const bool weekend = (ms / kDay + 4) % 7 >= 5;
  return (weekend ? 0.5 : 1.2) * (1 + 0.8 * std::sin((hour - 9) / 24 * 2 * 3.14159265358979));
}

// Feeds `days` of it; `each_hour` is called with the time.
inline void play(const Week& week, double days, std::uint64_t seed, quality::Drift& drift,
                 const std::function<void(std::int64_t)>& each_hour = {}) {
  RandomSequence draw(seed, 77);
  const std::int64_t end = kFirst + static_cast<std::int64_t>(days * kDay);
  const auto fault_ms = static_cast<std::int64_t>(kFirst + std::min(week.begins_days, 1e5) * kDay);
  const auto over_ms = static_cast<std::int64_t>(kFirst + week.ends_days * kDay);
  std::multimap<std::int64_t, std::pair<std::int64_t, bool>> coming;
  std::int64_t hour = kFirst / kHour;
  double now = kFirst;
  for (;;) {
    const auto at = static_cast<std::int64_t>(now);
    now += -std::log(draw.uniform()) * kDay / week.a_day / std::max(0.05, busy(week, at));
    const auto next = std::min(end, static_cast<std::int64_t>(now));
    const bool out = week.fault == Fault::kOutage && next >= fault_ms && next < over_ms;
    for (; !coming.empty() && coming.begin()->first <= next; coming.erase(coming.begin())) {
      const auto& [then, of] = *coming.begin();
      const bool faulty = then >= fault_ms;
      if (out || (faulty && week.fault == Fault::kNoClass && of.second)) continue;
      drift.labelled(then, quality::ColumnValue(of.second ? 1.0 : 0.0), then - of.first);
    }
    for (; hour < next / kHour; ++hour) {
      drift.advance((hour + 1) * kHour);
      if (each_hour) each_hour((hour + 1) * kHour);
    }
    if (next >= end) return;
    const auto fault = [&](Fault one) { return week.fault == one && next >= fault_ms && next < over_ms; };
    const double wave = week.seasonal ? std::sin(static_cast<double>(next % kDay) / kDay * 2 * 3.14159265358979) : 0;
    double amount = std::exp((week.skewed ? 2.0 : 0.5) * draw.gaussian() + 0.4 * wave);
    if (fault(Fault::kShifted)) amount *= 1.5;
    const bool drop = fault(Fault::kMissing) && draw.uniform() < 0.4;
    const bool misspelt = fault(Fault::kNewName) && draw.uniform() < 0.2;
    drift.decided(next);
    if (!drop) drift.feature(misspelt ? "amuont" : "amount", amount);
    drift.feature("hour", static_cast<double>(next % kDay / kHour));
    const double word = draw.uniform();
    const std::string_view country = word < 0.5 ? "FR" : word < 0.8 ? "DE" : word < 0.95 ? "IT" : "ES";
    drift.feature("country", fault(Fault::kOtherWord) && word < 0.3 ? std::string_view("XX") : country);
    if (draw.uniform() < 0.7) drift.feature("age", 20 + 50 * draw.uniform());
    double p = 0.05 + 0.25 * draw.uniform() + 0.05 * wave;
    const bool yes = draw.uniform() < p;
    if (fault(Fault::kPrediction)) p /= 2;
    drift.predicted(p);
    if (draw.uniform() < week.lost) continue;
    const double slower = fault(Fault::kSlower) ? 3 : 1;
    const double wait = -std::log(draw.uniform()) * week.wait_hours * slower * (week.skewed && yes ? 4 : 1);
    coming.insert({next + static_cast<std::int64_t>(wait * kHour), {next, yes}});
  }
}

}  // namespace tarry::planted
