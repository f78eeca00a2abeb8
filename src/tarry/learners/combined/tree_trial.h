// How far trees are believed, by what has been lost on the way from the banks' mean to them (docs/theory.md, 12.6).
// Labels that come first may be of one kind, and trees that were grown on them fit these best: so what was lost is held
// back, cohort by cohort of rounds, until nearly all labels that will come of a cohort have come. How many will is seen
// in rounds of long ago.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/ledger/round.h"

namespace tarry {

class TreeTrial {
 public:
  static constexpr std::size_t kSteps = 4;  // bases on the way
  using Steps = std::array<double, kSteps>;

  void play();         // the next round
  void gone(Round t);  // it will have no label
  // What each step has lost beyond the banks' mean in a round.
  void came(Round t, const Steps& behind);
  // The odds of each step against the banks' mean, for losses that are believed at this rate.
  Steps odds(double rate) const;

  void begin_at(Round played);  // where what came before is not known
  void save(ByteWriter& out) const;
  void load(ByteReader& in, bool ages);  // false: an earlier version wrote it, without ages_

 private:
  struct Sums {
    double labels = 0;
    Steps behind = {}, squares = {};
    void add(const Sums& other);
  };
  struct Came {
    double rounds = 0, labels = 0, waited = 0;  // waited: Σ of how old rounds were when their labels came
    void add(Round age);
    // Whether that was so many of their mean waits ago.
    bool ago(Round by, double waits) const { return static_cast<double>(by) * labels >= waits * waited; }
  };
  struct Cohort : Came {
    Sums held;
    bool counted = false;  // what comes later counts at once
  };
  std::optional<std::size_t> cohort_of(Round t) const;
  Came* age_of(Round t);
  double will_come() const;
  bool complete(std::size_t cohort) const;
  void count(Sums& held);
  void merge_pairs();

  Round played_ = 0, before_ = 0, width_ = 32;  // before_: the last round before the first cohort
  std::vector<Cohort> cohorts_;                 // of width_ rounds each
  Round unknown_ = 0;                           // the last round that is not in ages_
  std::vector<Came> ages_;                      // of rounds 1, 2 to 3, 4 to 7, …
  Sums counted_;
};

}  // namespace tarry
