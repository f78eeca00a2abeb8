// The loops of AdaGrad at eight rates, for every instruction set. A lane is a rate: lanes never mix, so that all sets
// give the same bits as plain code.
#pragma once

#include <cstddef>
#include <span>

namespace tarry::kernels {

inline constexpr std::size_t kAdagradRates = 8;

// Eight rates of every coordinate: x, then A, 16 numbers one after the other.
struct AdagradStep {
  const double* rates;   // ρ, eight
  const double* slopes;  // of the loss, eight
};
struct AdagradLimits {
  double lower, upper, unit;
};

// predictions += value · x for each of the coordinates, told by where their numbers are; one whose value is 0 is not
// looked at.
void adagrad_predict(const double* const* at, std::span<const double> values, double* predictions);
// One step in each of the coordinates, which have the same limits.
void adagrad_learn(double* const* at, std::span<const double> values, const AdagradStep& step,
                   const AdagradLimits& limits);
// The same in two halves: A grows by the squares of slope · value, and reach, of eight, by unit · ρ · value²/√A, what a
// slope of 1 would move the predictions by; then the step, with slopes that may be others by now. `roots`, eight a
// coordinate, keeps √A for the step; null there: it is found again.
void adagrad_grow(double* const* at, std::span<const double> values, const AdagradStep& step, double unit,
                  double* reach, double* roots);
void adagrad_step(double* const* at, std::span<const double> values, const AdagradStep& step,
                  const AdagradLimits& limits, const double* roots);

}  // namespace tarry::kernels
