#include "tarry/learners/combined/treed_bases.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/dense_kernels.h"

namespace tarry {
namespace {

// From the mean of the banks to the trees.
constexpr std::array<double, TreedBases::kOwn> kWays = {0, 1, 0.25, 0.5, 0.75};
constexpr double kContradicts = 4;                      // deviations of the banks' errors
constexpr double kSettledErrors = 20, kFarSquare = 25;  // labels after which a square counts for at most so many means
constexpr double kFollowsBanks = -1;                    // where older snapshots have how many bases there are
constexpr double kMostFloat = std::numeric_limits<float>::max();

// Behind a row's weights, or in a memo.
struct Raw {
  std::vector<Index> slots;
  Vec values;
};

std::optional<Raw> raw_in(const Covector& row, Index width) {
  if (!row.is_sparse() || row.outputs() != 1) return std::nullopt;
  const auto indices = row.indices();
  const auto first =
      static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), width) - indices.begin());
  if (first == indices.size()) return std::nullopt;
  Raw raw;
  for (std::size_t i = first; i < indices.size(); ++i) {
    raw.slots.push_back(indices[i] - width);
    raw.values.push_back(row.values()[i]);
  }
  return trees::KeptRows::fits(raw.slots) ? std::optional(std::move(raw)) : std::nullopt;
}

constexpr double kSlotUnit = 0x1p32;

void keep_raw(const std::optional<Raw>& raw, Memo& memo) {
  const std::size_t count = raw ? raw->slots.size() : 0;
  memo.push_back(static_cast<double>(count + (count % 2 == 0 ? 1 : 0)));
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(std::clamp<double>(raw->values[i], -kMostFloat, kMostFloat));
    memo.push_back(kSlotUnit * static_cast<double>(raw->slots[i]) + std::bit_cast<std::uint32_t>(value));
  }
  if (count % 2 == 0) memo.push_back(-1);
}

std::optional<Raw> raw_in(std::span<const double> memo) {
  Raw raw;
  for (std::size_t i = 1; i < memo.size() && memo[i] >= 0; ++i) {
    const double slot = std::floor(memo[i] / kSlotUnit), bits = memo[i] - slot * kSlotUnit;
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const bool ascending = raw.slots.empty() || static_cast<Index>(slot) > raw.slots.back();
    if (!(slot < static_cast<double>(trees::KeptRows::kMostSlots)) || !std::isfinite(value) || !ascending)
      throw Error(Code::kCorrupt, "a round's memo has an impossible row");
    raw.slots.push_back(static_cast<Index>(slot));
    raw.values.push_back(static_cast<double>(value));
  }
  const bool any = !raw.slots.empty() && trees::KeptRows::fits(raw.slots);
  return any ? std::optional(std::move(raw)) : std::nullopt;
}

}  // namespace

TreedBases::TreedBases(BankedBases banks, trees::Fits fits, Index width)
    : banks_(std::move(banks)), fits_(fits), width_(width), trees_(fits), weights_(banks_.size()) {}

void TreedBases::follow(const Vec& weights, bool awake) {
  weights_ = weights;
  awake_ = awake;
}

double TreedBases::mean_of_banks(std::span<const double> predictions) const {
  double mean = 0;
  for (std::size_t k = 0; k < weights_.size(); ++k) mean += weights_[k] * predictions[k];
  return mean;
}

Covector TreedBases::for_banks(const Covector& row) const {
  if (!row.is_sparse()) return row;
  const auto indices = row.indices();
  const auto count =
      static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), width_) - indices.begin());
  return Covector::sparse(indices.first(count), row.values().first(count));
}

// In units of the predictions: labels' deviations from their mean, where they are numbers.
std::optional<double> TreedBases::grown(const Covector& row) const {
  if (!awake()) return std::nullopt;
  const auto raw = raw_in(row, width_);
  if (!raw || !(now_.scale > 0)) return std::nullopt;
  const double value = trees_.predict(raw->slots, raw->values);
  return fits_ == trees::Fits::kNumbers ? (value - now_.centre) / now_.scale : value;
}

