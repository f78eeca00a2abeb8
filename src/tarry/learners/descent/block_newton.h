// Newton's steps, block by block: logistic or least-squares regression by recursive updates of a covariance (as an
// extended Kalman filter's), one block for each feature of an action, over that feature and its products with a
// context.
//
//   q = aᵀPa,   s = φ'(z − s·q),   x ← clip(x − s·Pa),   P ← P − Pa(Pa)ᵀ · h/(1 + h·q)
//
// z is the prediction, φ the loss, h its curvature at z; of the first kDense weights of a block P has all covariances,
// of the others the variance alone. √q says how sure the prediction is: that is what choices are optimistic by.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/linalg/covector.h"
#include "tarry/sets/bounds.h"

namespace tarry {

class BlockNewton {
 public:
  static constexpr std::size_t kDense = 128;            // weights of a block that have covariances
  static constexpr std::size_t kMostNumbers = 1 << 22;  // of all covariances together
  static constexpr double kPrior = 1;                   // the variance of a weight that was never touched
  static constexpr double kLeast = 1e-4;                // below which no variance falls: what comes last still counts

  // Rows as features/crossing.h makes them: of `features`, products of the first `of`.
  BlockNewton(Bounds box, Index features, Index of) : box_(std::move(box)), features_(features), of_(of) {}

  double predict(const Covector& row) const;
  double variance(const Covector& row) const;  // q
  void write(std::span<double> x) const;

  // A row that is learnt from: looked at first, …
  struct Look {
    double prediction, variance;
  };
  Look look(const Covector& row);
  void step(double slope);        // … then the weights move, …
  void shrink(double curvature);  // … and what is known grows.

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  struct Block {
    std::vector<std::uint32_t>
        place_of;               // by what is multiplied: 0 the feature's own, else its slot + 1; 0: no place yet
    std::vector<Index> locals;  // by place
    Vec weights;
    std::size_t dense = 0;   // the first so many have covariances, …
    std::size_t stride = 0;  // … in rows of so many numbers
    Vec matrix, variances;   // the others' variances
  };
  struct Entry {
    std::size_t place;
    double value;
  };
  struct Part {  // of the row at hand: its entries in one block
    Block* block;
    Index feature;
    std::vector<Entry> entries;
    Vec reach;  // Pa, of the dense weights, and of the other entries
  };
  struct Address {
    Index block, local;
  };
  Address address(Index i) const {
    return i < features_ ? Address{i, 0} : Address{(i - features_) / of_, (i - features_) % of_ + 1};
  }
  // The same where `before` is of an index of the same row: most are in one block, and a division takes long.
  Address address(Index i, const Address& before) const {
    const Index local = i - features_ - before.block * of_;
    return local >= 0 && local < of_ && i >= features_ ? Address{before.block, local + 1} : address(i);
  }
  Index index(Index block, Index local) const { return local == 0 ? block : features_ + block * of_ + local - 1; }
  static double variance_at(const Block& block, std::size_t place) {
    return place < block.dense ? block.matrix[place * block.stride + place] : block.variances[place - block.dense];
  }
  // A row whose entries are all of one block and have covariances, in the order of its places, as most rows do.
  struct Run {
    const Block* block = nullptr;  // null: it is another row
    std::size_t first = 0;
  };
  Run run(const Covector& row) const;
  std::size_t place(Block& block, Index local);
  void widen(Block& block);
  double reach(Part& part) const;

  Bounds box_;
  Index features_, of_;
  std::map<Index, Block> blocks_;
  std::size_t numbers_ = 0;  // of all matrices
  std::vector<Part> parts_;  // of the row that was looked at last
  std::size_t used_ = 0;
  double variance_ = 0;
};

}  // namespace tarry
