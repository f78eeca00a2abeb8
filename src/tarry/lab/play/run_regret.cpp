// A run's regret, once the best decision in hindsight is known.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/lab/play/run.h"

namespace tarry::lab {

void add_regret(RunResult& result, const std::vector<Interval>& best, bool rounding) {
  Curves& curves = result.curves;
  curves.regret_low.clear();
  curves.regret_high.clear();
  for (std::size_t i = 0; i < best.size(); ++i) {
    const double loss = curves.loss[i];
    const double off = rounding ? 0x1p-53 * static_cast<double>(curves.round[i] + 4) * std::fabs(loss) : 0;
    const double low = loss - best[i].high - off, high = loss - best[i].low + off;
    const bool useful = high - low <= std::max({1.0, std::fabs(loss), std::fabs(best[i].low)});
    curves.regret_low.push_back(useful ? low : std::numeric_limits<double>::quiet_NaN());
    curves.regret_high.push_back(useful ? high : std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace tarry::lab
