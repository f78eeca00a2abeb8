// Raises an alarm when evidence against "as usual" has piled up: an e-detector of Shiryaev and Roberts' form (Shin,
// Ramdas and Rinaldo, "E-detectors", 2022, section 3). Each step brings an e-value, a number that is not negative and
// on average at most 1 while nothing has changed, whatever came before.
//
//   R = (R + budget) · e;  R ≥ 1: alarm, and R = 0
//
// While nothing changes, R plus the number of alarms less the budgets spent is a supermartingale: the alarms expected
// by any time are at most the budgets spent until then. So budgets are false alarms. Those of many detectors add up.
// Differs from the paper: budgets may differ by step, where the paper has 1/threshold at each.
#pragma once

namespace tarry::quality {

class EDetector {
 public:
  // True: an alarm. `budget`: how many false alarms this step may bring on average.
  bool step(double budget, double e) {
    quiet_ = level_ <= kLittle * budget;
    level_ = (level_ + budget) * e;
    if (level_ < 1) return false;
    level_ = 0;
    return true;
  }
  bool was_quiet() const { return quiet_; }  // nothing spoke for a change before the last step
  bool is_quiet(double budget) const { return level_ <= kLittle * budget; }  // nothing does after it
  void restart() { level_ = 0; }
  double level() const { return level_; }
  void set_level(double level) { level_ = level; }  // as it was saved

 private:
  static constexpr double kLittle = 3;

  double level_ = 0;
  bool quiet_ = true;
};

}  // namespace tarry::quality
