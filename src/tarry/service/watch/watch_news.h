// What is new about a model since somebody last asked: alarms and troubles that began or ended, each told once.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/service/watch/drift_watch.h"
#include "tarry/service/watch/quality_watch.h"

namespace tarry::service {

struct WatchNews {
  bool begins = true;
  std::string_view what;    // a trouble, or what kind of thing has changed
  std::string column = {};  // a feature that has changed; new names are not to be told in logs
  std::int64_t since_ms = 0;
  std::string_view look = {};  // where to
};

// One thread at a time.
class NewsWatch {
 public:
  std::vector<WatchNews> take(const QualityWatch& quality, const DriftWatch& drift);
  void skip(const QualityWatch& quality, const DriftWatch& drift) { take(quality, drift); }  // was told before

 private:
  void take_alarms(const quality::Drift& drift, std::vector<WatchNews>& news);

  std::array<std::int64_t, kTroubles> troubles_{};  // since when; 0: it is not there
  std::set<std::uint64_t> lasting_;                 // alarms, by number
  std::uint64_t last_ = 0;                          // the number of the newest alarm
};

}  // namespace tarry::service
