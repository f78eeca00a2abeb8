#include "tarry/lab/routing/traffic.h"

#include <algorithm>

#include "tarry/base/random.h"

namespace tarry::lab {
namespace {

Random draws(const Travel& travel, TravelDraws what) { return Random(travel.seed(), static_cast<std::uint64_t>(what)); }

}  // namespace

Traffic::Traffic(const Travel& travel)
    : travel_(travel), count_(travel.roads().size(), 0), flow_(travel.roads().size(), 0.0) {}

void Traffic::measure(Round t, std::span<double> times) const {
  travel_.roads().times(flow_, times);
  const double noise = travel_.rule().noise;
  if (noise == 0) return;
  const Random random = draws(travel_, TravelDraws::kNoise);
  for (std::size_t e = 0; e < times.size(); ++e) times[e] *= 1 + noise * (2 * random.uniform(t * times.size() + e) - 1);
}

void Traffic::drive(Route route) {
  const auto change = [&](const Route& of, bool more) {
    for (std::uint32_t e : of) {
      count_[e] += more ? 1U : ~0U;
      flow_[e] = travel_.vehicles() * count_[e];
    }
  };
  change(route, true);
  driving_.push_back(std::move(route));
  if (driving_.size() <= travel_.rule().travellers) return;
  change(driving_.front(), false);
  driving_.pop_front();
}

Route draw_route(const Travel& travel, std::size_t pair, std::span<const double> decision, Round t) {
  constexpr std::uint64_t kLongestWalk = std::uint64_t{1} << 20;
  const Roads& roads = travel.roads();
  const Trip& trip = travel.trips()[pair];
  const Random random = draws(travel, TravelDraws::kRoutes);
  const Index source = roads.leaving(trip.origin), sink = roads.arriving(trip.destination);
  Route route;
  Index at = source;
  for (std::uint64_t step = 0; at != sink; ++step) {
    const auto links = roads.out().at(at);
    double leaving = 0;
    for (std::uint32_t e : links) leaving += std::max(0.0, decision[e]);
    if (!(leaving > 0) || step == kLongestWalk) return travel.free_route(pair);  // a decision of rounding errors
    double rest = random.uniform(t * kLongestWalk + step) * leaving;
    std::uint32_t chosen = links[0];
    for (std::uint32_t e : links) {
      if (!(decision[e] > 0)) continue;
      chosen = e;
      rest -= decision[e];
      if (rest <= 0) break;
    }
    route.push_back(chosen);
    at = roads.graph().edges[chosen].to;
    const auto before =
        std::find_if(route.begin(), route.end(), [&](std::uint32_t e) { return roads.graph().edges[e].from == at; });
    route.erase(before, route.end());
  }
  return route;
}

}  // namespace tarry::lab
