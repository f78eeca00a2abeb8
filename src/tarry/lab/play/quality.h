// How good predictions were, beyond one number: whether probabilities can be believed, which classes are taken for
// which, how large errors are for small and for large outcomes, and which features the model goes by in the end.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tarry/lab/play/game.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {

struct Quality {
  // Predictions that were alike, in means.
  struct Bin {
    double rounds = 0, predicted = 0, outcome = 0, error = 0;  // error: |prediction − outcome| of numbers
  };
  // By tenths of the probability of true, or of the class that was thought likeliest, whose outcome is then whether it
  // was; or, of numbers, by tenths of the rounds, from the smallest prediction to the largest.
  std::vector<Bin> calibration = {};
  std::vector<Bin> by_size = {};          // of numbers: tenths of the rounds, from the smallest outcome to the largest
  std::vector<std::string> classes = {};  // of the confusion, most frequent first; two classes have no names here
  std::vector<Vec> confusion = {};        // how often what is the first was taken for the second
  std::vector<Model::Weight> weights = {};  // that the model ended with, largest first
  std::vector<Model::Curve> curves = {};    // of the numbers that say most
};

class QualityCount {
 public:
  // Both must outlive it.
  QualityCount(const Table& table, const Model& model);

  void add(const RoundPlayed& round);
  Quality quality() const;

 private:
  void add_number(double prediction, double outcome) { numbers_.emplace_back(prediction, outcome); }
  void add_class(const RoundPlayed& round);
  std::size_t known_class(double predicted) const;  // among the data's; past the last: none

  const Table& table_;
  const Model& model_;
  Measure measure_;
  std::vector<Quality::Bin> tenths_;                             // sums
  std::vector<std::pair<double, double>> numbers_;               // predictions and outcomes
  std::map<std::pair<std::size_t, std::size_t>, double> taken_;  // (is, was taken for)
  std::map<std::size_t, double> last_label_;                     // of rows that were corrected
};

}  // namespace tarry::lab
