// A long vector x that changes in few coordinates at a time, and its q-norm, q ≥ 2, at the cost of what changes.
//
// The norm is kept as Σ (|x_i|/scale)^q, each change added to a running sum. Where coordinates shrink such a sum loses
// its digits, the faster the larger q is. So the rounding is bounded as it happens, for the whole and for each block of
// coordinates; once it matters, blocks that have lost digits are summed again and the whole is summed from the blocks.
// Memory follows the coordinates that were changed, not the dimension.
#pragma once

#include "tarry/base/bytes.h"
#include "tarry/linalg/covector.h"
#include "tarry/linalg/sparse/coordinate_numbers.h"

namespace tarry {

class PowerSum {
 public:
  PowerSum(Index dimension, double q);

  void add(const Covector& change);  // x += change

  double norm() const;  // ‖x‖_q
  // |x_i/‖x‖_q|^{q−1} with x_i's sign is power(i) · power_factor().
  double power(Index i) const {
    const double* x = x_.find(i);
    return x == nullptr ? 0 : power_of(*x);
  }
  double power_factor() const;  // 0 when x is 0
  // Calls f(value, power(i)) for each entry of a row.
  template <class F>
  void each_power(const Covector& row, F f) const {
    x_.each_found(row, [&](Index, double a, const double* x) { f(a, x == nullptr ? 0 : power_of(*x)); });
  }

  Index dimension() const { return dimension_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Part {
    double mass = 0;   // Σ (|x_i|/scale)^q …
    double error = 0;  // … and how far rounding may have taken it

    void change(double by, double error_of_it);
    void rescale(double factor, double rounding);
    bool is_blunt(double tolerance) const { return error > tolerance * mass; }
  };

  double power_of(double x) const;  // sign(x) (|x|/scale)^{q−1}
  void change(Index i, double by);
  void raise_scale(double size);
  void sharpen();
  Part sum_anew(Index block) const;
  template <class F>
  void each_block(F f);  // part = f(block, part) for those touched, in ascending order
  void rebuild();

  Index dimension_;
  double q_;
  CoordinateNumbers x_;
  double rounding_;  // of one power, relative: its base's rounding counts q times
  double scale_;     // at least max|x_i|, so that no power overflows
  double non_zeros_ = 0;
  Part whole_;
  CoordinateNumbers blocks_;  // mass and error of each block
};

}  // namespace tarry
