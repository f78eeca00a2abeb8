// What was predicted on average beside what came of it: over all rounds whose label is known by the end, and over those
// of the second half. Probabilities beside shares, or numbers beside numbers.
#pragma once

#include <optional>

#include "tarry/lab/play/game.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {

struct Mean {
  double rounds = 0, predicted = 0, outcome = 0;  // sums

  void add(double p, double y) {
    rounds += 1;
    predicted += p;
    outcome += y;
  }
};

class Means {
 public:
  Means() = default;
  Means(const Stream& stream, Round rounds) : half_(rounds / 2) {
    if (const Table* table = stream.table()) {
      loss_ = table->loss;
      measure_ = measure_of(table->loss_name);
    }
  }

  void add(const RoundPlayed& round) {
    if (!round.judged || !loss_ || (measure_ != Measure::kMargin && measure_ != Measure::kError)) return;
    const bool margin = measure_ == Measure::kMargin;
    const double p = margin ? loss_->shown(round.prediction) : round.prediction;
    const double y = margin ? (round.label > 0 ? 1 : 0) : round.label;
    all.add(p, y);
    if (round.round > half_) later.add(p, y);
  }

  Mean all, later;  // later: of the second half

 private:
  std::optional<AnyLoss> loss_;
  Measure measure_ = Measure::kNone;
  Round half_ = 0;
};

}  // namespace tarry::lab
