// Norms and sums that neither overflow nor underflow on the way, and keep their digits on long vectors.
#pragma once

#include <span>

namespace tarry {

double sum(std::span<const double> x);  // compensated (Neumaier)
bool all_finite(std::span<const double> x);
double max_abs(std::span<const double> x);  // NaN when any entry is
double norm1(std::span<const double> x);
double norm2(std::span<const double> x);
double norm(std::span<const double> x, double p);  // p ≥ 1, may be infinite

// The exponent q with 1/p + 1/q = 1 (infinite for p = 1).
double conjugate(double p);

// Writes the point of the lp ball of the given radius that minimises ⟨c, ·⟩; for p = 1 one coordinate (the first
// of the largest), for c = 0 the zero vector.
void lp_minimiser(std::span<const double> c, double p, double radius, std::span<double> out);

}  // namespace tarry
