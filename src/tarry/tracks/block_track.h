// The block track of a product: each block has its own iterate, with its own representation.
#pragma once

#include <vector>

#include "tarry/tracks/iterate.h"
#include "tarry/tracks/track.h"

namespace tarry {

class BlockTrack final : public Track {
 public:
  BlockTrack(const Shape& shape, double p_over_y, Storage storage, std::uint64_t stream);

  void sweep(const Covector& gradient, const Sweep& k) override;
  void add(const Covector& gradient, double a) override;
  const Direction& block(std::size_t k) const override { return *blocks_[k]; }
  Segment toward(const Atom& v) const override;
  void step(double sigma, const Atom& v) override;
  void restart(double p_over_y) override;
  double dot(const Covector& features) const override;
  void write(std::span<double> y) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  std::unique_ptr<Track> clone() const override { return std::make_unique<BlockTrack>(*this); }

 private:
  std::vector<Iterate> blocks_;
  double inexact_ = 0;        // how many blocks share what is allowed to be wrong
  std::vector<Index> begin_;  // block k is [begin_[k], begin_[k + 1])
};

}  // namespace tarry
