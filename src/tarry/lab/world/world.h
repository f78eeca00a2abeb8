// What models play against: a world asks, and knows at once what will come of each answer. Raw losses, tables and roads
// are worlds, and so is every small game of `tarry verify`. A world is of one game; what games share is its stream's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarry/lab/delays/delays.h"
#include "tarry/model/model.h"

namespace tarry::lab {

// What is asked in a round.
struct Turn {
  const Event& play;     // the world's own: it holds until the next
  std::size_t seat = 0;  // whose turn it is, where several models play: each has rounds of its own
};

// What one round was, seen by the world, which knows every answer at once.
struct RoundPlayed {
  Round round = 0;
  double prediction = 0;
  double label = 0;
  double loss = 0;
  bool judged = true;  // false: nobody ever knew the label, and the round has no loss
  Vec scores = {};     // of a prediction among several classes: what the loss reads
};

// What will come of a round. When it comes is up to the delays.
struct Coming {
  RoundPlayed round;
  std::optional<Event> feedback = std::nullopt;  // nothing: it never does
  // Labels that take the place of the first, in their order, under the numbers by which delays know them: beyond all
  // rounds.
  std::vector<std::pair<Round, Event>> corrections = {};
};

// What a game made of roads: the average flow of each link, and what it takes then.
struct RoadUse {
  Vec flow, time;
};

// What a game summed up.
struct Played {
  double loss = 0;       // Σ f_t(x_t)
  Vec slope_sum = {};    // of raw losses: Σ b_t, and …
  double curvature = 0;  // … Σ of the curvatures: all of the summed loss
  double seconds = 0;    // spent in models, where a clock was given
  DelayCounts delays{};  // in rounds of the game, of all players
};

class World {
 public:
  virtual ~World() = default;

  virtual std::optional<Turn> next() = 0;  // nothing: the world is over
  // The round that `next` asked for was played by this model: what will come of it?
  virtual Coming answer(Round round, const Model& model, const Model::Outcome& decided) = 0;
  // The gradient of the round that was answered last, for delays that ask for it.
  virtual Covector gradient() = 0;

  // The delays of the world's own times, no sooner than `wait` after a round; empty where it has none. They may look at
  // the world while they live.
  virtual Recorded recorded() { return {}; }
  virtual double nine_in_ten() const { return 0; }   // by those times, the wait after which nine in ten have come
  virtual bool never(Round) const { return false; }  // whether nobody ever knows the answer
  virtual void add_to(Played&) const {}  // what the world itself adds up of the round that was answered last
  virtual std::map<std::string, double> metrics() const { return {}; }       // its own, so far
  virtual std::optional<double> best_fixed() const { return std::nullopt; }  // the best fixed decision's loss so far
  virtual RoadUse roads() const { return {}; }                               // so far, where there are any
};

}  // namespace tarry::lab
