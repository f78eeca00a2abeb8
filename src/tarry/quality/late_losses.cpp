#include "tarry/quality/late_losses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tarry/base/elementary.h"

namespace tarry::quality {
namespace {

constexpr double kRemembered = 20'000;   // labels: then what there was counts half
constexpr double kPull = 20;             // labels of all strata that stand in for the few of one
constexpr double kCells = 4;             // an octave
constexpr std::size_t kMostCells = 160;  // 35 years

double position(std::int64_t wait_ms) {
  return kCells * tarry::log(static_cast<double>(std::max<std::int64_t>(1, wait_ms))) / std::numbers::ln2;
}

std::size_t cell_of(std::int64_t wait_ms) {
  return std::min(static_cast<std::size_t>(position(wait_ms)), kMostCells - 1);
}

}  // namespace

std::size_t stratum_of(double probability) {
  static constexpr double kCuts[kStrata - 1] = {0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 0.7};
  return static_cast<std::size_t>(std::upper_bound(std::begin(kCuts), std::end(kCuts), probability) -
                                  std::begin(kCuts));
}

void LateLosses::Cell::add(const Cell& other, double weight) {
  count += weight * other.count;
  for (double Judged::*what : kJudged) {
    sum.*what += weight * other.sum.*what;
    squares.*what += weight * other.squares.*what;
  }
}

void LateLosses::add(std::size_t stratum, std::int64_t wait_ms, const Judged& judged) {
  Cell one{1, judged, {judged.loss * judged.loss, judged.gain * judged.gain}};
  const std::size_t at = cell_of(wait_ms);
  for (Waits* waits : {&strata_[stratum], &all_}) {
    if (waits->size() <= at) waits->resize(at + 1);
    (*waits)[at].add(one, 1);
  }
  nearly_all_ms_ = -1;
  if (++labels_ >= kRemembered) halve();
}

bool LateLosses::is_sound() const {
  return labels_ >= 0 && all_.size() <= kMostCells &&
         std::all_of(strata_.begin(), strata_.end(), [](const Waits& waits) { return waits.size() <= kMostCells; });
}

void LateLosses::halve() {
  labels_ /= 2;
  for (Waits& waits : strata_)
    for (Cell& cell : waits) cell.add(Cell(cell), -0.5);
  for (Cell& cell : all_) cell.add(Cell(cell), -0.5);
}

Judged LateLosses::usual(std::size_t stratum, std::int64_t wait_ms) const {
  const std::size_t at = cell_of(wait_ms);
  Cell own = at < strata_[stratum].size() ? strata_[stratum][at] : Cell();
  Cell pull = at < all_.size() ? all_[at] : Cell();
  if (pull.count < 1)
    for (const Cell& cell : all_) pull.add(cell, 1);  // none took so long: as all of them
  if (pull.count > 0) own.add(pull, kPull / pull.count);
  Judged found;
  if (own.count > 0)
    for (double Judged::*what : kJudged) found.*what = own.sum.*what / own.count;
  return found;
}

double LateLosses::share_within(std::int64_t age_ms) const {
  if (labels_ <= 0 || age_ms <= 0) return 0;
  const double at = position(age_ms);
  double within = 0;
  for (std::size_t k = 0; k < all_.size(); ++k)
    within += all_[k].count * std::clamp(at - static_cast<double>(k), 0.0, 1.0);
  return within / labels_;
}

Moments LateLosses::pulled(Cell own, Cell of_all, double Judged::*what) {
  const double count = own.count;
  if (of_all.count > 0) own.add(of_all, kPull / of_all.count);
  if (own.count <= 0) return {};
  const double mean = own.sum.*what / own.count;
  return {count, mean, std::max(0.0, own.squares.*what / own.count - mean * mean)};
}

Moments LateLosses::of(std::size_t stratum, double Judged::*what) const {
  Cell own, of_all;
  for (const Cell& cell : strata_[stratum]) own.add(cell, 1);
  for (const Cell& cell : all_) of_all.add(cell, 1);
  return pulled(own, of_all, what);
}

LateSums::Sums LateSums::summed(const LateLosses::Waits& waits) {
  Sums sums(waits.size() + 1);
  for (std::size_t k = waits.size(); k-- > 0;) {
    sums[k] = sums[k + 1];
    sums[k].add(waits[k], 1);
  }
  return sums;
}

LateSums::LateSums(const LateLosses& losses) : all_(summed(losses.all_)) {
  for (std::size_t s = 0; s < kStrata; ++s) strata_[s] = summed(losses.strata_[s]);
}

void Ages::add(double share, std::int64_t age_ms) { each_.at(count_++) = {share, age_ms <= 0 ? 0 : position(age_ms)}; }

// Within a cell, waits are taken to be spread evenly.
LateSums::Cell LateSums::beyond(const Sums& sums, double at) {
  const auto k = static_cast<std::size_t>(at);
  Cell found;
  if (k + 1 >= sums.size()) return found;
  const double within = at - static_cast<double>(k);
  found.add(sums[k], 1 - within);
  found.add(sums[k + 1], within);
  return found;
}

double LateSums::share_beyond(std::size_t stratum, double at) const {
  const double labels = all_.front().count;
  const double all = labels > 0 ? beyond(all_, at).count / labels : 0;
  const double later = beyond(strata_[stratum], at).count;
  return (later + kPull * all) / (strata_[stratum].front().count + kPull);
}

double LateSums::share_beyond(std::size_t stratum, const Ages& ages) const {
  double share = 0;
  for (std::size_t k = 0; k < ages.count_; ++k) share += ages.each_[k].share * share_beyond(stratum, ages.each_[k].at);
  return share;
}

// Each age counts by how many of its labels are missing.
Moments LateSums::beyond(std::size_t stratum, const Ages& ages, double Judged::*what) const {
  double weights = 0, mean = 0, squares = 0, count = 0;
  for (std::size_t k = 0; k < ages.count_; ++k) {
    const auto [share, at] = ages.each_[k];
    Cell of_all = beyond(all_, at);
    if (of_all.count < 1) of_all = all_.front();  // none took so long: as all of them
    const Moments one = LateLosses::pulled(beyond(strata_[stratum], at), of_all, what);
    const double weight = share * share_beyond(stratum, at) + 1e-12;
    weights += weight;
    count += weight * one.count;
    mean += weight * one.mean;
    squares += weight * (one.variance + one.mean * one.mean);
  }
  if (weights <= 0) return {};
  mean /= weights;
  return {count / weights, mean, std::max(0.0, squares / weights - mean * mean)};
}

std::int64_t LateLosses::nearly_all_ms() const {
  if (nearly_all_ms_ >= 0) return nearly_all_ms_;
  nearly_all_ms_ = 0;
  double later = 0;
  for (std::size_t k = all_.size(); k-- > 0 && nearly_all_ms_ == 0;) {
    later += all_[k].count;
    if (later > 0.01 * labels_)
      nearly_all_ms_ = static_cast<std::int64_t>(tarry::exp(std::numbers::ln2 * static_cast<double>(k + 1) / kCells));
  }
  return nearly_all_ms_;
}

}  // namespace tarry::quality
