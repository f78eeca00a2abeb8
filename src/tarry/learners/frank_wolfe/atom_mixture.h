// A Frank-Wolfe learner's decision as the mixture that it is: the atoms that it stepped to, each with its weight, so
// that one of them can be drawn. A step to v by σ leaves (1 − σ) of every weight and gives σ to v.
//
// Atoms that are equal share one weight, and those whose weight has fallen below 2^-64 are forgotten. The blocks of a
// product are mixtures of their own, drawn one by one: few atoms each, where their combinations would be many.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/random.h"
#include "tarry/geometry/atom.h"

namespace tarry {

class AtomMixture {
 public:
  AtomMixture(const Atom& start, Index dimension);

  void step(double sigma, const Atom& v);
  // An atom, each with the chance that is its weight; block k of a product by the k-th number.
  Atom draw(const Random& random) const;
  void add_mean(std::span<double> x) const;  // x += Σ weight · atom, which is the decision
  std::size_t size() const;                  // how many atoms are kept

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Part {
    Atom atom;
    std::uint32_t mark;  // a checksum of the atom: most comparisons end there
    double weight;
  };
  Atom draw(const Random& random, std::uint64_t& position) const;

  Index dimension_;
  std::vector<Part> parts_;          // in the order of their first steps; of a product none
  std::vector<AtomMixture> blocks_;  // of a product
};

// The draws of one learner: a fresh one for each round, by (seed, round).
class Sampler {
 public:
  Sampler(std::uint64_t seed, const Atom& start, Index dimension) : seed_(seed), mixture_(start, dimension) {}

  void play() { ++rounds_; }
  void step(double sigma, const Atom& v) { mixture_.step(sigma, v); }
  Atom draw() const;
  const AtomMixture& mixture() const { return mixture_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  AtomMixture mixture_;
};

}  // namespace tarry
