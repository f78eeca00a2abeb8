// The service's log: a JSON object a line. What it is given are names and numbers; tokens, tickets and features never
// come here.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "tarry/spec/value.h"

namespace tarry::hosting {

class JsonLog {
 public:
  // `now_ms`: milliseconds since 1970. `sink` gets whole lines, one at a time.
  JsonLog(std::function<std::int64_t()> now_ms, std::function<void(std::string_view line)> sink)
      : now_ms_(std::move(now_ms)), sink_(std::move(sink)) {}

  void info(std::string_view event, spec::Object fields = {}) { write("info", event, std::move(fields)); }
  void warning(std::string_view event, spec::Object fields = {}) { write("warning", event, std::move(fields)); }
  void error(std::string_view event, spec::Object fields = {}) { write("error", event, std::move(fields)); }

 private:
  void write(std::string_view level, std::string_view event, spec::Object fields);

  std::function<std::int64_t()> now_ms_;
  std::function<void(std::string_view)> sink_;
  std::mutex mutex_;
};

}  // namespace tarry::hosting
