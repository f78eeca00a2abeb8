// What a decision set K is to the rest of Tarry: an oracle over a Direction, where to start, and how large it is.
#pragma once

#include <concepts>
#include <span>

#include "tarry/geometry/atom.h"
#include "tarry/geometry/direction.h"
#include "tarry/sets/bounds.h"
#include "tarry/tracks/track.h"

namespace tarry {

template <class K>
concept DecisionSet = requires(const K k, const Direction& c, std::span<const double> x, double tolerance) {
  { k.need() } -> std::same_as<Need>;                  // what oracle() will read of its direction
  { k.oracle(c) } -> std::same_as<Atom>;               // argmin over K of ⟨c, ·⟩; ties to the lowest index
  { k.start() } -> std::same_as<Start>;                // a point of K
  { k.diameter() } -> std::same_as<double>;            // D, or an upper bound where none is exact
  { k.contains(x, tolerance) } -> std::same_as<bool>;  // tolerance relative to the size of K
};

// Sets may also have, and learners then use:
//   Shape shape() const               for products: what each block needs and where it starts
//   double strong_convexity() const   β_K
//   double gauge_curvature() const    μ, the strong convexity of half the squared gauge; K contains 0
//   void project(std::span<double> x) const
//   std::optional<HalfSpace> separate(std::span<const double> y) const   holds the set and not y; nothing for its
//   points.
//                                     Where K has no volume: first back to its affine hull, then with normals along it
//   Start centre() const              a point deep inside, where the start is not
//   LpShape lp_shape() const          for balls of an lp norm about 0, 1 ≤ p ≤ 2
//   Inscribed inscribed() const       a ball inside K, for learners that must look around: sets with an interior
//   Bounds bounds() const             for boxes
//   double simplex_radius() const     for {x ≥ 0, Σ x_i = radius}
//   std::vector<AnySet> parts() const for products
//   SparseAtom without_cycles(SparseAtom v) const   for flows: what is left of a drawn vertex
// Where one of them depends on parameters, it returns std::optional.

// A ball inside K: centre + radius · u is a point of K for every ‖u‖ ≤ 1.
struct Inscribed {
  Vec centre;
  double radius;
};
// The one about 0 of a set of this dimension.
inline Inscribed inscribed_about_zero(Index dimension, double radius) { return {full_vector(dimension), radius}; }

// {x : ‖x‖_p ≤ radius}.
struct LpShape {
  double p;
  double radius;
};

template <DecisionSet K>
Shape shape_of(const K& set) {
  if constexpr (requires { set.shape(); })
    return set.shape();
  else
    return {set.need(), set.start(), {}};
}

}  // namespace tarry
