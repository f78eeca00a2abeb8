// A Track owns the pair (y, p) that is the whole state of both Frank-Wolfe learners, and does everything that
// costs: the sweep, the line search's two numbers, the step.
#pragma once

#include <memory>
#include <span>

#include "tarry/base/bytes.h"
#include "tarry/geometry/atom.h"
#include "tarry/geometry/shape.h"

namespace tarry {

// What an inexact track may get wrong. All 0: nothing but rounding.
struct Allowance {
  double oracle = 0;    // ⟨c, v⟩ above its least, for each unit of the set's diameter
  double rise = 0;      // of ⟨p, y⟩ + (b/2)‖y‖², whenever y is put in a shorter form
  double spurious = 0;  // ‖·‖ of what p is changed by then
};

// p += a g + γ y, and from then on the direction is c = p + b y.
struct Sweep {
  double a;
  double gamma;
  double b;
  Allowance allowed{};
};

// The segment from y to an atom v.
struct Segment {
  double gap = 0;    // ⟨c, y − v⟩
  double width = 0;  // ‖v − y‖²
};

// It owns y, p and all that it needs besides. Atoms and gradients are looked at during a call, and never kept; as a
// Direction it is good until its next sweep, step or restart.
class Track : public Direction {
 public:
  virtual void sweep(const Covector& gradient, const Sweep& k) = 0;
  virtual void add(const Covector& gradient, double a) = 0;  // p += a g, to be swept later
  virtual Segment toward(const Atom& v) const = 0;
  virtual void step(double sigma, const Atom& v) = 0;      // y += σ (v − y)
  virtual void restart(double p_over_y) = 0;               // p = p_over_y · y, y stays
  virtual double dot(const Covector& features) const = 0;  // ⟨features, y⟩: a prediction
  virtual void write(std::span<double> y) const = 0;       // all of y: O(n), if asked for

  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
  virtual std::unique_ptr<Track> clone() const = 0;
};

}  // namespace tarry
