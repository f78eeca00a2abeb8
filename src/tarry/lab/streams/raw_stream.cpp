#include "tarry/lab/streams/raw_stream.h"

#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {
namespace {

enum RawDraws : std::uint64_t { kSigns = 1, kDirections, kFixed, kPlane, kCentres, kBox };

// Random unit vector number `t` of a stream.
void unit_vector(std::uint64_t seed, std::uint64_t stream, Round t, std::span<double> out) {
  const Random random(seed, stream);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = random.gaussian(t * out.size() + i);
  const double length = norm2(out);
  for (double& x : out) x /= length;
}

void set_scaled(std::span<double> out, const Vec& direction, double factor) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = factor * direction[i];
}

}  // namespace

RawStream constant_stream(Vec direction, double bound) {
  return {[direction = std::move(direction), bound](Round, std::span<const double>, std::span<double> b) {
    set_scaled(b, direction, bound);
  }};
}

RawStream sign_block_stream(Vec direction, double bound, Round block, std::uint64_t seed) {
  return {
      [direction = std::move(direction), bound, block, seed](Round t, std::span<const double>, std::span<double> b) {
        const bool plus = (Random(seed, kSigns).bits((t - 1) / block)[0] & 1) != 0;
        set_scaled(b, direction, plus ? bound : -bound);
      }};
}

RawStream square_wave_stream(Vec direction, double bound, Round half_period) {
  return {
      [direction = std::move(direction), bound, half_period](Round t, std::span<const double>, std::span<double> b) {
        set_scaled(b, direction, (t - 1) / half_period % 2 == 0 ? bound : -bound);
      }};
}

RawStream random_stream(Index dimension, double bound, std::uint64_t seed, double lean) {
  Vec fixed(static_cast<std::size_t>(dimension));
  unit_vector(seed, kFixed, 0, fixed);
  return {[fixed = std::move(fixed), bound, seed, lean](Round t, std::span<const double>, std::span<double> b) {
    unit_vector(seed, kDirections, t, b);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = bound * ((1 - lean) * b[i] + lean * fixed[i]);
  }};
}

RawStream drifting_stream(Index dimension, double bound, Round period, std::uint64_t seed) {
  Vec first(static_cast<std::size_t>(dimension)), second(first.size());
  unit_vector(seed, kPlane, 0, first);
  unit_vector(seed, kPlane, 1, second);
  return {[=](Round t, std::span<const double>, std::span<double> b) {
    const double turn = static_cast<double>(t % period) / static_cast<double>(period);
    const double c = cos_turns(turn), s = sin_turns(turn);
    // The two unit vectors need not be orthogonal: dividing by |c| + |s| keeps the norm within the bound.
    const double factor = bound / (std::fabs(c) + std::fabs(s));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = factor * (c * first[i] + s * second[i]);
  }};
}

RawStream adaptive_stream(double bound) {
  return {[bound](Round, std::span<const double> x, std::span<double> b) {
    const double length = norm2(x);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = length > 0 ? bound * x[i] / length : (i == 0 ? bound : 0);
  }};
}

RawStream quadratic_stream(Index, double beta, double reach, std::uint64_t seed) {
  return {[=](Round t, std::span<const double>, std::span<double> b) {
            unit_vector(seed, kCentres, t, b);
            for (double& x : b) x *= -beta * reach;
          },
          beta};
}

RawStream box_quadratic_stream(double curvature, double low, double high, std::uint64_t seed) {
  return {[=](Round t, std::span<const double>, std::span<double> b) {
            const Random random(seed, kBox);
            for (std::size_t i = 0; i < b.size(); ++i) b[i] = low + (high - low) * random.uniform(t * b.size() + i);
          },
          curvature};
}

}  // namespace tarry::lab
