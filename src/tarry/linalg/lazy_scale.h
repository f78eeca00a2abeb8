// y = scale · z: a step multiplies one number instead of n, and now and then the scale is folded into z.
#pragma once

namespace tarry {

inline constexpr double kFoldBelow = 1e-100;

// How to carry out y ← (1 − σ) y + σ v on z:  z ← fold · z + weight · v,  y = scale · z.
struct LazyStep {
  double scale;
  double fold;  // 1 except when the scale has become tiny (or 0: σ = 1)
  double weight;
};

inline LazyStep lazy_step(double scale, double sigma) {
  const double shrunk = scale * (1 - sigma);
  if (shrunk < kFoldBelow) return {1, shrunk, sigma};
  return {shrunk, 1, sigma / shrunk};
}

// ‖v − y‖² from ‖v‖², ‖y‖² and ⟨v, y⟩ is trusted down to this share of ‖v‖² + ‖y‖²: a σ computed from it then
// moves y by an error of at most about 1e-14.
inline constexpr double kCancelled = 1e-3;

}  // namespace tarry