// Of values beyond those that they have seen trees know nothing: they may differ from the banks by no more than these
// are wrong now and then.
void TreedBases::add_own(double base, std::optional<double> trees, std::span<double> own) const {
  double way = trees ? *trees - base : 0;
  if (fits_ == trees::Fits::kNumbers && way != 0) {
    const double most = kContradicts * std::sqrt(squares_ / std::max(1.0, errors_)) / now_.scale;
    way = std::clamp(way, -most, most);
  }
  for (std::size_t k = 0; k < kOwn; ++k) own[k] = base + kWays[k] * way;
}

void TreedBases::play(Round, const Covector* features, std::span<double> predictions, Memo& memo) {
  if (features == nullptr) return;
  predict(*features, predictions);
  keep_raw(raw_in(*features, width_), memo);
}

void TreedBases::predict(const Covector& features, std::span<double> predictions) const {
  banks_.predict(for_banks(features), predictions.first(banks_.size()));
  add_own(mean_of_banks(predictions), grown(features), predictions.subspan(banks_.size()));
}

void TreedBases::predict_linear(const Covector& features, std::span<double> predictions) const {
  banks_.predict(features, predictions.first(banks_.size()));
  const double mean = mean_of_banks(predictions);
  for (std::size_t k = 0; k < kOwn; ++k) predictions[banks_.size() + k] = mean * (awake() ? 1 - kWays[k] : 1);
}

void TreedBases::write(std::size_t k, std::span<double> x) const {
  if (k < banks_.size()) return banks_.write(k, x);
  const double share = awake() ? 1 - kWays[k - banks_.size()] : 1;
  Vec one(x.size());
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] * share == 0) continue;
    banks_.write(i, one);
    kernels::blend(x, 1, one, share * weights_[i]);
  }
}

void TreedBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo) {
  const std::size_t n = banks_.size();
  const auto of_banks = [&](auto all) { return all.empty() ? all : all.first(n); };
  banks_.receive(
      t, feedback,
      {of_banks(played.predictions), of_banks(played.losses), {}, of_banks(played.given), of_banks(played.taken)}, {});
  if (feedback.known == nullptr || played.predictions.size() != size() || t == 0) return;  // 0: a label is corrected
  const KnownLoss& known = *feedback.known;
  now_ = known.now;
  const double error = known.label - known.at_play(played.predictions[n]), square = error * error;
  squares_ += errors_ < kSettledErrors ? square : std::min(square, kFarSquare * squares_ / errors_);
  errors_ += 1;
  if (const auto raw = raw_in(memo)) trees_.learn(raw->slots, raw->values, known.label);
}

void TreedBases::save(ByteWriter& out) const {
  banks_.save(out);
  trees_.save(out);
  out.f64(kFollowsBanks);
  for (double x : {errors_, squares_, now_.centre, now_.scale}) out.f64(x);
}

// Before, there were mixtures of trees and the best base whose shares were learnt: first came what each base had lost,
// which began with how many there are.
void TreedBases::load(ByteReader& in) {
  banks_.load(in);
  trees_.load(in);
  const double first = in.f64();
  const bool before = first != kFollowsBanks;
  if (before && std::bit_cast<std::uint64_t>(first) != banks_.size())
    throw Error(Code::kCorrupt, "snapshot: what bases beside trees have lost is impossible");
  for (std::size_t k = 0; before && k < banks_.size(); ++k) in.finite();
  errors_ = in.size();
  squares_ = in.size();
  now_.centre = in.finite();
  now_.scale = in.size();
  if (!before) return;
  errors_ = squares_ = 0;  // rounds played, and labels, were there
  for (int mixture = 0; mixture < 3; ++mixture)
    for (int number = 0; number < 4; ++number) in.finite();
}

}  // namespace tarry
