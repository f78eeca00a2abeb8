#include "tarry/learners/combined/loss_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kCaution = 0.25;  // of Bayes' rule, where labels may lie: the best base so far may not stay it
constexpr double kSettled = 20;    // labels after which a loss can be far above the mean
constexpr double kFar = 25;        // means: of squares, five deviations

}  // namespace

LossWeights::LossWeights(Vec prior, bool by_class)
    : prior_(std::move(prior)), by_class_(by_class), judged_(prior_.size(), 0.0), lost_(prior_.size(), 0.0) {
  double total = 0;
  for (double p : prior_) total += p;
  for (double& p : prior_) p /= total;
  weights_ = prior_;
}

// Losses that are minus logarithms have a unit; an error's is the best base's mean, as that of a normal variable is
// twice its variance; linear losses take the rate of Hedge.
double LossWeights::rate() const {
  const double caution = by_class_ ? kCaution : 1;
  if (kind_ == Kind::kLogarithm) return caution;
  if (kind_ == Kind::kLinear)
    return squares_ > 0 ? std::sqrt(tarry::log(static_cast<double>(prior_.size()) + 1) / squares_) : 0;
  const double least = *std::min_element(judged_.begin(), judged_.end());
  return least > 0 ? caution * told_ / (2 * least) : 0;
}

// One absurd error would otherwise outweigh all others for good.
double LossWeights::most_that_counts() const {
  if (kind_ != Kind::kError || told_ < kSettled) return std::numeric_limits<double>::infinity();
  return kFar * *std::min_element(judged_.begin(), judged_.end()) / told_;
}

const Vec& LossWeights::weigh() {
  const double eta = rate(), least = *std::min_element(judged_.begin(), judged_.end());
  double total = 0;
  for (std::size_t i = 0; i < prior_.size(); ++i) {
    const double behind = eta * (judged_[i] - least);
    total += weights_[i] = behind <= 700 ? prior_[i] * tarry::exp(-behind) : 0;  // 0 too where it is no number
  }
  if (!(total > 0)) {
    weights_ = prior_;
    return weights_;
  }
  for (double& w : weights_) w /= total;
  return weights_;
}

double LossWeights::importance(Round t, const Feedback& feedback) {
  counts_ = 1;
  kind_ = Kind::kLinear;
  if (feedback.known == nullptr) {
    delays_.abandon(t);
    return 1;
  }
  const KnownLoss& known = *feedback.known;
  const bool error = known.outputs() == 1 && known.loss.of_the_error();
  kind_ = error ? Kind::kError : Kind::kLogarithm;
  if (!by_class_) {
    delays_.abandon(t);
    return 1;
  }
  std::size_t kind = known.label > 0 ? 1 : 0;
  if (known.outputs() > 1) kind = static_cast<std::size_t>(std::clamp(known.label, 0.0, 64.0));
  if (error) {
    kind = known.label > mean_ ? 1 : 0;
    labels_ += 1;
    mean_ += (known.label - mean_) / labels_;
  }
  const double weight = delays_.receive(t, kind);
  counts_ = weight * delays_.trust() * delays_.trust();
  return weight;
}

void LossWeights::learn(std::span<const double> base_losses, double own_loss, double) {
  double size = std::fabs(own_loss);
  const double most_counted = most_that_counts();
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    judged_[i] += counts_ * std::min(base_losses[i], most_counted);
    lost_[i] += base_losses[i];
    size = std::max(size, std::fabs(base_losses[i]));
  }
  own_ += own_loss;
  rounding_ += kRounding * size;
  told_ += counts_;
  const auto [least, most] = std::minmax_element(base_losses.begin(), base_losses.end());
  if (kind_ == Kind::kLinear) squares_ += (*most - *least) * (*most - *least);
}

void LossWeights::save(ByteWriter& out) const {
  out.reals(judged_);
  out.reals(lost_);
  out.reals(weights_);
  out.reals(Vec{own_, rounding_, squares_, told_, mean_, labels_, counts_});
  out.u64(static_cast<std::uint64_t>(kind_));
  delays_.save(out);
}

void LossWeights::load(ByteReader& in) {
  for (Vec* x : {&judged_, &lost_, &weights_}) *x = in.reals(x->size());
  const Vec sums = in.reals(7);
  own_ = sums[0];
  rounding_ = sums[1];
  squares_ = sums[2];
  told_ = sums[3];
  mean_ = sums[4];
  labels_ = sums[5];
  counts_ = sums[6];
  const std::uint64_t kind = in.u64();
  if (kind > 2) throw Error(Code::kCorrupt, "snapshot: a kind of loss is impossible");
  kind_ = static_cast<Kind>(kind);
  delays_.load(in);
}

}  // namespace tarry
