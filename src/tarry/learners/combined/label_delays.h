// Labels that come early are of one kind: a paid fine is known long before an unpaid one. This keeps how late the
// labels of each class come, guesses from that what is still open, and says what a label of its class counts, so that
// the labels that have come stand for all rounds (docs/theory.md, 12.2).
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
    std::vector<Vec> came;  // labels by half-octave of the delay, then by class
    double answered() const;
    double answered(std::size_t c) const;
    double came_in(std::size_t b) const;
  };
  // What became of rounds by the time they had been open: with the open ones as they are, no guess yet.
  struct Course {
    Vec open;               // by half-octave: the share of rounds that is open when it begins; one more for the end
    std::vector<Vec> came;  // by half-octave, then class: the share of rounds that was answered so before it
    std::vector<Vec> seen;  // by half-octave, then class: labels
    double waited = 0;      // the chance of a label in one round of waiting, by the first tenth of them
    std::size_t bins() const { return seen.size(); }
  };
  Cohort& cohort_of(Round t);
  void weigh();
  Course course(std::size_t classes) const;
  Vec unknown(const Course& course) const;

  double played_ = 0, received_ = 0;
  double length_ = 1;  // rounds of a cohort
  double weigh_at_ = 0;
  std::vector<Cohort> cohorts_;
  std::size_t classes_ = 0;  // one more than the largest that came
  Vec weights_;
};

}  // namespace tarry
