// Any text as a date, perhaps with a time of day: seconds of the years 0 to 9999, whatever spaces are around it, or
// none. A date that was read can be written and read again.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tarry/data/text/iso_time.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

std::string written(double seconds) {
  using namespace std::chrono;
  const auto day = static_cast<int>(std::floor(seconds / 86400));
  const year_month_day date{sys_days(days(day))};
  const int rest = static_cast<int>(seconds - 86400.0 * day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), rest / 3600, rest / 60 % 60,
                rest % 60);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  constexpr double kUnset = -1e300, kFirst = -62167219200, kEnd = 253402300800;  // the years 0 and 10000
  double seconds = kUnset, spaced = kUnset, again = kUnset;
  const bool is_time = tarry::data::read_iso_time(text, seconds);
  expect(tarry::data::read_iso_time(" \t" + text + " ", spaced) == is_time && spaced == seconds);
  expect(is_time || seconds == kUnset);
  if (!is_time) return 0;
  expect(seconds >= kFirst - 86400 && seconds <= kEnd + 86400);
  if (seconds < kFirst || seconds >= kEnd) return 0;  // a zone may lead out of the years that can be written
  expect(tarry::data::read_iso_time(written(seconds), again) && again == std::floor(seconds));
  return 0;
}
