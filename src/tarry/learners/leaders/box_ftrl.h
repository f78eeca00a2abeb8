// Follow the regularised leader in every coordinate of a box by itself, each with its own step: a prediction and an
// update cost the features' non-zeros. Not in the paper; docs/theory.md.
//
//   x_i = c_i − clip(ρ ĝ_i/(2√Λ_i), ±r_i),   Λ_i = max(A_i, min(S_i, W_i²)),   x_i = c_i while Λ_i = 0
#pragma once

#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/learners/versions.h"
#include "tarry/linalg/sparse/coordinate_numbers.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

class BoxFtrl {
 public:
  // `rate`: ρ as a multiple of each coordinate's half-width.
  BoxFtrl(Bounds box, double rate);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  bool revises() const { return true; }
  bool sums_gradients() const { return true; }
  void settle(Round t, const Feedback& feedback, Memo& memo);
  void revise(const Revision& revision, Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;
  Index dimension() const { return box_.dimension(); }

 private:
  // Of one coordinate, all 0 until a gradient touches it.
  struct Sums {
    double sum = 0;  // ĝ
    double n = 0, a = 0, s = 0, w = 0;

    double lambda() const;
  };
  static constexpr std::size_t kSums = 5;
  // ĝ and N of one coordinate as an outstanding round saw them.
  struct Before {
    double sum, n;
  };

  static Sums sums_at(const double* at) { return at == nullptr ? Sums{} : Sums{at[0], at[1], at[2], at[3], at[4]}; }
  Sums sums(Index i) const { return sums_at(sums_.find(i)); }
  double value(Index i, const Sums& x) const;
  CoordinateNumbers seen_now() const;
  void arrive(Index i, double g, const Before& before);

  Bounds box_;
  double rate_;
  CoordinateNumbers sums_;  // of each coordinate, in the order of Sums
  std::uint64_t received_ = 0;
  // ĝ and N of all coordinates, for rounds played without features, by the number of gradients received.
  Versions<CoordinateNumbers> versions_;
};

static_assert(Learner<BoxFtrl>);

LearnerEntry box_ftrl_entry();

}  // namespace tarry
