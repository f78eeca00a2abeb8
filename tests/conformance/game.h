// Random games with late, lost and shuffled feedback, and what is needed to play one.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/learners/any_learner.h"

namespace tarry::conformance {

struct GameEvent {
  enum class Kind { kPlay, kReceive, kAbandon };
  Kind kind;
  Round round;
};

// A gradient of at most `gradient_bound`, given dense or by its non-zeros.
struct GameGradient {
  Vec dense;
  std::vector<Index> indices;  // empty: hand it over dense
  Vec values;

  void by_index();  // hand it over by index from now on
  Covector covector() const { return indices.empty() ? Covector::dense(dense) : Covector::sparse(indices, values); }
};

struct Game {
  std::vector<GameEvent> events;
  std::vector<GameGradient> gradients;  // of round t at t − 1

  const GameGradient& gradient(Round t) const { return gradients[static_cast<std::size_t>(t - 1)]; }
};

struct GameShape {
  Index dimension;
  Round rounds = 40;
  Round largest_delay = 8;
  bool shuffled = true;  // feedback that arrives together comes in any order; else in ascending round
  double lost = 0.1;     // share of rounds that are never answered; half of those are abandoned
  double sparse = 0.4;   // share of gradients with zeros in them, given by their non-zeros
  double gradient_bound = 3;
};

Game random_game(const GameShape& shape, RandomSequence& random);
// Every round answered before the next is played.
Game undelayed_game(Index dimension, Round rounds, RandomSequence& random);

// A learner at work, with the memos that the ledger would keep for it.
class Player {
 public:
  Player(AnyLearner learner, Index dimension) : learner_(std::move(learner)), x_(static_cast<std::size_t>(dimension)) {}

  // The decision, when the event was a play.
  std::optional<Vec> apply(const Game& game, const GameEvent& event);
  std::vector<Vec> play_all(const Game& game);

  AnyLearner& learner() { return learner_; }
  const std::map<Round, Memo>& memos() const { return memos_; }
  void keep(std::map<Round, Memo> memos) { memos_ = std::move(memos); }

 private:
  AnyLearner learner_;
  std::map<Round, Memo> memos_;
  Vec x_;
};

}  // namespace tarry::conformance
