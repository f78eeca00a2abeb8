// How far trees are believed, by what has been lost on the way from the banks' mean to them (docs/theory.md, 12.6).
// Labels that come first may be of one kind, and trees that were grown on them fit these best: so what was lost is held
// back, cohort by cohort of rounds, until nearly all labels of a cohort have come.
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
  void load(ByteReader& in);

 private:
  struct Sums {
    double labels = 0;
    Steps behind = {}, squares = {};
    void add(const Sums& other);
  };
  struct Cohort {
    double rounds = 0, labels = 0, waited = 0;  // waited: Σ of how old rounds were when their labels came
    Sums held;
    bool counted = false;  // what comes later counts at once
  };
  std::optional<std::size_t> cohort_of(Round t) const;
  bool complete(std::size_t cohort) const;
  void count(Sums& held);
  void merge_pairs();

  Round played_ = 0, before_ = 0, width_ = 32;  // before_: the last round before the first cohort
  std::vector<Cohort> cohorts_;                 // of width_ rounds each
  Sums counted_;
};

}  // namespace tarry
