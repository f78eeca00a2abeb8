#include "tarry/lab/world/roads_world.h"

#include <algorithm>
#include <queue>

#include "tarry/linalg/dense_kernels.h"

namespace tarry::lab {
namespace {

// Feedback comes when its trip ends, but not before `wait` after it began.
class TripEnds final : public Delays {
 public:
  TripEnds(double departures, const double& last_trip, double wait)
      : departures_(departures), last_trip_(last_trip), wait_(wait) {}

  void played(Round t, const AskGradient&) override {
    ends_.push({static_cast<double>(t) / departures_ + std::max(last_trip_, wait_), t});
  }

  // Trips that end before the next traveller leaves: strictly, as with recorded times.
  std::vector<Round> arriving(Round t) override {
    const double next = static_cast<double>(t + 1) / departures_;
    std::vector<Round> rounds;
    for (; !ends_.empty() && ends_.top().first < next; ends_.pop()) rounds.push_back(ends_.top().second);
    return rounds;
  }

 private:
  using End = std::pair<double, Round>;
  double departures_;
  const double& last_trip_;
  double wait_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace

RoadsWorld::RoadsWorld(std::shared_ptr<const Travel> travel)
    : travel_(std::move(travel)),
      traffic_(*travel_),
      decision_(travel_->roads().size()),
      times_(travel_->roads().size()) {}

std::optional<Turn> RoadsWorld::next() { return Turn{play_, travel_->pair_of(rounds_ + 1)}; }

Coming RoadsWorld::answer(Round round, const Model& model, const Model::Outcome& decided) {
  const std::size_t k = travel_->pair_of(round);
  Pair& pair = pairs_.try_emplace(k, Pair{Vec(times_.size(), 0.0)}).first->second;
  model.write(decision_);
  traffic_.measure(round, times_);
  kernels::blend(pair.measured, 1, times_, 1);
  Route route = draw_route(*travel_, k, decision_, round);
  driven_ = 0;
  for (std::uint32_t e : route) {
    driven_ += times_[e];
    ++pair.driven[e];
  }
  time_ += driven_;
  ++pair.rounds;
  traffic_.drive(std::move(route));
  rounds_ = round;
  return {{.round = round, .loss = kernels::dot(times_, decision_)}, Gradient{decided.round, times_}};
}

Recorded RoadsWorld::recorded() {
  return [this](double wait) { return std::make_unique<TripEnds>(travel_->rule().departures, driven_, wait); };
}

// The sums of the measured times are at least 0, and so the best flow is a quickest route.
std::optional<double> RoadsWorld::best_fixed() const {
  ShortestTree tree(travel_->roads());
  double best = 0;
  for (const auto& [k, pair] : pairs_) {
    tree.grow(travel_->trips()[k].origin, pair.measured);
    best += tree.time_to(travel_->trips()[k].destination);
  }
  return best;
}

std::map<std::string, double> RoadsWorld::metrics() const {
  return {{"travel_time", mean_time()}, {"beckmann_gap", beckmann_gap()}};
}

double RoadsWorld::mean_time() const { return time_ / static_cast<double>(rounds_); }

// Pairs without a traveller so far would begin with their free routes.
Vec RoadsWorld::average_flow() const {
  Vec flow(times_.size(), 0.0);
  for (std::size_t k = 0; k < travel_->trips().size(); ++k) {
    const double demand = travel_->trips()[k].demand;
    const auto pair = pairs_.find(k);
    if (pair == pairs_.end()) {
      for (std::uint32_t e : travel_->free_route(k)) flow[e] += demand;
      continue;
    }
    for (const auto& [e, count] : pair->second.driven)
      flow[e] += demand * static_cast<double>(count) / static_cast<double>(pair->second.rounds);
  }
  return flow;
}

RoadUse RoadsWorld::roads() const {
  RoadUse use{average_flow(), Vec(times_.size())};
  travel_->roads().times(use.flow, use.time);
  return use;
}

double RoadsWorld::beckmann_gap() const {
  return travel_->roads().beckmann(average_flow()) / travel_->equilibrium().objective.low - 1;
}

}  // namespace tarry::lab
