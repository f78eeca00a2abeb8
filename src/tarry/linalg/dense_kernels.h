// Passes over long arrays: SIMD chosen at run time, eight fixed lanes, no fused multiply-add, so that every CPU and
// every number of threads gives the same bits.
#pragma once

#include <cmath>
#include <span>

#include "tarry/linalg/extreme.h"

namespace tarry::kernels {

// One pass of a sweep over y = s z and p:  p += a g + γ y,  c = p + b y.
struct SweepPass {
  std::span<double> p;
  std::span<const double> z;
  std::span<const double> g;  // empty when the gradient was sparse and is already in p
  std::span<double> c;        // written when not empty
  double a = 0;
  double gamma_s = 0;  // γ s
  double b_s = 0;      // b s
  Need need = Need::kDense;
};

struct SweepSums {
  double cz = 0;    // ⟨c, z⟩
  double zz = 0;    // ‖z‖²
  Extreme extreme;  // of c, for kMaxAbs and kMin
};

SweepSums sweep(const SweepPass& pass);

// What one chunk contributes to it.
struct ChunkSums {
  double cz = 0;
  double zz = 0;
  double best = 0;  // the largest extreme_key
};

Extreme extreme(std::span<const double> c, Need need);  // c not empty

// c = p + b_s z, and what of it is looked for.
struct KeyScan {
  std::span<const double> p;
  std::span<const double> z;  // empty: c = p, which may then be infinite
  double b_s;
  Need need;

  double c(std::size_t i) const { return z.empty() ? p[i] : p[i] + b_s * z[i]; }
};

// The first position in [from, end) whose extreme_key is `key`; `end` when there is none.
std::size_t find_key(const KeyScan& scan, double key, std::size_t from, std::size_t end);

double dot(std::span<const double> x, std::span<const double> y);
double sum_of_squares(std::span<const double> x);

// The segment from y = s z to a dense point v, with c = p + b y: ⟨c, y − v⟩ and ‖y − v‖².
struct SegmentPass {
  const double* p;
  const double* z;
  const double* v;
  double s;
  double b;
};

struct SegmentSums {
  double gap = 0;
  double width = 0;
};

SegmentSums segment(const SegmentPass& pass, std::size_t n);

// z ← keep · z + weight · v
void blend(std::span<double> z, double keep, std::span<const double> v, double weight);

// c = g − scale · z, z in single precision: a perturbed direction; only its extreme is wanted, or all of it.
struct Perturbed {
  std::span<const double> g;
  std::span<const float> z;
  double scale;

  double at(std::size_t i) const { return g[i] - scale * static_cast<double>(z[i]); }
};

Extreme extreme(const Perturbed& c, Need need);
void write(const Perturbed& c, std::span<double> out);

// The key by which kMaxAbs and kMin order coordinates: the extreme has the largest.
inline double extreme_key(double c, Need need) { return need == Need::kMaxAbs ? std::fabs(c) : -c; }

}  // namespace tarry::kernels
