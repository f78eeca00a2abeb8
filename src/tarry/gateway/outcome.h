// A worker's outcome of an event, read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/gateway/waiting.h"
#include "tarry/service/errors.h"
#include "tarry/store/hosted_model.h"

namespace tarry::gateway {

struct Outcome {
  store::Fate fate = store::Fate::kUnknown;
  Round round = 0;
  store::Position incarnation = 0;
  std::string reply = {};  // to a play, as the worker wrote it
  std::optional<service::Refusal> error = std::nullopt;
};

// Throws Error{kCorrupt} for a text that is no outcome.
Outcome read_outcome(std::string_view text);

// What whoever waits is told where there is no outcome; nothing: there is one, or it was acknowledged.
std::optional<service::Refusal> refusal_of(const News& news, std::int64_t waited_ms);

}  // namespace tarry::gateway
