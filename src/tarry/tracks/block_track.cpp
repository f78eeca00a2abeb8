#include "tarry/tracks/block_track.h"

#include <cmath>

#include "tarry/base/contract.h"
#include "tarry/base/random.h"

namespace tarry {

// Asked for factors, blocks that are no matrices choose for themselves.
BlockTrack::BlockTrack(const Shape& shape, double p_over_y, Storage storage, std::uint64_t stream) : begin_{0} {
  if (storage == Storage::kFactored && !shape.has_matrix()) refuse_factored();
  for (const Shape& block : shape.blocks) {
    const bool choose = storage == Storage::kFactored && !block.has_matrix();
    blocks_.emplace_back(block, p_over_y, choose ? Storage::kAuto : storage, split_stream(stream, blocks_.size()));
    begin_.push_back(begin_.back() + block.start.dimension);
    if (block.has_matrix()) inexact_ += 1;
  }
}

// The blocks' errors of ⟨c, v⟩ add up to Σ δ D_k ≤ δ √m D, and what p is changed by to √m times a block's.
void BlockTrack::sweep(const Covector& gradient, const Sweep& k) {
  Sweep own = k;
  if (inexact_ > 0) {
    const double root = std::sqrt(inexact_);
    own.allowed = {k.allowed.oracle / root, k.allowed.rise / inexact_, k.allowed.spurious / root};
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b].sweep(gradient.slice(begin_[b], begin_[b + 1]), own);
}

void BlockTrack::add(const Covector& gradient, double a) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b]->add(gradient.slice(begin_[b], begin_[b + 1]), a);
}

Segment BlockTrack::toward(const Atom& v) const {
  const auto& atom = std::get<BlockAtom>(v.as);
  ensure(atom.part.size() == blocks_.size(), "an atom of a product has a part for each block");
  Segment sum;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Segment part = blocks_[b]->toward(atom.part[b]);
    sum.gap += part.gap;
    sum.width += part.width;
  }
  return sum;
}

void BlockTrack::step(double sigma, const Atom& v) {
  const auto& atom = std::get<BlockAtom>(v.as);
  ensure(atom.part.size() == blocks_.size(), "an atom of a product has a part for each block");
  for (std::size_t b = 0; b < blocks_.size(); ++b) blocks_[b]->step(sigma, atom.part[b]);
}

void BlockTrack::restart(double p_over_y) {
  for (Iterate& block : blocks_) block.restart(p_over_y);
}

double BlockTrack::dot(const Covector& features) const {
  double sum = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) sum += blocks_[b]->dot(features.slice(begin_[b], begin_[b + 1]));
  return sum;
}

void BlockTrack::write(std::span<double> y) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    blocks_[b]->write(
        y.subspan(static_cast<std::size_t>(begin_[b]), static_cast<std::size_t>(begin_[b + 1] - begin_[b])));
}

void BlockTrack::save(ByteWriter& out) const {
  for (const Iterate& block : blocks_) block.save(out);
}

void BlockTrack::load(ByteReader& in) {
  for (Iterate& block : blocks_) block.load(in);
}

}  // namespace tarry
