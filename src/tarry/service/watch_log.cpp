#include "tarry/service/watch_log.h"

#include <mutex>
#include <string>
#include <vector>

namespace tarry::service {

// Names and times only: values of features and labels do not belong in the log, nor do names that somebody has just
// made up.
void log_watch_news(Service& service, hosting::JsonLog& log) {
  for (const ServedPointer& served : service.models().all()) {
    std::vector<WatchNews> news;
    {
      WatchedModel& watched = served->watched;
      const std::lock_guard lock(watched.mutex);
      news = watched.news.take(watched.quality, watched.drift);
    }
    for (const WatchNews& one : news) {
      spec::Object line{{"model", {served->name}}, {"what", {std::string(one.what)}}};
      if (!one.column.empty()) line.push_back({"feature", {one.column}});
      line.push_back({"since_ms", {one.since_ms}});
      if (!one.look.empty()) line.push_back({"look", {std::string(one.look)}});
      if (one.begins)
        log.warning("alarm", std::move(line));
      else
        log.info("alarm over", std::move(line));
    }
  }
}

}  // namespace tarry::service
