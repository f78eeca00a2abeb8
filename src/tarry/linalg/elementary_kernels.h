// exp and ln(1 + x) of several numbers at once, for every instruction set: the bits of base/elementary.h.
#pragma once

#include <span>

namespace tarry::kernels {

// In place.
void exp_each(std::span<double> x);
void log1p_each(std::span<double> x);

}  // namespace tarry::kernels
