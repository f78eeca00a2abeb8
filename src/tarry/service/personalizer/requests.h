// What Personalizer's clients send, read. Throws Rejection.
#pragma once

#include <string>

#include "tarry/model/event.h"
#include "tarry/service/host/host.h"

namespace tarry::service::personalizer {

inline constexpr std::size_t kLongestEventId = 256;  // bytes

struct Rank {
  std::string event_id;  // where none was sent, a new one
  Choosing choosing;
  bool deferred = false;
};
// {"contextFeatures"?, "actions": [{"id", "features"?}…], "excludedActions"?, "eventId"?, "deferActivation"?}. What is
// excluded and no action is left out; keys that it does not know are, too.
Rank read_rank(const spec::Value& body);

// {"value"}: a reward.
double read_reward(const spec::Value& body);

// Of an address: what is between its slashes, without the percent signs.
std::string read_event_id(std::string_view escaped);

}  // namespace tarry::service::personalizer
