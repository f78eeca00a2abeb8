#include "tarry/tracks/sparse_track.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/within.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/lazy_scale.h"

namespace tarry {
namespace {

constexpr Index kFewNonZeros = 1024;

std::vector<Index> non_zeros(const Vec& x) {
  std::vector<Index> at;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] != 0) at.push_back(static_cast<Index>(i));
  return at;
}

}  // namespace

bool SparseTrack::fits(const Start& start, Need need) {
  if (need != Need::kMaxAbs && need != Need::kMin) return false;
  if (start.values.empty()) return need == Need::kMin || start.everywhere == 0;
  return static_cast<Index>(non_zeros(start.values).size()) <= kFewNonZeros;
}

SparseTrack::SparseTrack(const Start& start, double p_over_y, Need need)
    : dimension_(start.dimension),
      need_(need),
      background_z_(start.values.empty() ? start.everywhere : 0),
      background_p_(p_over_y * background_z_) {
  for (Index i : non_zeros(start.values)) {
    const double y = start.values[static_cast<std::size_t>(i)];
    const std::uint32_t k = join_support(i);
    support_z_[k] = y;
    support_p_[k] = p_over_y * y;
  }
}

// The background's own c is common to all off the support, so their order is that of their lifts. For the largest
// |c| this needs a background of 0, which `fits` asks for.
double SparseTrack::key_of(double lift) const { return kernels::extreme_key(lift, need_); }

std::uint32_t SparseTrack::touch(Index i) {
  const auto next = static_cast<std::uint32_t>(slots_.size());
  if (next == kNone) throw Error(Code::kOutOfMemory, "sparse track: more than 2^32 coordinates were touched");
  ensure(i >= 0 && i < dimension_, "what is touched is a coordinate of the decision");
  const std::uint32_t slot = slot_of_.find_or_insert(i, next);
  ensure(slot <= next, "slots are given out one after the other");
  if (slot != next) return slot;
  slots_.push_back({.at = i, .lift = 0, .heap_key = 0});
  if (i == first_untouched_)
    while (slot_of_.find(first_untouched_) != IndexMap::kAbsent) ++first_untouched_;
  return slot;
}

void SparseTrack::file_in_heap(std::uint32_t slot) {
  Slot& coordinate = slots_[slot];
  const double key = key_of(coordinate.lift);
  if (coordinate.heap_position != LazyHeap::kOut && key <= coordinate.heap_key) return;  // corrected at the top
  coordinate.heap_key = key;
  heap_.raise({key, coordinate.at, slot},
              [this](std::uint32_t s) -> std::uint32_t& { return slots_[s].heap_position; });
}

void SparseTrack::add_to_slot(std::uint32_t slot, double amount) {
  Slot& coordinate = slots_[slot];
  if (coordinate.in_support != kNone) {
    support_p_[coordinate.in_support] += amount;
    return;
  }
  coordinate.lift += amount;
  add_to_lift_sum(amount);
  file_in_heap(slot);
}

void SparseTrack::add_to_lift_sum(double amount) {
  if (background_z_ == 0) return;
  const double sum = lift_sum_ + amount;
  lift_sum_error_ +=
      std::fabs(lift_sum_) >= std::fabs(amount) ? (lift_sum_ - sum) + amount : (amount - sum) + lift_sum_;
  lift_sum_ = sum;
}

// Three short loops instead of one, so that the cache misses of different coordinates overlap.
void SparseTrack::add(const Covector& gradient, double a) {
  gradient.each([&](Index i, double) { slot_of_.prefetch(i); });
  scratch_.clear();
  gradient.each([&](Index i, double) {
    const std::uint32_t slot = touch(i);
    __builtin_prefetch(&slots_[slot]);
    scratch_.push_back(slot);
  });
  std::size_t j = 0;
  gradient.each([&](Index, double g) { add_to_slot(scratch_[j++], a * g); });
}

void SparseTrack::sweep(const Covector& gradient, const Sweep& k) {
  add(gradient, k.a);
  background_p_ += k.gamma * background_y();
  b_ = k.b;
  const auto sums = kernels::sweep({.p = support_p_,
                                    .z = support_z_,
                                    .g = {},
                                    .c = {},
                                    .a = 0,
                                    .gamma_s = k.gamma * scale_,
                                    .b_s = k.b * scale_,
                                    .need = need_});
  const double y0 = background_y(), c0 = background_p_ + b_ * y0;
  cy_ = sums.cz * scale_ + y0 * (off_support() * c0 + (lift_sum_ + lift_sum_error_));
  yy_ = sums.zz * scale_ * scale_ + off_support() * y0 * y0;
  support_extreme_ = sums.extreme;
  find_extreme();
}

