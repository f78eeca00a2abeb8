// TNTP files ("Transportation Networks for Research"): <KEYS> up to <END OF METADATA>, then rows; "~" begins a remark.
//
//   _net    init_node term_node capacity length free_flow_time b power speed toll type ;
//   _trips  Origin 1, then pairs "destination : demand ;"
//   _flow   From To Volume Cost, a line for each link
//   _node   node X Y ;
#pragma once

#include "tarry/data/formats/road_network.h"
#include "tarry/data/text/text_lines.h"

namespace tarry::data {

RoadNetwork read_tntp_network(TextLines& lines);

// In order of origins and destinations. Trips of no vehicles are left out, and those from a zone to itself, which use
// no road.
std::vector<Trip> read_tntp_trips(TextLines& lines, const RoadNetwork& network);

// For each link of the network, in its order; parallel links in the order of the file.
std::vector<LinkFlow> read_tntp_flows(TextLines& lines, const RoadNetwork& network);

std::vector<NodePlace> read_tntp_places(TextLines& lines, const RoadNetwork& network);

}  // namespace tarry::data
