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

LateLosses::Cell LateLosses::split(const Waits& waits, std::int64_t age_ms, bool beyond) {
  Cell found;
  const double at = age_ms <= 0 ? 0 : position(age_ms);
  for (std::size_t k = 0; k < waits.size(); ++k) {
    const double within = std::clamp(at - static_cast<double>(k), 0.0, 1.0);
    found.add(waits[k], beyond ? 1 - within : within);
  }
  return found;
}

double LateLosses::share_beyond(std::size_t stratum, std::int64_t age_ms) const {
  const double all = labels_ > 0 ? split(all_, age_ms, true).count / labels_ : 0;
  const double later = split(strata_[stratum], age_ms, true).count;
  return (later + kPull * all) / (later + split(strata_[stratum], age_ms, false).count + kPull);
}

double LateLosses::share_within(std::int64_t age_ms) const {
  return labels_ > 0 ? split(all_, age_ms, false).count / labels_ : 0;
}

Moments LateLosses::moments(std::size_t stratum, std::int64_t age_ms, bool beyond, double Judged::*what) const {
  Cell of_all = split(all_, age_ms, beyond);
  if (of_all.count < 1) of_all = split(all_, 0, true);  // none took so long: as all of them
  Cell own = split(strata_[stratum], age_ms, beyond);
  const double count = own.count;
  if (of_all.count > 0) own.add(of_all, kPull / of_all.count);
  if (own.count <= 0) return {};
  const double mean = own.sum.*what / own.count;
  return {count, mean, std::max(0.0, own.squares.*what / own.count - mean * mean)};
}

Moments LateLosses::beyond(std::size_t stratum, std::int64_t age_ms, double Judged::*what) const {
  return moments(stratum, age_ms, true, what);
}

Moments LateLosses::within(std::size_t stratum, std::int64_t age_ms, double Judged::*what) const {
  return moments(stratum, age_ms, false, what);
}

std::int64_t LateLosses::nearly_all_ms() const {
  double later = 0;
  for (std::size_t k = all_.size(); k-- > 0;) {
    later += all_[k].count;
    if (later > 0.01 * labels_)
      return static_cast<std::int64_t>(tarry::exp(std::numbers::ln2 * static_cast<double>(k + 1) / kCells));
  }
  return 0;
}

}  // namespace tarry::quality
