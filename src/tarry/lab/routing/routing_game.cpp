#include "tarry/lab/routing/routing_game.h"

#include <algorithm>

#include "tarry/learners/snapshot.h"
#include "tarry/linalg/dense_kernels.h"

namespace tarry::lab {

RoutingGame::RoutingGame(std::shared_ptr<const RoutingWorld> world, Options options)
    : world_(std::move(world)),
      options_(std::move(options)),
      traffic_(*world_),
      decision_(world_->roads().size()),
      times_(world_->roads().size()) {}

RoutingGame::Pair& RoutingGame::pair_at(std::size_t k) {
  const auto found = pairs_.find(k);
  if (found != pairs_.end()) return found->second;
  return pairs_.emplace(k, Pair{options_.make_model(k), Vec(times_.size(), 0.0), {}, 0}).first->second;
}

template <class Step>
auto RoutingGame::timed(Step step) {
  if (!options_.clock) return step();
  const double before = options_.clock();
  auto outcome = step();
  seconds_ += options_.clock() - before;
  return outcome;
}

void RoutingGame::play(Round t) {
  const std::size_t k = world_->pair_of(t);
  Pair& pair = pair_at(k);
  delays_.sum_outstanding += static_cast<double>(outstanding());
  const Round round = timed([&] { return pair.model.play(); }).round;
  pair.model.write(decision_);
  traffic_.measure(t, times_);
  loss_ += kernels::dot(times_, decision_);
  kernels::blend(pair.measured, 1, times_, 1);

  Route route = draw_route(*world_, k, decision_, t);
  double driven = 0;
  for (std::uint32_t e : route) {
    driven += times_[e];
    ++pair.driven[e];
  }
  time_ += driven;
  ++pair.rounds;
  traffic_.drive(std::move(route));

  in_transit_.emplace(t, Report{k, round, times_});
  delays_.most_outstanding = std::max(delays_.most_outstanding, outstanding());
  const double left = static_cast<double>(t) / world_->rule().departures;
  if (options_.delays)
    options_.delays->played(t, Covector::dense(times_));
  else
    endings_.push({left + std::max(driven, options_.wait), t});
  rounds_ = t;
  for (Round arrived : arriving(t)) deliver(arrived, t);
}

// Trips that end before the next traveller leaves: strictly, as with recorded times.
std::vector<Round> RoutingGame::arriving(Round t) {
  if (options_.delays) return options_.delays->arriving(t);
  const double next = static_cast<double>(t + 1) / world_->rule().departures;
  std::vector<Round> rounds;
  for (; !endings_.empty() && endings_.top().time < next; endings_.pop()) rounds.push_back(endings_.top().round);
  return rounds;
}

void RoutingGame::deliver(Round k, Round t) {
  const auto report = in_transit_.extract(k);
  const auto& [pair, round, times] = report.mapped();
  timed([&, r = round, &of = times, p = pair] { return pairs_.at(p).model.receive(r, Covector::dense(of)); });
  delays_.add(t - k + 1);
}

// The sums of the measured times are at least 0, and so the best flow is a quickest route.
double RoutingGame::best_fixed() const {
  ShortestTree tree(world_->roads());
  double best = 0;
  for (const auto& [k, pair] : pairs_) {
    tree.grow(world_->trips()[k].origin, pair.measured);
    best += tree.time_to(world_->trips()[k].destination);
  }
  return best;
}

std::optional<double> RoutingGame::certificate() const {
  double sum = 0;
  for (const auto& [k, pair] : pairs_) {
    const auto bound = pair.model.certificate();
    if (!bound) return std::nullopt;
    sum += *bound;
  }
  return sum;
}

double RoutingGame::mean_time() const { return time_ / static_cast<double>(rounds_); }

// Pairs of which nobody has come yet would begin with their free routes.
Vec RoutingGame::average_flow() const {
  Vec flow(times_.size(), 0.0);
  for (std::size_t k = 0; k < world_->trips().size(); ++k) {
    const double demand = world_->trips()[k].demand;
    const auto pair = pairs_.find(k);
    if (pair == pairs_.end()) {
      for (std::uint32_t e : world_->free_route(k)) flow[e] += demand;
      continue;
    }
    const auto& [model, measured, driven, rounds] = pair->second;
    for (const auto& [e, count] : driven) flow[e] += demand * static_cast<double>(count) / static_cast<double>(rounds);
  }
  return flow;
}

double RoutingGame::beckmann_gap() const {
  return world_->roads().beckmann(average_flow()) / world_->equilibrium().objective.low - 1;
}

std::size_t RoutingGame::state_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [k, pair] : pairs_) bytes += snapshot_size(pair.model.learner());
  return bytes;
}

}  // namespace tarry::lab
