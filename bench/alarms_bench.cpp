// How soon faults of a stream are noticed, and how often there is an alarm without a fault: planted streams with days
// and weekends (tests/unit/quality/planted_week.h). Usage: alarms_bench [SEEDS [FIRST_SEED]]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "unit/quality/planted_week.h"

namespace {

using namespace tarry;
using planted::Fault;
using planted::Week;

constexpr double kQuietDays = 90, kBegins = 28, kAfter = 14;

struct Kind {
  const char* name;
  Fault fault;
  quality::DriftKind alarm;
};
constexpr Kind kFaults[] = {
    {"two in five values missing", Fault::kMissing, quality::DriftKind::kFeature},
    {"values half as large again", Fault::kShifted, quality::DriftKind::kFeature},
    {"a word that never came", Fault::kOtherWord, quality::DriftKind::kFeature},
    {"a misspelt name, one in five", Fault::kNewName, quality::DriftKind::kNewNames},
    {"predictions halved", Fault::kPrediction, quality::DriftKind::kPrediction},
    {"labels three times as slow", Fault::kSlower, quality::DriftKind::kDelay},
    {"no label says yes any more", Fault::kNoClass, quality::DriftKind::kLabel},
    {"no label comes", Fault::kOutage, quality::DriftKind::kArrivals},
};

double median(std::vector<double> of) {
  if (of.empty()) return std::nan("");
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
  return of[of.size() / 2];
}

void detect(const Kind& kind, std::uint64_t seeds, std::uint64_t first) {
  std::vector<double> hours;
  double before = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    quality::Drift drift;
    const Week week{.fault = kind.fault, .begins_days = kBegins};
    const std::int64_t begins = planted::kFirst + static_cast<std::int64_t>(kBegins * planted::kDay);
    planted::play(week, kBegins + kAfter, seed, drift);
    std::int64_t at = 0;
    for (const quality::Alarm& alarm : drift.alarms()) {
      if (alarm.raised_ms <= begins) ++before;
      if (alarm.raised_ms > begins && alarm.kind == kind.alarm && at == 0) at = alarm.raised_ms;
    }
    if (at != 0) hours.push_back(static_cast<double>(at - begins) / planted::kHour);
  }
  std::sort(hours.begin(), hours.end());
  const double late = hours.empty() ? std::nan("") : hours[hours.size() * 9 / 10 - (hours.size() == 10 ? 1 : 0)];
  fmt::print("{:<30} {:>6}/{:<4} {:>9.1f} {:>9.1f}\n", kind.name, hours.size(), seeds, median(hours), late);
}

void stay_quiet(const char* name, const Week& week, std::uint64_t seeds, std::uint64_t first) {
  double alarms = 0;
  std::array<std::uint64_t, quality::kDriftKinds> kinds{};
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    quality::Drift drift;
    planted::play(week, kQuietDays, seed, drift);
    for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k] += drift.raised(static_cast<quality::DriftKind>(k));
  }
  for (const std::uint64_t count : kinds) alarms += static_cast<double>(count);
  const double years = static_cast<double>(seeds) * (kQuietDays - 8) / 365.25;
  std::string what;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k] > 0) what += fmt::format("  {} {}", name_of(static_cast<quality::DriftKind>(k)), kinds[k]);
  fmt::print("{:<30} {:>6.1f} {:>7} {:>10.2f}{}\n", name, years, alarms, alarms / years, what);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  fmt::print("{:<30} {:>11} {:>9} {:>9}\n", "fault", "noticed", "median h", "90 % h");
  for (const Kind& kind : kFaults) detect(kind, seeds, first);
  fmt::print("\n{:<30} {:>6} {:>7} {:>10}\n", "no fault", "years", "alarms", "a year");
  stay_quiet("week", {}, seeds, first);
  stay_quiet("even", {.seasonal = false}, seeds, first);
  stay_quiet("skewed", {.skewed = true}, seeds, first);
  stay_quiet("labels lost", {.lost = 0.5}, seeds, first);
  stay_quiet("tiny", {.a_day = 40}, seeds, first);
  stay_quiet("slow labels", {.wait_hours = 100}, seeds, first);
}
