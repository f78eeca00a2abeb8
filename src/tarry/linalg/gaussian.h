// Long runs of counter-based Gaussian numbers, the same bits on every CPU and for every number of threads.
#pragma once

#include <cstdint>
#include <span>

namespace tarry {

// Fills z with independent standard Gaussians that are a function of (seed, stream, index) alone. Returns Σ z².
double fill_gaussian(std::uint64_t seed, std::uint64_t stream, std::span<double> z);

}  // namespace tarry
