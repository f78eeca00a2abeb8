// What a model predicted in each round of a game, as a table to look at single rows.
#pragma once

#include <string>

#include "tarry/lab/play/game.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {

// row,round,prediction,label,seen,known,feedback: the row of the file (the first is 1), the round it was played in, the
// probability of true, the class or the number that was predicted before the label was known, the label (empty: it
// never came), when the row and its label were known, as the file has it in seconds, and what became of the label: it
// came, it never comes ("lost"), or it had not come when the game ended ("on its way"). Of several classes the
// probability of each follows, in columns "p NAME".
class Predictions {
 public:
  Predictions(const Table& table, const Model& model)
      : table_(table), model_(model), margins_(measure_of(table.loss_name) == Measure::kMargin) {}

  void add(const RoundPlayed& round);
  // `never`: whether the label of a round never comes.
  std::string csv(const std::function<bool(Round)>& never) const;

 private:
  const Table& table_;
  const Model& model_;
  bool margins_;
  static constexpr std::size_t kMostClasses = 100;
  bool shows_classes() const;
  void add_probabilities(const RoundPlayed& round);

  std::string lines_, chances_;
  std::vector<std::size_t> ends_, chance_ends_;  // of the lines
};

}  // namespace tarry::lab
