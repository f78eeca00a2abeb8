// A matrix that is only multiplied with, never formed.
#pragma once

#include <span>

#include "tarry/linalg/covector.h"

namespace tarry {

class LinearMap {
 public:
  virtual ~LinearMap() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  virtual void apply(std::span<const double> x, std::span<double> out) const = 0;             // out = C x
  virtual void apply_transposed(std::span<const double> x, std::span<double> out) const = 0;  // out = Cᵀ x
};

}  // namespace tarry
