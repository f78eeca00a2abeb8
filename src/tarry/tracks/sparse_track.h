// The sparse track: only touched coordinates are stored. Those in y's support (where atoms have been) are scanned;
// those that only gradients touched wait in a heap; all others share one background value. An update costs
// O(non-zeros of the gradient · log + atoms in y), whatever the dimension.
#pragma once

#include "tarry/linalg/sparse/index_map.h"
#include "tarry/linalg/sparse/lazy_heap.h"
#include "tarry/tracks/track.h"

namespace tarry {

class SparseTrack final : public Track {
 public:
  // y = y₁ and p = p_over_y · y₁, for a start that is the same everywhere or has few non-zeros.
  SparseTrack(const Start& start, double p_over_y, Need need);
  // Whether the heap's order can be kept for such a set and start.
  static bool fits(const Start& start, Need need);

  void sweep(const Covector& gradient, const Sweep& k) override;
  void add(const Covector& gradient, double a) override;
  Extreme extreme() const override { return extreme_; }
  Segment toward(const Atom& v) const override;
  void step(double sigma, const Atom& v) override;
  void restart(double p_over_y) override;
  double dot(const Covector& features) const override;
  void write(std::span<double> y) const override;
  void write_p(std::span<double> p) const;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  std::unique_ptr<Track> clone() const override { return std::make_unique<SparseTrack>(*this); }

  Index dimension() const { return dimension_; }
  Need need() const { return need_; }
  std::size_t touched() const { return slots_.size(); }
  std::size_t support() const { return support_at_.size(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // A touched coordinate. Off the support p = background p + lift; on it, p and z are in the support's arrays.
  struct Slot {
    Index at;
    double lift;
    double heap_key;  // its key in the heap, at least the true one
    std::uint32_t heap_position = LazyHeap::kOut;
    std::uint32_t in_support = kNone;
  };

  struct Coordinate {  // y and p at one index, wherever they are kept
    double y;
    double p;
  };

  std::uint32_t touch(Index i);
  void add_to_slot(std::uint32_t slot, double amount);
  void add_to_lift_sum(double amount);
  void file_in_heap(std::uint32_t slot);
  std::uint32_t join_support(Index i);
  void empty_support();
  void find_extreme();
  Coordinate at(Index i) const;
  double key_of(double lift) const;
  double off_support() const { return static_cast<double>(dimension_) - static_cast<double>(support_at_.size()); }
  double background_y() const { return scale_ * background_z_; }

  Index dimension_;
  Need need_;
  double scale_ = 1;  // y = scale · z
  double background_z_;
  double background_p_;
  double lift_sum_ = 0;        // Σ lift off the support, needed while the background of y is not 0
  double lift_sum_error_ = 0;  // its compensation (Neumaier)

  IndexMap slot_of_;
  LargeVector<Slot> slots_;
  LazyHeap heap_;
  Index first_untouched_ = 0;

  std::vector<Index> support_at_;
  Vec support_z_;
  Vec support_p_;

  double b_ = 0;
  double cy_ = 0;
  double yy_ = 0;
  Extreme support_extreme_;  // of the last sweep, over the support
  Extreme extreme_;
  std::vector<std::uint32_t> scratch_;
};

}  // namespace tarry
