#include "tarry/evaluation/paired_losses.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"

namespace tarry::evaluation {
namespace {

double finite(double loss) {
  constexpr double kMost = PairedLosses::kLargestLoss;
  return std::isnan(loss) ? kMost : std::clamp(loss, -kMost, kMost);
}

}  // namespace

void PairedLosses::add(double first, double second) {
  first = finite(first);
  second = finite(second);
  if (range_ == 0) {
    first_ += std::fabs(first);
    second_ += std::fabs(second);
    if (++seen_ < kForRange || std::max(first_, second_) == 0) return;  // without a loss there is no range
    range_ = kRange * std::max(first_, second_) / static_cast<double>(seen_);
    first_ = second_ = 0;
    return;
  }
  const double whole = second - first, difference = std::clamp(whole, -range_, range_);
  ++pairs_;
  clipped_ += difference != whole ? 1 : 0;
  first_ += first;
  second_ += second;
  difference_ += difference;
  const double share = (difference + range_) / (2 * range_);
  low_.add(share, 0);
  high_.add(1 - share, 0);
}

std::optional<PairedLosses::Figures> PairedLosses::figures(double alpha) const {
  if (pairs_ == 0) return std::nullopt;
  const auto count = static_cast<double>(pairs_);
  const double low = std::max(0.0, low_.bound(alpha / 2)), high = std::min(1.0, 1 - high_.bound(alpha / 2));
  return Figures{.pairs = pairs_,
                 .clipped = clipped_,
                 .first = first_ / count,
                 .second = second_ / count,
                 .range = range_,
                 .difference = difference_ / count,
                 .low = (2 * low - 1) * range_,
                 .high = (2 * high - 1) * range_};
}

void PairedLosses::save(ByteWriter& out) const {
  out.u64(seen_);
  out.u64(pairs_);
  out.u64(clipped_);
  for (const double x : {first_, second_, range_, difference_}) out.f64(x);
  low_.save(out);
  high_.save(out);
}

void PairedLosses::load(ByteReader& in) {
  seen_ = in.u64();
  pairs_ = in.u64();
  clipped_ = in.u64();
  for (double* x : {&first_, &second_, &range_, &difference_}) *x = in.f64();
  low_.load(in);
  high_.load(in);
  if (!(range_ >= 0) || clipped_ > pairs_ || (range_ == 0 && pairs_ > 0))
    throw Error(Code::kCorrupt, "snapshot: losses that were compared are impossible");
}

}  // namespace tarry::evaluation
