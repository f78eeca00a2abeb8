#include "tarry/service/watch/watch_news.h"

#include <algorithm>
#include <utility>

namespace tarry::service {

std::vector<WatchNews> NewsWatch::take(const QualityWatch& quality, const DriftWatch& drift) {
  std::vector<WatchNews> news;
  for (std::size_t k = 0; k < kTroubles; ++k) {
    const auto trouble = static_cast<Trouble>(k);
    const std::int64_t since = quality.troubles().since_ms(trouble);
    const std::int64_t before = std::exchange(troubles_[k], since);
    if (before != 0 && before != since) news.push_back({.begins = false, .what = name_of(trouble), .since_ms = before});
    if (since != 0 && before != since)
      news.push_back({.what = name_of(trouble), .since_ms = since, .look = look_of(trouble)});
  }
  take_alarms(drift.drift(), news);
  return news;
}

void NewsWatch::take_alarms(const quality::Drift& drift, std::vector<WatchNews>& news) {
  std::set<std::uint64_t> lasting;
  std::uint64_t last = last_;
  for (const quality::Alarm& alarm : drift.alarms()) {
    const bool is_new = alarm.number > last_, lasts = alarm.over_ms == 0;
    WatchNews one{.what = name_of(alarm.kind), .since_ms = alarm.since_ms};
    if (alarm.kind == quality::DriftKind::kFeature) one.column = alarm.column;
    if (is_new) {
      one.look = look_of(alarm.kind);
      news.push_back(one);
      one.look = {};
    }
    if (!lasts && (is_new || lasting_.contains(alarm.number))) {
      one.begins = false;
      news.push_back(one);
    }
    if (lasts) lasting.insert(alarm.number);
    last = std::max(last, alarm.number);
  }
  lasting_ = std::move(lasting);
  last_ = last;
}

}  // namespace tarry::service
