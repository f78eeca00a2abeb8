// One column of a stream (a feature, predictions, labels, delays), watched for a change: does it look as it did at this
// time of the week in the last weeks? Blocks of ten minutes are compared with what is usual (week_profile.h), the
// distances are ranked among all before (score_ranks.h), and evidence adds up (e_detector.h). The first day teaches the
// bins, the next seven what is usual; from then on it speaks. One thread at a time.
//
// What must hold for the rate of false alarms: while nothing has changed, distances of blocks from what is usual are
// exchangeable. Days that differ as a whole come close to that only once there were some such days.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tarry/quality/e_detector.h"
#include "tarry/quality/examples.h"
#include "tarry/quality/score_ranks.h"
#include "tarry/quality/week_profile.h"

namespace tarry::quality {

inline constexpr std::int64_t kBlockMs = 600'000, kDayMs = 24 * 3'600'000LL;
inline constexpr std::int64_t kLearnBinsMs = kDayMs, kLearnMs = kDayMs + kWeekMs;

// A step of a watch: scores, their ranks and the evidence, for whatever is scored.
class ScoredSteps {
 public:
  enum class Turn : std::uint8_t { kNone, kAlarm, kOver };

  // `budget`: the false alarms that this step may bring. `from_ms`: where what was scored began.
  Turn score(double score, double uniform, double budget, std::int64_t from_ms);
  bool alarmed() const { return alarmed_; }
  std::int64_t since_ms() const { return since_ms_; }                                     // when the evidence began
  bool is_quiet(double budget) const { return !alarmed_ && detector_.is_quiet(budget); }  // there is none
  double scores() const { return ranks_.scores(); }

  void save(ByteWriter& out) const;
  static ScoredSteps load(ByteReader& in);

 private:
  ScoreRanks ranks_;
  EDetector detector_;
  bool alarmed_ = false;
  std::uint64_t usual_ = 0;  // steps in a row that look as usual again
  std::int64_t since_ms_ = 0;
};

// What differs most: the share of a bin, beside what it was before the evidence began.
struct Difference {
  BinName bin = {};
  double usual = 0, now = 0;
};

class DriftColumn {
 public:
  explicit DriftColumn(std::int64_t first_ms) : first_ms_(first_ms) {}

  // `uniform`, in (0, 1), is asked for while bins are learnt. `round`: whose value it is; 0: nobody's.
  template <class F>
  void saw(const ColumnValue& value, F uniform, std::uint64_t round, float count = 1) {
    if (!bins_.fixed()) return bins_.learn(value, uniform());
    const std::size_t bin = bins_.bin_of(value);
    block_[bin] += count;
    examples_.saw(bin, round);
  }
  void lacked(std::uint64_t round) { examples_.saw(kMissingBin, round); }  // a value; close() counts them

  struct Block {
    std::int64_t from_ms = 0;
    double missing = 0;        // decisions without a value
    double uniform = 0;        // in (0, 1)
    double budget_per_ms = 0;  // false alarms
  };
  ScoredSteps::Turn close(const Block& block);
  bool learning(std::int64_t now_ms) const { return now_ms - first_ms_ < kLearnMs || !bins_.fixed(); }
  bool alarmed() const { return steps_.alarmed(); }
  std::int64_t since_ms() const { return steps_.since_ms(); }
  const Difference& difference() const { return difference_; }  // at the last step that was scored
  // Rounds of the bin that has most more than it used to, since the evidence began, or since they were last taken.
  std::vector<std::uint64_t> take_rounds();

  void save(ByteWriter& out) const;
  static DriftColumn load(ByteReader& in);

 private:
  struct Pending {  // blocks that are too small to be scored by themselves
    std::int64_t from_ms = 0;
    std::array<double, kBins> counts{}, expected{}, noise{};
    std::array<double, kBins> before{};  // what was expected before the evidence began
    double count = 0;
  };
  void expect(const Block& block);
  double distance();

  std::int64_t first_ms_;
  std::int64_t scored_ms_ = 0;  // up to where budgets are spent
  std::int64_t alarm_ms_ = 0;   // when the last alarm was raised
  Bins bins_;
  BinCounts block_{};
  Pending pending_;
  WeekProfile profile_;
  WeekProfile::Lately lately_;  // of it, since the evidence began
  ScoredSteps steps_;
  Difference difference_;
  std::size_t grew_ = 0;  // the bin that has most more than it used to
  Examples examples_;
};

}  // namespace tarry::quality
