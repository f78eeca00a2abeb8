// Labels that come early are of one kind: a paid fine is known long before an unpaid one. This keeps how late the
// labels of each class come, guesses from the late ones what is still open, and says what a label of its class counts,
// so that the labels that have come stand for all rounds (docs/theory.md, 12.2).
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry {

class LabelDelays {
 public:
  static constexpr std::size_t kClasses = 8;  // that are told apart; the eighth stands for all others

  void play();                                // the next round
  double receive(Round t, std::size_t kind);  // what its label counts; 1 where delays say nothing
  void abandon(Round t);                      // it will have no label

  // The least of the classes' weights by the largest: 1 where early labels tell the truth.
  double trust() const;
  const Vec& weights() const { return weights_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  // Rounds in the order of their plays, equally many in each but the last.
  struct Cohort {
    double open = 0;
    Vec answered;  // by class
    double count(std::size_t c) const { return c < answered.size() ? answered[c] : 0; }
  };
  Cohort& cohort_of(Round t);
  static void add(Vec& counts, std::size_t kind);
  void weigh();
  std::vector<Vec> later() const;
  double guess(const Vec& later, std::size_t c, double share) const;

  double played_ = 0, received_ = 0;
  double length_ = 1;  // rounds of a cohort
  double weigh_at_ = 0;
  std::vector<Cohort> cohorts_;
  std::vector<Vec> delays_;  // labels by half-octave of the delay, then by class
  Vec answered_;             // by class
  Vec weights_;
};

}  // namespace tarry
