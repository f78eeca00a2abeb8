// A learner's iterate: a track, and the one place that chooses and changes its representation.
#pragma once

#include <memory>
#include <string>

#include "tarry/tracks/track.h"

namespace tarry {

enum class Storage : std::uint8_t {
  kAuto,  // sparse while that is cheaper, dense from then on; large matrices factored
  kDense,
  kSparse,    // refused by sets whose oracle reads the whole direction
  kFactored,  // matrices that are never formed; refused by sets whose oracle asks for more than a singular pair
};

[[noreturn]] void refuse_factored();

class Iterate {
 public:
  // y = y₁ and p = p_over_y · y₁; `stream`: of the random numbers that a factored track draws.
  Iterate(const Shape& shape, double p_over_y, Storage storage, std::uint64_t stream = 0);
  Iterate(const Iterate& other) : storage_(other.storage_), debt_(other.debt_), track_(other.track_->clone()) {}
  Iterate(Iterate&&) noexcept = default;
  Iterate& operator=(Iterate&&) noexcept = default;

  void sweep(const Covector& gradient, const Sweep& k) {
    if (storage_ == Storage::kAuto) adapt(gradient);
    track_->sweep(gradient, k);
  }
  // p = p_over_y · y, as if started at its point.
  void restart(double p_over_y) {
    debt_ = 0;
    track_->restart(p_over_y);
  }
  Track& operator*() { return *track_; }
  const Track& operator*() const { return *track_; }
  Track* operator->() { return track_.get(); }
  const Track* operator->() const { return track_.get(); }
  bool is_sparse() const;

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  enum Kind : std::uint64_t { kDense, kSparse, kFactored };  // as snapshots say it
  std::uint64_t kind() const;
  void adapt(const Covector& gradient);
  void go_dense();
  void go_sparse();

  Storage storage_;
  double debt_ = 0;  // what the sparse form has cost beyond the dense one, in dense coordinates swept
  std::unique_ptr<Track> track_;
};

}  // namespace tarry
