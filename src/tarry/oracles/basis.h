// A basis of a linear program: its vertex, and what each of its tight bounds is worth. Computed from the program
// itself, whatever a solver's running sums have become.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tarry/oracles/linear_program.h"

namespace tarry::oracles {

enum class Rests : std::uint8_t { kInBasis, kAtLower, kAtUpper, kFree };  // a column or a row: free ones rest at 0

// c = d + Aᵀ y: what ⟨c, x⟩ is worth, column by column and row by row. 0 in the basis.
struct Worth {
  Vec column;  // d
  Vec row;     // y
};

class Basis {
 public:
  // As many columns in the basis as rows outside it.
  Basis(const LinearProgram& program, std::vector<Rests> columns, std::vector<Rests> rows);
  Basis(Basis&&) noexcept;
  Basis& operator=(Basis&&) noexcept;
  ~Basis();

  bool is_regular() const;  // false: it determines no vertex
  Vec vertex() const;
  Worth worth(std::span<const double> c) const;
  // The most that any bound is worth leaving, beyond rounding; 0 at an optimum.
  double regret(std::span<const double> c, const Worth& worth) const;

  // Whether all in the basis is well between its bounds at this vertex: then no other basis describes the vertex.
  bool is_the_only_one_at(std::span<const double> vertex) const;
  // Whether every bound is well worth keeping: then no other point is as good.
  bool is_clearly_best(std::span<const double> c) const;

 private:
  struct Factors;
  const LinearProgram* program_;
  std::vector<Rests> columns_, rows_;
  std::vector<int> unknown_, equation_;  // their places in the square system, or −1
  std::unique_ptr<Factors> factors_;
};

}  // namespace tarry::oracles
