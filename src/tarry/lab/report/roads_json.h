// Roads in results: a network as the report draws it, and how a run used it.
#pragma once

#include "tarry/lab/play/run.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

// The roads of a stream.
struct Network {
  std::string stream;
  std::shared_ptr<const Travel> world;
};

// Ends, free-flow times and the users' equilibrium of each link, and where the nodes lie, if that is known.
spec::Value network_value(const Network& network);

spec::Value road_use_value(const RoadUse& roads);  // null where a run had no roads
RoadUse read_road_use(const spec::Node& run);

}  // namespace tarry::lab
