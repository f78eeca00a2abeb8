// When events came, as the shell that passes them on sees it: models have no clock.
#pragma once

#include <variant>

#include "tarry/model/model.h"

namespace tarry {

// Where the model counts seconds and the event does not say when it came.
inline void stamp(const Model& model, Event& event, double now) {
  if (auto* play = std::get_if<Play>(&event);
      play != nullptr && !play->times.now && (model.wants_time() || play->times.due))
    play->times.now = now;
  if (!model.wants_time()) return;
  if (auto* label = std::get_if<Label>(&event); label != nullptr && !label->revising.now) label->revising.now = now;
}

}  // namespace tarry