void SparseTrack::find_extreme() {
  const auto position_of = [this](std::uint32_t s) -> std::uint32_t& { return slots_[s].heap_position; };
  const double c0 = background_p_ + b_ * background_y();
  double best = 0;
  bool found = false;
  const auto offer = [&](Index at, double c) {
    const double key = kernels::extreme_key(c, need_);
    if (!found || key > best || (key == best && at < extreme_.at)) {
      extreme_ = {at, c};
      best = key;
      found = true;
    }
  };
  if (static_cast<Index>(slots_.size()) < dimension_) offer(first_untouched_, c0);

  while (!heap_.empty()) {
    Slot& slot = slots_[heap_.top().slot];
    if (slot.in_support != kNone) {
      heap_.pop(position_of);
    } else if (const double key = key_of(slot.lift); key < heap_.top().key) {
      slot.heap_key = key;
      heap_.lower_top(key, position_of);
    } else {
      offer(slot.at, c0 + slot.lift);
      break;
    }
  }
  if (support_at_.empty()) return;
  // The kernel's ties go to the atom that came first; the oracle's go to the lowest index.
  const double support_best = kernels::extreme_key(support_extreme_.value, need_);
  if (found && support_best < best) return;
  const kernels::KeyScan support{support_p_, support_z_, b_ * scale_, need_};
  const std::size_t end = support_at_.size();
  for (auto j = static_cast<std::size_t>(support_extreme_.at); j < end;
       j = kernels::find_key(support, support_best, j + 1, end))
    offer(support_at_[j], support_p_[j] + b_ * scale_ * support_z_[j]);
}

SparseTrack::Coordinate SparseTrack::at(Index i) const {
  const std::uint32_t slot = slot_of_.find(i);
  if (slot == IndexMap::kAbsent) return {background_y(), background_p_};
  const Slot& coordinate = slots_[slot];
  if (coordinate.in_support == kNone) return {background_y(), background_p_ + coordinate.lift};
  return {scale_ * support_z_[coordinate.in_support], support_p_[coordinate.in_support]};
}

Segment SparseTrack::toward(const Atom& atom) const {
  const SparseAtom v = as_sparse(atom, dimension_);
  double cv = 0, yv = 0, vv = 0;
  for (std::size_t j = 0; j < v.at.size(); ++j) {
    const Coordinate x = at(v.at[j]);
    cv += v.value[j] * (x.p + b_ * x.y);
    yv += v.value[j] * x.y;
    vv += v.value[j] * v.value[j];
  }
  const double width = (yy_ - yv) + (vv - yv);
  if (width > kCancelled * (yy_ + vv)) return {cy_ - cv, width};

  // y is close to v: sum the differences themselves, over the support, the atom and the background.
  Segment exact;
  const auto add = [&](double y, double p, double vi) {
    exact.gap += (p + b_ * y) * (y - vi);
    exact.width += (y - vi) * (y - vi);
  };
  const auto value_at = [&](Index i) {
    const auto found = std::lower_bound(v.at.begin(), v.at.end(), i);
    return found != v.at.end() && *found == i ? v.value[static_cast<std::size_t>(found - v.at.begin())] : 0.0;
  };
  for (std::size_t j = 0; j < support_at_.size(); ++j)
    add(scale_ * support_z_[j], support_p_[j], value_at(support_at_[j]));
  const double y0 = background_y(), c0 = background_p_ + b_ * y0;
  exact.gap += y0 * (off_support() * c0 + (lift_sum_ + lift_sum_error_));
  exact.width += off_support() * y0 * y0;
  for (std::size_t j = 0; j < v.at.size(); ++j) {  // atoms off the support: the background counted them at 0
    const std::uint32_t slot = slot_of_.find(v.at[j]);
    if (slot != IndexMap::kAbsent && slots_[slot].in_support != kNone) continue;
    const double c = at(v.at[j]).p + b_ * y0;
    exact.gap -= c * v.value[j];
    exact.width += v.value[j] * (v.value[j] - 2 * y0);
  }
  return exact;
}

std::uint32_t SparseTrack::join_support(Index i) {
  Slot& slot = slots_[touch(i)];
  if (slot.in_support != kNone) return slot.in_support;
  add_to_lift_sum(-slot.lift);
  slot.in_support = static_cast<std::uint32_t>(support_at_.size());
  support_at_.push_back(i);
  support_z_.push_back(background_z_);
  support_p_.push_back(background_p_ + slot.lift);
  return slot.in_support;
}

// y = 0 everywhere: what was in the support waits in the heap again.
void SparseTrack::empty_support() {
  for (std::size_t j = 0; j < support_at_.size(); ++j) {
    const std::uint32_t slot = slot_of_.find(support_at_[j]);
    slots_[slot].in_support = kNone;
    slots_[slot].lift = support_p_[j] - background_p_;
    file_in_heap(slot);
  }
  support_at_.clear();
  support_z_.clear();
  support_p_.clear();
  lift_sum_ = lift_sum_error_ = 0;  // not needed any more: the background of y is 0 for good
}

