// A game on the roads, as a world: each round a traveller asks for a route, and what the links took comes back when the
// trip ends. The world reacts to what is decided.
//
// Each pair of zones is a seat, with a model of its own: one model for all would be a product with a block for each
// pair, and a round touches only one. So a round costs the same however many pairs there are, and the best fixed routes
// are found pair by pair.
#pragma once

#include <memory>

#include "tarry/lab/routing/traffic.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

class RoadsWorld final : public World {
 public:
  explicit RoadsWorld(std::shared_ptr<const Travel> travel);

  std::optional<Turn> next() override;
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override { return Covector::dense(times_); }
  Recorded recorded() override;  // the trips' own ends

  const Travel& travel() const { return *travel_; }
  // All of what follows is about the rounds so far.
  std::optional<double> best_fixed() const override;  // Σ ⟨measured times, x⟩ for the best fixed route x of each pair
  std::map<std::string, double> metrics() const override;  // travel_time, beckmann_gap
  double mean_time() const;                                // of the routes that were driven
  RoadUse roads() const override;                          // each pair's routes in the mean, times its demand
  Vec average_flow() const;                                // each pair's routes in the mean, times its demand
  double beckmann_gap() const;                             // of that flow above the equilibrium's lower end, relative

 private:
  struct Pair {
    Vec measured;                                        // Σ of the times of its rounds
    std::map<std::uint32_t, std::uint64_t> driven = {};  // how many took each link
    std::uint64_t rounds = 0;
  };

  std::shared_ptr<const Travel> travel_;
  Traffic traffic_;
  const Event play_ = Play{};
  std::map<std::size_t, Pair> pairs_;
  Round rounds_ = 0;
  Vec decision_, times_;
  double driven_ = 0;  // the time of the last trip
  double time_ = 0;    // of all trips
};

}  // namespace tarry::lab
