#include "tarry/tracks/iterate.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/tracks/block_track.h"
#include "tarry/tracks/dense_track.h"
#include "tarry/tracks/factored_track.h"
#include "tarry/tracks/sparse_track.h"

namespace tarry {
namespace {

// Costs in units of one coordinate of a dense sweep, as `make bench` measures them. A non-zero costs about 50 while
// all fits in the cache and up to 300 in long decisions; 100 is within three times of either.
constexpr double kCostPerNonZero = 100;
constexpr double kCostPerAtom = 1;
constexpr std::size_t kTouchedShare = 4;  // beyond n/4 touched coordinates the sparse form also takes more memory

constexpr Index kDenseMatrixUpTo =
    100;  // entries: there a full decomposition costs as much as an update of the factors

std::unique_ptr<Track> make_track(const Shape& shape, double p_over_y, Storage storage, std::uint64_t stream) {
  if (shape.need == Need::kBlocks) return std::make_unique<BlockTrack>(shape, p_over_y, storage, stream);
  const Start& start = shape.start;
  if (shape.need == Need::kTopPair) {
    if (storage == Storage::kFactored || (storage == Storage::kAuto && start.dimension > kDenseMatrixUpTo))
      return std::make_unique<FactoredTrack>(shape, p_over_y, stream);
  } else if (storage == Storage::kFactored) {
    refuse_factored();
  }
  const Need need = shape.need == Need::kTopPair ? Need::kDense : shape.need;
  const bool fits = SparseTrack::fits(start, need);
  if (storage == Storage::kSparse && !fits)
    throw Error(Code::kUnsupported,
                need == Need::kDense
                    ? "storage = \"sparse\" needs a set whose oracle reads one coordinate (this one reads all)"
                    : "storage = \"sparse\" needs a start that is mostly zero");
  if (fits && storage != Storage::kDense) return std::make_unique<SparseTrack>(start, p_over_y, need);
  return std::make_unique<DenseTrack>(start, p_over_y, need);
}

}  // namespace

void refuse_factored() {
  throw Error(Code::kUnsupported,
              "storage = \"factored\" needs a set of matrices whose oracle reads one singular pair (nuclear_ball)");
}

Iterate::Iterate(const Shape& shape, double p_over_y, Storage storage, std::uint64_t stream)
    : storage_(storage), track_(make_track(shape, p_over_y, storage, stream)) {}

std::uint64_t Iterate::kind() const {
  if (dynamic_cast<const FactoredTrack*>(track_.get()) != nullptr) return kFactored;
  return is_sparse() ? kSparse : kDense;
}

bool Iterate::is_sparse() const { return dynamic_cast<const SparseTrack*>(track_.get()) != nullptr; }

// Sparse until it has lost as much as the change itself costs (the ski-rental rule): never more than about
// twice the cost of having known in advance.
void Iterate::adapt(const Covector& gradient) {
  const auto* sparse = dynamic_cast<const SparseTrack*>(track_.get());
  if (sparse == nullptr) return;
  const auto n = static_cast<double>(sparse->dimension());
  const double cost =
      kCostPerNonZero * static_cast<double>(gradient.stored()) + kCostPerAtom * static_cast<double>(sparse->support());
  debt_ = std::max(0.0, debt_ + cost - n);
  const bool crowded = sparse->touched() > static_cast<std::size_t>(sparse->dimension()) / kTouchedShare;
  if (debt_ > n || (crowded && cost > n / 2)) go_dense();
}

void Iterate::go_dense() {
  const auto& sparse = static_cast<const SparseTrack&>(*track_);
  LargeVector<double> y(static_cast<std::size_t>(sparse.dimension())), p(y.size());
  sparse.write(y);
  sparse.write_p(p);
  track_ = std::make_unique<DenseTrack>(std::move(y), std::move(p), sparse.need());
}

// Only to take on a snapshot from before the change to dense.
void Iterate::go_sparse() {
  const auto* dense = dynamic_cast<const DenseTrack*>(track_.get());
  if (storage_ != Storage::kAuto || dense == nullptr || dense->need() == Need::kDense)
    throw Error(Code::kCorrupt, "snapshot: is sparse where the learner is dense");
  track_ = std::make_unique<SparseTrack>(Start{dense->dimension(), 0, {}}, 0, dense->need());
}

void Iterate::save(ByteWriter& out) const {
  out.u64(kind());
  out.f64(debt_);
  track_->save(out);
}

void Iterate::load(ByteReader& in) {
  const std::uint64_t saved = in.u64();
  if ((saved == kFactored) != (kind() == kFactored) || saved > kFactored)
    throw Error(Code::kCorrupt, "snapshot: its decision is kept in another form");
  if (saved == kSparse && !is_sparse()) go_sparse();
  debt_ = in.f64();
  if (const auto* sparse = dynamic_cast<const SparseTrack*>(track_.get()); saved == kDense && sparse != nullptr) {
    if (storage_ != Storage::kAuto) throw Error(Code::kCorrupt, "snapshot: is dense where the learner is sparse");
    if (in.left() / (2 * sizeof(double)) < static_cast<std::size_t>(sparse->dimension()))  // before it is allocated
      throw Error(Code::kCorrupt, "snapshot: ends early (a decision in full does not fit)");
    go_dense();
  }
  track_->load(in);
}

}  // namespace tarry
