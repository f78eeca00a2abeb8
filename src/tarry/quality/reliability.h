// Predictions beside what came of them, by bins of the prediction: of probabilities by their tenths, with finer bins
// near 0 and 1. Labels that came count, whenever they came; old ones count less and less. One thread at a time.
#pragma once

#include <array>
#include <cstddef>

namespace tarry::quality {

class Reliability {
 public:
  static constexpr std::size_t kBins = 14;
  struct Bin {
    double labels = 0, predicted = 0, outcome = 0;  // sums

    template <class F>
    void fields(F& f) {
      f(labels, predicted, outcome);
    }
  };

  void add(double probability, bool happened);
  const std::array<Bin, kBins>& bins() const { return bins_; }
  Bin all() const;
  // The mean over labels of how far the share that happened is from what was predicted, bin by bin (ECE).
  double error() const;
  // What error() would be on average if every prediction were right: chance alone.
  double error_by_chance() const;

  template <class F>
  void fields(F& f) {
    f(bins_);
  }

 private:
  std::array<Bin, kBins> bins_{};
};

}  // namespace tarry::quality
