// Follow the regularised leader in every coordinate of a box by itself, each with its own step: a prediction and an
// update cost the features' non-zeros. Not in the paper; docs/theory.md.
//
//   x_i = c_i − clip(ρ ĝ_i/(2√Λ_i), ±r_i),   Λ_i = max(A_i, min(S_i, W_i²)),   x_i = c_i while Λ_i = 0
#pragma once

#include <map>
#include <optional>

#include "tarry/learners/learner.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

struct LearnerEntry;

class BoxFtrl {
 public:
  // `rate`: ρ as a multiple of each coordinate's half-width.
  BoxFtrl(const Bounds& box, double rate);

  double play(Round t, const Covector* features, Memo& memo);
  double predict(const Covector& features) const;
  void write(std::span<double> x) const;
  void receive(Round t, const Feedback& feedback, const Memo& memo);
  void abandon(Round t, const Memo& memo);
  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  std::optional<double> bound(const theory::Seen& seen) const;

 private:
  struct Coordinate {
    double centre, half;  // c, r
    double sum = 0;       // ĝ
    double n = 0, a = 0, s = 0, w = 0;

    double lambda() const;
    double value(double rate) const;
  };
  // ĝ and N of one coordinate as an outstanding round saw them.
  struct Before {
    double sum, n;
  };
  // All coordinates, for rounds played without features; one for all rounds that saw the same.
  struct Version {
    std::uint64_t rounds = 0;
    std::vector<Before> all;
  };

  void arrive(Coordinate& x, double g, const Before& before);
  void forget(std::uint64_t version);

  double rate_;
  std::vector<Coordinate> at_;
  std::uint64_t received_ = 0;
  std::map<std::uint64_t, Version> versions_;  // by the number of gradients received
};

static_assert(Learner<BoxFtrl>);

LearnerEntry box_ftrl_entry();

}  // namespace tarry
