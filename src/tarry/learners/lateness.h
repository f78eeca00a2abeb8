// What lateness has cost a learner that takes feedback at its point by then: E = Σ_k f_k(x_k) − f_k(z_k), x_k played
// and z_k where it stood when the feedback came (docs/theory.md, Theorem 7.7).
#pragma once

#include <cmath>
#include <optional>

#include "tarry/base/bytes.h"
#include "tarry/linalg/covector.h"

namespace tarry {

class Lateness {
 public:
  // Nothing: it cannot be told what the round cost, and so neither what all of them did.
  void add(std::optional<double> at_play, double now) {
    if (!at_play) told_ = false;
    if (told_) add_told(*at_play, now);
  }
  // The same where both can be told, and so far always could.
  void add_told(double at_play, double now) {
    cost_ += at_play - now;
    rounding_ += 1e-12 * (std::fabs(at_play) + std::fabs(now));
  }
  void lose() { told_ = false; }
  bool told() const { return told_; }
  std::optional<double> cost() const { return told_ ? std::optional(cost_ + rounding_) : std::nullopt; }

  void save(ByteWriter& out) const { out.reals(Vec{cost_, rounding_, told_ ? 1.0 : 0.0}); }
  void load(ByteReader& in) {
    const Vec numbers = in.reals(3);
    cost_ = numbers[0];
    rounding_ = numbers[1];
    told_ = numbers[2] != 0;
  }

 private:
  double cost_ = 0, rounding_ = 0;
  bool told_ = true;
};

}  // namespace tarry
