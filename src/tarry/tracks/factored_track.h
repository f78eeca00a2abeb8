// The factored track: matrices that are never formed (docs/matrices.md). Over the rows and columns that anything has
// touched,
//   y = s Σ ĉ_k u_k w_kᵀ      p = S + Σ (B + Q diag ĉ)_kl u_k w_lᵀ      c = p + b y,
// with S the sparse sum of gradients, s the lazy scale, Q the sum of γ s since Q was last banked into B. Now and then
// the bases are made orthonormal and short again, at a loss that the sweep allows.
#pragma once

#include <optional>

#include "tarry/linalg/matrices/factors.h"
#include "tarry/linalg/matrices/linear_map.h"
#include "tarry/linalg/matrices/panel.h"
#include "tarry/linalg/sparse/axis.h"
#include "tarry/linalg/sparse/entry_sum.h"
#include "tarry/tracks/track.h"

namespace tarry {

class FactoredTrack final : public Track, private LinearMap {
 public:
  // y = y₁ and p = p_over_y · y₁, of the shape of a set that needs the top pair. `stream`: of its random numbers, which
  // nothing else may draw that the gradients depend on.
  FactoredTrack(const Shape& shape, double p_over_y, std::uint64_t stream = 0);

  void sweep(const Covector& gradient, const Sweep& k) override;
  void add(const Covector& gradient, double a) override;
  TopPair top_pair(Index rows, Index cols, double allowed_short) const override;
  double slack() const override { return allowed_.oracle; }
  Segment toward(const Atom& v) const override;
  void step(double sigma, const Atom& v) override;
  void restart(double p_over_y) override;
  double dot(const Covector& features) const override;
  void write(std::span<double> y) const override;
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;
  std::unique_ptr<Track> clone() const override { return std::make_unique<FactoredTrack>(*this); }

  std::size_t rank() const { return c_hat_.size(); }   // of the form, at least that of y
  std::size_t entries() const { return sum_.size(); }  // of the gradients' sum
  std::size_t touched() const { return rows_.size() + cols_.size(); }
  const EntrySum& gradient_sum() const { return sum_; }  // S
  Factors factors() const;                               // y, and p without S
  const LinearMap& direction() const { return *this; }   // c, over what was touched

 private:
  // Of u wᵀ, over the touched rows and columns, with the direction and the decision.
  struct Products {
    Vec u, w;
    double c, y;           // ⟨c, u wᵀ⟩, ⟨y, u wᵀ⟩
    double norm;           // ‖u wᵀ‖
    double ceiling;        // of c's singular values
    bool is_pair = false;  // c w is along u, or cᵀu along w
  };

  Index rows() const override { return static_cast<Index>(rows_.size()); }
  Index cols() const override { return static_cast<Index>(cols_.size()); }
  void apply(std::span<const double> x, std::span<double> out) const override;
  void apply_transposed(std::span<const double> x, std::span<double> out) const override;

  double at(Index i) const;  // y
  Vec core_times(const Vec& x, bool transposed) const;
  const Products& products(const Atom& v) const;
  double decision_times(const Vec& u, const Vec& w) const;  // ⟨y, u wᵀ⟩
  Segment toward_exactly(const Products& v, double scale) const;
  void raise_ceiling(double change);
  void turn_ceiling(double sigma, double scale, const Products& v);
  void bank(double scale);
  void shorten();

  std::uint64_t stream_;
  Axis rows_, cols_;
  EntrySum sum_;  // S
  Panel u_, w_;
  Vec c_hat_;
  Vec base_;  // B where it is full: of the first base_size_ factors, row-major
  std::size_t base_size_ = 0;
  Vec bank_;  // B's diagonal, beside the base
  double scale_ = 1;
  double q_ = 0;
  std::size_t shorten_at_ = 0;  // factors

  double py_ = 0, yy_ = 0;  // ⟨p, y⟩ and ‖y‖², followed from step to step

  // σ₁(c) is at most this, by the last search that certified it and by all that has changed c since.
  double ceiling_ = 0;

  Vec last_u_, last_w_;  // the last atom, to begin the next search with
  std::uint64_t sweeps_ = 0;
  double b_ = 0;  // of the last sweep
  Allowance allowed_;
  mutable std::optional<Products> met_;  // since y or p last changed: what the search for the pair has computed
};

}  // namespace tarry
