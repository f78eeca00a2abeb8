// Two low-rank matrices over one pair of bases: y = Σ y_k u_k w_kᵀ, and p = Σ p_kl u_k w_lᵀ, which one decomposition
// cannot make diagonal as well. Dense algebra on the bases: orthonormal again, truncated, or the difference to a point.
#pragma once

#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

struct Factors {
  std::vector<Vec> u, w;  // as many of each; a short column is zero below its end
  Vec y;
  Vec p;  // row-major; empty: zero
};

// What may be lost, beside rounding, when ⟨S + p, y⟩ + (b/2)‖y‖² is what counts.
struct Truncation {
  double rise = 0;      // of that
  double spurious = 0;  // ‖·‖ of the change of p
  double b = 0;
  double s_norm = 0;  // ‖S‖
};

// The same two matrices, within what is allowed, over orthonormal bases of the least size.
Factors refactor(const Factors& f, const Truncation& allowed);

// y alone as Σ σ_k x_k z_kᵀ over orthonormal x and z, without what is rounding beside `size`.
struct Spectrum {
  std::vector<Vec> x, z;
  Vec sigma;
  double times_p = 0;  // ⟨y, p⟩, of the p given
};
Spectrum spectrum(const Factors& f, double size);

}  // namespace tarry
