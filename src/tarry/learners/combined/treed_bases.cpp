#include "tarry/learners/combined/treed_bases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/combined/loss_weights.h"

namespace tarry {
namespace {

constexpr std::array<double, TreedBases::kMixtures> kMixtureRates = {0.02, 0.1, 0.5};
constexpr double kMostShare = 2;  // of a base or the trees in a mixture
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
    : banks_(std::move(banks)), fits_(fits), width_(width), trees_(fits), lost_(banks_.size()) {}

bool TreedBases::awake() const { return trees_.ready() && told_ >= LossWeights::kMost * played_; }

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

void TreedBases::add_own(double base, std::optional<double> trees, std::span<double> own) const {
  own[0] = base;
  own[1] = trees.value_or(base);
  for (std::size_t k = 0; k < kMixtures; ++k) own[2 + k] = trees ? mixtures_[k].at(base, *trees) : base;
}

void TreedBases::play(Round, const Covector* features, std::span<double> predictions, Memo& memo) {
  played_ += 1;
  if (features == nullptr) return;
  predict(*features, predictions);
  keep_raw(raw_in(*features, width_), memo);
}

void TreedBases::predict(const Covector& features, std::span<double> predictions) const {
  banks_.predict(for_banks(features), predictions.first(banks_.size()));
  add_own(predictions[best_], grown(features), predictions.subspan(banks_.size()));
}

void TreedBases::predict_linear(const Covector& features, std::span<double> predictions) const {
  banks_.predict(features, predictions.first(banks_.size()));
  add_own(predictions[best_], awake() ? std::optional(0.0) : std::nullopt, predictions.subspan(banks_.size()));
}

void TreedBases::write(std::size_t k, std::span<double> x) const {
  if (k < banks_.size()) return banks_.write(k, x);
  banks_.write(best_, x);
  const std::size_t own = k - banks_.size();
  const double share = own == 0 || !awake() ? 1 : own == 1 ? 0 : mixtures_[own - 2].of_base;
  for (double& weight : x) weight *= share;
}

void TreedBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo) {
  const std::size_t n = banks_.size();
  const auto of_banks = [&](auto all) { return all.empty() ? all : all.first(n); };
  banks_.receive(
      t, feedback,
      {of_banks(played.predictions), of_banks(played.losses), {}, of_banks(played.given), of_banks(played.taken)}, {});
  if (feedback.known == nullptr || played.predictions.size() != size() || t == 0) return;  // 0: a label is corrected
  const KnownLoss& known = *feedback.known;
  told_ += 1;
  now_ = known.now;
  for (std::size_t k = 0; k < n && !played.losses.empty(); ++k) lost_[k] += played.losses[k];
  best_ = static_cast<std::size_t>(std::min_element(lost_.begin(), lost_.end()) - lost_.begin());
  learn_mixtures(known, played.predictions[n], played.predictions[n + 1]);
  if (const auto raw = raw_in(memo)) trees_.learn(raw->slots, raw->values, known.label);
}

// By what was predicted at the play: where both were one, there is nothing to learn of their shares.
void TreedBases::learn_mixtures(const KnownLoss& known, double base, double trees) {
  if (base == trees || !(known.at_play.scale > 0)) return;
  for (std::size_t k = 0; k < kMixtures; ++k) {
    Mixture& x = mixtures_[k];
    const double at = x.at(base, trees);
    double slope = 0;
    if (fits_ == trees::Fits::kNumbers)
      slope = at - (known.label - known.at_play.centre) / known.at_play.scale;
    else
      slope = known.label > 0 ? -1 / (1 + tarry::exp(at)) : 1 / (1 + tarry::exp(-at));
    const auto step = [&](double feature, double& squares, double& share) {
      squares += slope * feature * (slope * feature);
      share = std::clamp(share - kMixtureRates[k] * slope * feature / std::sqrt(squares), -kMostShare, kMostShare);
    };
    step(base, x.squares_of_base, x.of_base);
    step(trees, x.squares_of_trees, x.of_trees);
  }
}

void TreedBases::save(ByteWriter& out) const {
  banks_.save(out);
  trees_.save(out);
  out.reals(lost_);
  for (double x : {played_, told_, now_.centre, now_.scale}) out.f64(x);
  for (const Mixture& x : mixtures_)
    for (double y : {x.of_base, x.of_trees, x.squares_of_base, x.squares_of_trees}) out.f64(y);
}

void TreedBases::load(ByteReader& in) {
  banks_.load(in);
  trees_.load(in);
  lost_ = in.reals(lost_.size());
  best_ = static_cast<std::size_t>(std::min_element(lost_.begin(), lost_.end()) - lost_.begin());
  played_ = in.size();
  told_ = in.size();
  now_.centre = in.finite();
  now_.scale = in.size();
  for (Mixture& x : mixtures_) {
    x.of_base = in.finite();
    x.of_trees = in.finite();
    x.squares_of_base = in.size();
    x.squares_of_trees = in.size();
    if (!(x.squares_of_base >= 1 && x.squares_of_trees >= 1))
      throw Error(Code::kCorrupt, "snapshot: what mixtures with trees have learnt is impossible");
  }
}

}  // namespace tarry
