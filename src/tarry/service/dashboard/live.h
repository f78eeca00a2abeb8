// The stream behind a dashboard: a line of JSON a second. The first has all that is known, the others what is new.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "tarry/service/models/served.h"
#include "tarry/service/watch/timeline.h"
#include "tarry/service/watch/watch.h"

namespace tarry::service {

// What a stream is over; `model` null: all models.
struct LiveSetting {
  const Watch& watch;
  const ServedModels& models;
  std::int64_t started_ms = 0;
  std::size_t range = 0;  // of kRanges
  ServedPointer model = nullptr;
};

// One thread at a time.
class LiveStream {
 public:
  explicit LiveStream(LiveSetting setting) : setting_(std::move(setting)) {}

  // Ends with a newline. Nothing: the model is gone, and so is the stream.
  std::optional<std::string> next(std::int64_t now_ms);

 private:
  struct Told {
    std::uint64_t revision = 0;
    bool busy = false;  // it had a rate, which falls without events
    bool seen = false;
  };
  void append_points(std::string& out, const Timeline& timeline);
  void append_timeline(std::string& out);
  void append_models(std::string& out, std::int64_t now_ms);
  void append_refused(std::string& out);

  LiveSetting setting_;
  bool first_ = true;
  std::uint64_t revision_ = 0;               // of the timeline, as told
  std::uint64_t choices_ = 0;                // of that of choices
  std::uint64_t refused_ = 0;                // the last one told
  std::unordered_map<Position, Told> told_;  // by incarnation
  std::unordered_map<Position, std::string> names_;
};

// The number of a range in kRanges; nothing: there is no such one.
std::optional<std::size_t> range_named(std::string_view name);

}  // namespace tarry::service
