// Roads, who wants to drive on them, and flows on their links, as TNTP files have them. Nodes count from 0 here, and
// from 1 in the files.
#pragma once

#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry::data {

// A flow of x vehicles takes free_flow_time · (1 + b (x/capacity)^power), the BPR function.
struct RoadLink {
  Index from = 0;
  Index to = 0;
  double capacity = 1;
  double length = 0;
  double free_flow_time = 0;
  double b = 0;
  double power = 1;
  double toll = 0;
};

struct NodePlace {
  double x = 0;
  double y = 0;
};

struct RoadNetwork {
  Index nodes = 0;
  Index zones = 0;       // nodes 0 … zones − 1: where trips begin and end
  Index first_thru = 0;  // no trip passes through a node before this one
  std::vector<RoadLink> links;
  std::vector<NodePlace> places;  // of the nodes, on a map; empty where they are not known
};

struct Trip {
  Index origin = 0;
  Index destination = 0;
  double demand = 0;  // vehicles, positive
};

// A link's flow in a solution, and what it costs to drive it then.
struct LinkFlow {
  double volume = 0;
  double cost = 0;
};

}  // namespace tarry::data
