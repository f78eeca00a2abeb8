// The one codec of events: as JSON, a line of tarry-replay/2 (docs/replay.md), and as bytes, which begin with their
// version.
#pragma once

#include <string>
#include <string_view>

#include "tarry/model/event.h"
#include "tarry/spec/node.h"

namespace tarry {

inline constexpr std::uint8_t kEventVersion = 6;  // events that need no more are written as 1 to 5, and all are read

// {"play": 3, "key": "a", "features": {…}} and so on. Throws Error{kBadInput}.
Event read_event(const spec::Node& node);
// The same again; a play has the number it was given, or else `next`, or else true: whichever is next.
std::string event_json(const Event& event, Round next = 0);

std::string event_bytes(const Event& event);
Event event_from_bytes(std::string_view bytes);  // throws Error{kCorrupt}

// Parts of events, wherever else they stand.
Features read_features(const spec::Node& node);
LabelValue read_label(const spec::Node& node);
LossValue read_loss_value(RoundName round, const spec::Node& loss);  // a number, or two
Revising read_revising(const spec::Node& node);  // `revise`, `sequence` or `time`, and `part`, beside a label
spec::Value features_value(const Features& features);
spec::Value label_value(const LabelValue& label);

}  // namespace tarry
