#include "tarry/lab/report/roads_json.h"

#include "tarry/lab/routing/travel.h"

namespace tarry::lab {

using spec::Value;

spec::Value network_value(const Network& network) {
  const Travel& world = *network.world;
  const Roads& roads = world.roads();
  Vec from, to, free, x, y, time(roads.size());
  for (std::size_t e = 0; e < roads.size(); ++e) {
    from.push_back(static_cast<double>(roads.network().links[e].from));
    to.push_back(static_cast<double>(roads.network().links[e].to));
    free.push_back(roads.time(e, 0));
  }
  for (const NodePlace& place : roads.network().places) {
    x.push_back(place.x);
    y.push_back(place.y);
  }
  roads.times(world.equilibrium().flow, time);
  return {spec::Object{{"stream", Value{network.stream}},
                       {"nodes", Value{static_cast<std::int64_t>(roads.network().nodes)}},
                       {"from", Value{from}},
                       {"to", Value{to}},
                       {"free", Value{free}},
                       {"x", Value{x}},
                       {"y", Value{y}},
                       {"equilibrium", road_use_value({world.equilibrium().flow, time})}}};
}

spec::Value road_use_value(const RoadUse& roads) {
  if (roads.flow.empty()) return {};
  return {spec::Object{{"flow", Value{roads.flow}}, {"time", Value{roads.time}}}};
}

RoadUse read_road_use(const spec::Node& run) {
  const auto roads = run.find("roads");
  if (!roads || !roads->is_object()) return {};
  return {roads->numbers("flow"), roads->numbers("time")};
}

}  // namespace tarry::lab
