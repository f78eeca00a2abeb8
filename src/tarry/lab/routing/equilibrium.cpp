#include "tarry/lab/routing/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

struct UsedRoute {
  Route links;
  double flow;
};

// Calls visit(trip) for all trips, with the tree of its origin at the times of when the origin's turn came.
template <class Visit>
void each_trip(const Roads& roads, const std::vector<Trip>& trips, std::span<const double> times, Visit visit) {
  ShortestTree tree(roads);
  for (std::size_t k = 0; k < trips.size(); ++k) {
    if (k == 0 || trips[k].origin != trips[k - 1].origin) tree.grow(trips[k].origin, times);
    visit(k, tree);
  }
}

class Assignment {
 public:
  Assignment(const Roads& roads, const std::vector<Trip>& trips)
      : roads_(roads), trips_(trips), routes_(trips.size()), flow_(roads.size(), 0.0), time_(roads.size()) {
    roads_.times(flow_, time_);
  }

  // One step of every pair.
  void pass() {
    each_trip(roads_, trips_, time_, [&](std::size_t k, const ShortestTree& tree) {
      Route quickest = tree.route_to(trips_[k].destination);
      auto& routes = routes_[k];
      if (routes.empty()) {
        routes.push_back({std::move(quickest), 0});
        return change(routes[0].links, {}, trips_[k].demand, routes[0].flow);
      }
      const auto same = [&](const UsedRoute& route) { return route.links == quickest; };
      if (std::none_of(routes.begin(), routes.end(), same)) routes.push_back({std::move(quickest), 0});
      even_out(routes);
    });
  }

  // Between trees, the routes that are used already.
  void even_out_all() {
    for (auto& routes : routes_)
      if (routes.size() > 1) even_out(routes);
  }

  // Sums up the flow again: steps leave rounding behind.
  void refresh() {
    std::fill(flow_.begin(), flow_.end(), 0.0);
    for (const auto& routes : routes_)
      for (const UsedRoute& route : routes)
        for (std::uint32_t e : route.links) flow_[e] += route.flow;
    roads_.times(flow_, time_);
  }

  const Vec& flow() const { return flow_; }
  const Vec& time() const { return time_; }

 private:
  double time_of(const Route& route) const {
    double sum = 0;
    for (std::uint32_t e : route) sum += time_[e];
    return sum;
  }

  // From each route to the quickest of them.
  void even_out(std::vector<UsedRoute>& routes) {
    std::size_t best = 0;
    for (std::size_t r = 1; r < routes.size(); ++r)
      if (time_of(routes[r].links) < time_of(routes[best].links)) best = r;
    for (std::size_t r = 0; r < routes.size(); ++r) {
      if (r == best || routes[r].flow == 0) continue;
      difference(routes[best].links, routes[r].links);
      const double moved = line_search(routes[r].flow);
      if (moved <= 0) continue;
      routes[r].flow = moved >= routes[r].flow ? 0 : routes[r].flow - moved;
      change(gaining_, losing_, moved, routes[best].flow);
    }
    std::swap(routes[best], routes[0]);  // which stays, also where nothing came to it
    routes.erase(std::remove_if(routes.begin() + 1, routes.end(), [](const UsedRoute& r) { return r.flow == 0; }),
                 routes.end());
  }

  void change(const Route& gaining, const Route& losing, double moved, double& gained) {
    gained += moved;
    for (std::uint32_t e : gaining) time_[e] = roads_.time(e, flow_[e] += moved);
    for (std::uint32_t e : losing) time_[e] = roads_.time(e, flow_[e] = std::max(0.0, flow_[e] - moved));
  }

  // The links of one route that the other does not have, and the other way round.
  void difference(const Route& to, const Route& from) {
    const auto sorted = [](Route route) {
      std::sort(route.begin(), route.end());
      return route;
    };
    const Route a = sorted(to), b = sorted(from);
    gaining_.clear();
    losing_.clear();
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(gaining_));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(losing_));
  }

  // By how much the route that loses takes longer once so many have changed, and how fast that falls.
  struct Excess {
    double time = 0;
    double slope = 0;
  };
  Excess excess_after(double moved) const {
    Excess excess;
    for (std::uint32_t e : losing_) {
      const double x = std::max(0.0, flow_[e] - moved);
      excess.time += roads_.time(e, x);
      excess.slope += roads_.slope(e, x);
    }
    for (std::uint32_t e : gaining_) {
      excess.time -= roads_.time(e, flow_[e] + moved);
      excess.slope += roads_.slope(e, flow_[e] + moved);
    }
    return excess;
  }

  // How many of `most` change until both routes take as long: Newton's method, kept between bounds.
  double line_search(double most) const {
    Excess excess = excess_after(0);
    if (!(excess.time > 0)) return 0;
    if (excess_after(most).time >= 0) return most;
    double low = 0, high = most, moved = 0;
    for (int step = 0; step < 30; ++step) {
      (excess.time > 0 ? low : high) = moved;
      double next = moved + excess.time / excess.slope;
      if (!(next > low && next < high)) next = low + (high - low) / 2;
      const bool done = std::fabs(next - moved) <= 1e-3 * next;
      moved = next;
      if (done) break;
      excess = excess_after(moved);
    }
    return moved;
  }

  const Roads& roads_;
  const std::vector<Trip>& trips_;
  std::vector<std::vector<UsedRoute>> routes_;  // of each trip
  Vec flow_, time_;
  Route gaining_, losing_;
};

double total_time(std::span<const double> flow, std::span<const double> time) {
  double sum = 0;
  for (std::size_t e = 0; e < flow.size(); ++e) sum += flow[e] * time[e];
  return sum;
}

}  // namespace

double quickest_total(const Roads& roads, const std::vector<Trip>& trips, std::span<const double> times) {
  double sum = 0;
  each_trip(roads, trips, times, [&](std::size_t k, const ShortestTree& tree) {
    sum += trips[k].demand * tree.time_to(trips[k].destination);
  });
  return sum;
}

void check_connected(const Roads& roads, const std::vector<Trip>& trips) {
  const Vec times(roads.size(), 1.0);
  each_trip(roads, trips, times, [&](std::size_t k, const ShortestTree& tree) {
    if (!tree.reaches(trips[k].destination))
      throw Error(Code::kBadInput, fmt::format("roads: no route leads from {} to {}, where {} want to go",
                                               trips[k].origin + 1, trips[k].destination + 1, trips[k].demand));
  });
}

Equilibrium users_equilibrium(const Roads& roads, const std::vector<Trip>& trips, const EquilibriumOptions& options) {
  check_connected(roads, trips);
  constexpr int kSweeps = 3;  // of the used routes between two passes: cheaper than trees
  Assignment assignment(roads, trips);
  Equilibrium found;
  found.objective = {-INFINITY, INFINITY};
  for (found.passes = 1;; ++found.passes) {
    if (options.stop != nullptr && options.stop->load()) throw Interrupted{};
    assignment.pass();
    for (int sweep = 0; sweep < kSweeps; ++sweep) assignment.even_out_all();
    assignment.refresh();
    const double driven = total_time(assignment.flow(), assignment.time());
    const double excess = std::max(0.0, driven - quickest_total(roads, trips, assignment.time()));
    const double value = roads.beckmann(assignment.flow());
    found.objective.high = value;
    found.objective.low = std::max(found.objective.low, value - excess);
    found.gap = driven > 0 ? excess / driven : 0;
    if (found.gap <= options.gap || found.passes >= options.most_passes) break;
  }
  found.flow = assignment.flow();
  return found;
}

}  // namespace tarry::lab
