// A game on the roads: each round a traveller asks for a route, and what the links took comes back when the trip ends.
//
// Each pair of zones has a model of its own, made when its first traveller comes: one model for all would be a product
// with a block for each pair, of which a round touches one. So a round costs the same however many pairs there are, and
// the best fixed routes are found pair by pair. Here time passes as in lab/play/game.h, but the world reacts to what is
// decided: it is part of the game, and not of the stream.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <queue>

#include "tarry/lab/delays/delays.h"
#include "tarry/lab/routing/traffic.h"
#include "tarry/model/model.h"

namespace tarry::lab {

class RoutingGame {
 public:
  struct Options {
    std::function<Model(std::size_t pair)> make_model;
    std::unique_ptr<Delays> delays;  // none: times come back when the trip ends, but not before …
    double wait = 0;                 // … this long after it began
    std::function<double()> clock;   // seconds; may be empty
  };
  RoutingGame(std::shared_ptr<const RoutingWorld> world, Options options);

  void play(Round t);  // 1, 2, …

  // All of what follows is about the rounds so far.
  double loss() const { return loss_; }       // Σ ⟨measured times, decision⟩
  double best_fixed() const;                  // the same for the best fixed route of each pair
  std::optional<double> certificate() const;  // Σ over pairs; none where one has none
  double mean_time() const;                   // of the routes that were driven
  Vec average_flow() const;                   // each pair's routes in the mean, times its demand
  double beckmann_gap() const;                // of that flow above the equilibrium's lower end, relative
  double seconds() const { return seconds_; }
  std::size_t state_bytes() const;
  std::uint64_t outstanding() const { return in_transit_.size(); }
  const DelayCounts& delays() const { return delays_; }

 private:
  struct Pair {
    Model model;
    Vec measured;                                   // Σ of the times of its rounds
    std::map<std::uint32_t, std::uint64_t> driven;  // how many took each link
    std::uint64_t rounds = 0;
  };
  struct Report {  // on its way
    std::size_t pair = 0;
    Round round = 0;  // the pair's own
    Vec times;
  };
  struct Ending {
    double time = 0;
    Round round = 0;
    auto operator<=>(const Ending&) const = default;
  };

  Pair& pair_at(std::size_t k);
  std::vector<Round> arriving(Round t);
  void deliver(Round k, Round t);
  template <class Step>
  auto timed(Step step);

  std::shared_ptr<const RoutingWorld> world_;
  Options options_;
  Traffic traffic_;
  std::map<std::size_t, Pair> pairs_;
  std::map<Round, Report> in_transit_;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings_;
  DelayCounts delays_;
  Vec decision_, times_;
  double loss_ = 0, time_ = 0, seconds_ = 0;
  Round rounds_ = 0;
};

}  // namespace tarry::lab
