// One simulated game: models against a world and a model of delays. It only feeds events into Model::apply; this is the
// one place where simulated time passes.
#pragma once

#include <functional>
#include <memory>

#include "tarry/lab/streams/stream.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

struct GameOptions {
  Round rounds = 0;                                                           // at most
  std::function<void(const RoundPlayed& round, const Played& so_far)> after;  // at the end of each round
  std::function<double()> clock;                                              // seconds; the library has none itself
  const std::vector<std::string>* only = nullptr;     // the features that a model of named ones sees; null: all
  std::function<void(const Event& event)> told = {};  // every event, once it was applied
  // How events are applied; empty: by Model::apply, and nothing else.
  std::function<Model::Outcome(Model& model, const Event& event)> apply = {};
};

// Who plays: the model of each seat.
using Seats = std::function<Model&(std::size_t seat)>;

// Each round the world asks, a model decides, and what arrives at the round's end is applied, in the order of arrival.
Played play_game(const Seats& seats, World& world, Delays& delays, const GameOptions& options);
Played play_game(Model& model, World& world, Delays& delays, const GameOptions& options);
Played play_game(Model& model, const Stream& stream, Delays& delays, const GameOptions& options);

// A new world of the stream, which must outlive it. `named` and `only`: how a table shows its rows.
std::unique_ptr<World> begin(const Stream& stream, bool named, const std::vector<std::string>* only = nullptr);

// A stream of losses over the raw decision, for games without a file.
Stream raw_game(RawStream raw, Index dimension);

}  // namespace tarry::lab
