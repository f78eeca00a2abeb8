#include "tarry/lab/hindsight/growth.h"

#include <cmath>

#include "tarry/base/elementary.h"

namespace tarry::lab {

std::optional<double> fitted_exponent(std::span<const double> rounds, std::span<const double> values) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    if (!(values[i] > 0) || !std::isfinite(values[i])) continue;
    const double log_t = tarry::log(rounds[i]), log_r = tarry::log(values[i]);
    n += 1;
    x += log_t;
    y += log_r;
    xx += log_t * log_t;
    xy += log_t * log_r;
  }
  const double spread = n * xx - x * x;
  if (n < 3 || spread <= 0) return std::nullopt;
  return (n * xy - x * y) / spread;
}

}  // namespace tarry::lab
