// Elementary functions of several numbers at once, for every instruction set: the bits of base/elementary.h.
#pragma once

#include <span>

namespace tarry::kernels {

// In place.
void exp_each(std::span<double> x);
void log1p_each(std::span<double> x);
void pow_each(std::span<double> x, double y);
// Of the logistic loss, at predictions p of a label y = ±1: what (losses/classification.h) finds of each by itself.
void logistic_slopes(std::span<const double> p, double y, double weight, std::span<double> slopes);
void logistic_values(std::span<const double> p, double y, double weight, std::span<double> values);

}  // namespace tarry::kernels
