// Long runs of counter-based Gaussian numbers, the same bits on every CPU and for every number of threads: what random
// perturbations of a whole decision are made of. To single precision, by Box and Muller on Philox's bits.
#pragma once

#include <cstdint>
#include <span>

namespace tarry {

// Fills z with independent standard Gaussians that are a function of (seed, stream, index) alone. Returns Σ z².
double fill_gaussian(std::uint64_t seed, std::uint64_t stream, std::span<float> z);

}  // namespace tarry
