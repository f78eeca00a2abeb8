// The dense track: two full vectors and one lazy scale, swept in a single fused pass.
#pragma once

#include "tarry/linalg/large_vector.h"
#include "tarry/tracks/track.h"

namespace tarry {

class DenseTrack final : public Track {
 public:
  // y = y₁ and p = p_over_y · y₁.
  DenseTrack(const Start& start, double p_over_y, Need need);
  // Takes over another track's y and p.
  DenseTrack(LargeVector<double> y, LargeVector<double> p, Need need);

  void sweep(const Covector& gradient, const Sweep& k) override;
  void add(const Covector& gradient, double a) override;
  Extreme extreme() const override { return extreme_; }
  std::span<const double> dense() const override { return c_; }
  Segment toward(const Atom& v) const override;
  void step(double sigma, const Atom& v) override;
  void restart(double p_over_y) override;
  double dot(const Covector& features) const override;
  void write(std::span<double> y) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  std::unique_ptr<Track> clone() const override { return std::make_unique<DenseTrack>(*this); }

  Index dimension() const { return static_cast<Index>(z_.size()); }
  Need need() const { return need_; }

 private:
  Segment toward_sparse(const SparseAtom& v) const;

  LargeVector<double> z_;  // y = scale_ · z
  double scale_ = 1;
  LargeVector<double> p_;
  Need need_;
  LargeVector<double> c_;  // p + b y, kept only for sets that read all of it

  // Left by the last sweep, used until the next.
  double b_ = 0;
  double cy_ = 0;
  double yy_ = 0;
  Extreme extreme_;
};

}  // namespace tarry
