#include "tarry/hosting/json_log.h"

namespace tarry::hosting {

void JsonLog::write(std::string_view level, std::string_view event, spec::Object fields) {
  spec::Object line{{"time_ms", {now_ms_()}}, {"level", {std::string(level)}}, {"event", {std::string(event)}}};
  for (spec::Member& field : fields) line.push_back(std::move(field));
  const std::string text = spec::to_json({std::move(line)}) + "\n";
  const std::lock_guard lock(mutex_);
  sink_(text);
}

}  // namespace tarry::hosting
