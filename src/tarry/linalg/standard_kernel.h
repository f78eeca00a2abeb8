// Numbers counted and standardised, many features at once, for every instruction set. A lane is a feature: lanes never
// mix, so that all sets give the same bits as plain code.
#pragma once

#include <cstddef>

namespace tarry::kernels {

inline constexpr std::size_t kStandardLanes = 8;
inline constexpr double kStandardRounding = 1e-14;  // of a variance, beside the squares that it is the difference of
inline constexpr double kStandardFar = 5;           // deviations: what an indicator's rare absence says at most

// Eight features, side by side.
struct StandardBlock {
  using Each = double[kStandardLanes];
  Each value = {};              // as it came
  Each first = {};              // sums are taken from there
  Each sum = {}, squares = {};  // Σ (value − first), Σ (value − first)²: without this value; then with it
  Each count = {}, rows = {};   // with this value; the rows beyond its count had 0
  Each limit = {};              // nearer to `first` than this, a value is taken as it is
  Each says_one = {};           // the value that says 1 where it has never varied; NaN: none
  Each standard = {};           // NaN: this one is to be looked at by itself, and was not added to the sums
};
void standardise(StandardBlock* blocks, std::size_t features);

}  // namespace tarry::kernels
