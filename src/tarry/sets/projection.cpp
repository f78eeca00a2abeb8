#include "tarry/sets/projection.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tarry/linalg/norms.h"

namespace tarry {

// The answer does not change when one number is taken from every entry. With the largest at 0 the threshold is in
// [−radius, 0), and a point far outside loses none of the radius' digits.
void project_simplex(std::span<double> x, double radius) {
  const double largest = *std::max_element(x.begin(), x.end());
  for (double& xi : x) xi -= largest;
  Vec sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double prefix = 0, threshold = -radius;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    prefix += sorted[k];
    const double candidate = (prefix - radius) / static_cast<double>(k + 1);
    if (sorted[k] <= candidate) break;
    threshold = candidate;
  }
  for (double& xi : x) xi = std::max(0.0, xi - threshold);
}

void project_unit_simplex(std::span<double> x, double radius) {
  double total = 0;
  for (double xi : x) total += std::max(0.0, xi);
  if (total > radius) return project_simplex(x, radius);
  for (double& xi : x) xi = std::max(0.0, xi);
}

void project_l1(std::span<double> x, double radius) {
  if (norm1(x) <= radius) return;
  Vec magnitude(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) magnitude[i] = std::fabs(x[i]);
  project_simplex(magnitude, radius);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::copysign(magnitude[i], x[i]);
}

}  // namespace tarry