void SparseTrack::step(double sigma, const Atom& atom) {
  if (sigma == 0) return;
  const SparseAtom v = as_sparse(atom, dimension_);
  const LazyStep lazy = lazy_step(scale_, sigma);
  scale_ = lazy.scale;
  if (lazy.fold != 1) {
    background_z_ *= lazy.fold;
    for (double& z : support_z_) z *= lazy.fold;
    // With the background of p at 0 too, coordinates may go back to the heap (a lift is then p itself, exactly).
    if (lazy.fold == 0 && background_p_ == 0) empty_support();
  }
  for (std::size_t j = 0; j < v.at.size(); ++j) {
    const std::uint32_t k = join_support(v.at[j]);
    support_z_[k] += lazy.weight * v.value[j];
  }
}

void SparseTrack::restart(double p_over_y) {
  SparseTrack fresh({.dimension = dimension_, .everywhere = background_y(), .values = {}}, p_over_y, need_);
  for (std::size_t j = 0; j < support_at_.size(); ++j) {
    const std::uint32_t k = fresh.join_support(support_at_[j]);
    fresh.support_z_[k] = scale_ * support_z_[j];
    fresh.support_p_[k] = p_over_y * fresh.support_z_[k];
  }
  *this = std::move(fresh);
}

double SparseTrack::dot(const Covector& features) const {
  double sum = 0;
  features.each([&](Index i, double a) { sum += a * at(i).y; });
  return sum;
}

void SparseTrack::write(std::span<double> y) const {
  std::fill(y.begin(), y.end(), background_y());
  for (std::size_t j = 0; j < support_at_.size(); ++j)
    y[static_cast<std::size_t>(support_at_[j])] = scale_ * support_z_[j];
}

void SparseTrack::write_p(std::span<double> p) const {
  std::fill(p.begin(), p.end(), background_p_);
  for (const Slot& slot : slots_)
    p[static_cast<std::size_t>(slot.at)] =
        slot.in_support == kNone ? background_p_ + slot.lift : support_p_[slot.in_support];
}

void SparseTrack::save(ByteWriter& out) const {
  out.i64(dimension_);
  out.f64(scale_);
  out.f64(background_z_);
  out.f64(background_p_);
  out.f64(lift_sum_);
  out.f64(lift_sum_error_);
  std::vector<Index> at;
  Vec lift;
  for (const Slot& slot : slots_) {
    at.push_back(slot.at);
    lift.push_back(slot.lift);
  }
  out.integers(at);
  out.reals(lift);
  out.integers(support_at_);
  out.reals(support_z_);
  out.reals(support_p_);
}

void SparseTrack::load(ByteReader& in) {
  if (const Index saved = in.i64(); saved != dimension_)
    throw Error(Code::kCorrupt, "snapshot: its decision has " + std::to_string(saved) + " coordinates, the set has " +
                                    std::to_string(dimension_));
  SparseTrack fresh({.dimension = dimension_, .everywhere = 0, .values = {}}, 0, need_);
  fresh.scale_ = in.f64();
  fresh.background_z_ = in.f64();
  fresh.background_p_ = in.f64();
  fresh.lift_sum_ = in.f64();
  fresh.lift_sum_error_ = in.f64();
  const auto at = in.integers();
  const Vec lift = in.reals();
  fresh.support_at_ = in.integers();
  fresh.support_z_ = in.reals();
  fresh.support_p_ = in.reals();
  check_within(fresh.support_z_, kMostInState, fresh.scale_);
  check_within({&fresh.background_z_, 1}, kMostInState, fresh.scale_);
  check_within(lift, kMostWithSteps);
  check_within(fresh.support_p_, kMostWithSteps);
  check_within(Vec{fresh.background_p_, fresh.lift_sum_, fresh.lift_sum_error_}, kMostWithSteps);
  const auto in_range = [&](Index i) { return i >= 0 && i < dimension_; };
  if (lift.size() != at.size() || fresh.support_z_.size() != fresh.support_at_.size() ||
      fresh.support_p_.size() != fresh.support_at_.size() || !std::all_of(at.begin(), at.end(), in_range))
    throw Error(Code::kCorrupt, "snapshot: its coordinates contradict each other");
  for (Index i : at) fresh.touch(i);
  if (fresh.slots_.size() != at.size()) throw Error(Code::kCorrupt, "snapshot: a coordinate is there twice");
  for (std::size_t k = 0; k < fresh.support_at_.size(); ++k) {
    const std::uint32_t slot = fresh.slot_of_.find(fresh.support_at_[k]);
    if (slot == IndexMap::kAbsent || fresh.slots_[slot].in_support != kNone)
      throw Error(Code::kCorrupt, "snapshot: an atom has an unknown coordinate, or is there twice");
    fresh.slots_[slot].in_support = static_cast<std::uint32_t>(k);
  }
  for (std::uint32_t slot = 0; slot < fresh.slots_.size(); ++slot) {
    fresh.slots_[slot].lift = lift[slot];
    if (fresh.slots_[slot].in_support == kNone) fresh.file_in_heap(slot);
  }
  *this = std::move(fresh);
}

}  // namespace tarry
