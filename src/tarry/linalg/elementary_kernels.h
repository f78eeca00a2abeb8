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
// The slopes where implicit steps from p end (learners/descent/implicit_searches.h), in place of those where they
// begin: a slope of 1 moves a prediction by its reach. Steps that move it by `little` or less keep the slope they have.
void logistic_implicit(std::span<const double> p, std::span<const double> reach, double y, double weight, double little,
                       std::span<double> slopes);
void logistic_values(std::span<const double> p, double y, double weight, std::span<double> values);

}  // namespace tarry::kernels
