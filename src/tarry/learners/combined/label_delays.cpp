#include "tarry/learners/combined/label_delays.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::size_t kMostCohorts = 64;
constexpr std::size_t kMostDelays = 128;  // half-octaves
constexpr double kOld = 0.5;              // the share of all rounds, the oldest, that are looked at
constexpr double kUnknown = 2;            // labels, of every class alike, that are added where a class is guessed …
constexpr double kAsBefore = 1;           // … and such as have come so far
constexpr double kAdded = 0.2;            // to the count of a class, so that none is 0
constexpr double kEvery = 64;             // weights are taken anew after a 64th more events

// 1, 1.4, 2, 2.8, 4, …
std::size_t half_octave(double delay) {
  const auto whole = static_cast<std::uint64_t>(std::max(1.0, delay));
  const auto octave = static_cast<std::size_t>(std::bit_width(whole)) - 1;
  const double low = static_cast<double>(std::uint64_t{1} << octave);
  return 2 * octave + (static_cast<double>(whole) >= 1.4142135623730951 * low ? 1 : 0);
}

double sum(const Vec& x) {
  double total = 0;
  for (double one : x) total += one;
  return total;
}

}  // namespace

void LabelDelays::add(Vec& counts, std::size_t kind) {
  if (counts.size() <= kind) counts.resize(kind + 1, 0.0);
  counts[kind] += 1;
}

LabelDelays::Cohort& LabelDelays::cohort_of(Round t) {
  const auto at = static_cast<std::size_t>((static_cast<double>(t) - 1) / length_);
  return cohorts_[std::min(at, cohorts_.size() - 1)];
}

// With every cohort in use, neighbours become one.
void LabelDelays::play() {
  if (played_ == length_ * kMostCohorts) {
    for (std::size_t i = 0; i < kMostCohorts; i += 2) {
      Cohort both = std::move(cohorts_[i]);
      const Cohort& next = cohorts_[i + 1];
      both.open += next.open;
      both.answered.resize(std::max(both.answered.size(), next.answered.size()), 0.0);
      for (std::size_t c = 0; c < next.answered.size(); ++c) both.answered[c] += next.answered[c];
      cohorts_[i / 2] = std::move(both);
    }
    cohorts_.resize(kMostCohorts / 2);
    length_ *= 2;
  }
  if (played_ == length_ * static_cast<double>(cohorts_.size())) cohorts_.emplace_back();
  cohorts_.back().open += 1;
  played_ += 1;
}

double LabelDelays::receive(Round t, std::size_t kind) {
  kind = std::min(kind, kClasses - 1);
  if (cohorts_.empty()) return 1;
  Cohort& cohort = cohort_of(t);
  cohort.open = std::max(0.0, cohort.open - 1);
  add(cohort.answered, kind);
  add(answered_, kind);
  received_ += 1;
  const std::size_t at = std::min(half_octave(played_ - static_cast<double>(t)), kMostDelays - 1);
  if (delays_.size() <= at) delays_.resize(at + 1);
  add(delays_[at], kind);
  if (played_ + received_ >= weigh_at_) {
    weigh();
    weigh_at_ = (played_ + received_) * (1 + 1 / kEvery);
  }
  return kind < weights_.size() ? weights_[kind] : 1;
}

void LabelDelays::abandon(Round t) {
  if (cohorts_.empty()) return;
  Cohort& cohort = cohort_of(t);
  cohort.open = std::max(0.0, cohort.open - 1);
}

// How many labels of each class came so late or later, by half-octave.
std::vector<Vec> LabelDelays::later() const {
  std::vector<Vec> counts(delays_.size() + 1, Vec(answered_.size(), 0.0));
  for (std::size_t b = delays_.size(); b-- > 0;) {
    counts[b] = counts[b + 1];
    for (std::size_t c = 0; c < delays_[b].size(); ++c) counts[b][c] += delays_[b][c];
  }
  return counts;
}

// The chance that an open round is of class c: as often as labels that came as late as it is already.
double LabelDelays::guess(const Vec& later, std::size_t c, double share) const {
  const auto classes = static_cast<double>(std::max<std::size_t>(2, later.size()));
  const double mine = c < later.size() ? later[c] : 0;
  return (mine + kAsBefore * share + kUnknown / classes) / (sum(later) + kAsBefore + kUnknown);
}

// Of the oldest rounds: N_c = those answered with c and the open ones that are guessed to be c, against those answered.
// Where nothing old is open, all labels count 1.
void LabelDelays::weigh() {
  const std::size_t classes = std::max<std::size_t>(2, answered_.size());
  const std::vector<Vec> late = later();
  Vec open(classes, 0.0), seen(classes, 0.0);
  for (std::size_t i = 0; i < cohorts_.size(); ++i) {
    const double first = static_cast<double>(i) * length_;
    if (i > 0 && first + length_ > kOld * played_) break;
    const double age = played_ - first - length_ / 2;
    const Vec& tail = late[std::min(half_octave(age), late.size() - 1)];
    for (std::size_t c = 0; c < classes; ++c) {
      const double share = c < answered_.size() ? answered_[c] / received_ : 0;
      open[c] += cohorts_[i].open * guess(tail, c, share);
      seen[c] += cohorts_[i].count(c);
    }
  }
  weights_.assign(classes, 1.0);
  const double old = sum(seen);
  if (old == 0) return;
  const double share = old / (old + sum(open));
  for (std::size_t c = 0; c < classes; ++c) weights_[c] = (seen[c] + open[c] + kAdded) / (seen[c] + kAdded) * share;
}

double LabelDelays::trust() const {
  if (weights_.empty()) return 1;
  const auto [least, most] = std::minmax_element(weights_.begin(), weights_.end());
  return *least / *most;
}

void LabelDelays::save(ByteWriter& out) const {
  for (double x : {played_, received_, length_, weigh_at_}) out.f64(x);
  out.u64(cohorts_.size());
  for (const Cohort& one : cohorts_) {
    out.f64(one.open);
    out.reals(one.answered);
  }
  out.u64(delays_.size());
  for (const Vec& one : delays_) out.reals(one);
  out.reals(answered_);
  out.reals(weights_);
}

void LabelDelays::load(ByteReader& in) {
  const auto some = [&](std::uint64_t most) {
    const std::uint64_t count = in.u64();
    if (count > most) throw Error(Code::kCorrupt, "snapshot: the delays of labels are impossible");
    return static_cast<std::size_t>(count);
  };
  const auto counts = [&] {
    Vec x = in.reals();
    if (x.size() > kClasses || std::any_of(x.begin(), x.end(), [](double n) { return !(n >= 0 && n <= 1e300); }))
      throw Error(Code::kCorrupt, "snapshot: the delays of labels are impossible");
    return x;
  };
  for (double* x : {&played_, &received_, &length_, &weigh_at_}) *x = in.size();
  cohorts_.assign(some(kMostCohorts), {});
  for (Cohort& one : cohorts_) {
    one.open = in.size();
    one.answered = counts();
  }
  delays_.assign(some(kMostDelays), {});
  for (Vec& one : delays_) one = counts();
  answered_ = counts();
  weights_ = counts();
  const auto used = static_cast<double>(cohorts_.size());
  if (!(length_ >= 1) || played_ > used * length_ || (used > 0 && played_ <= (used - 1) * length_) ||
      (received_ > 0 && !(sum(answered_) > 0)) || (received_ == 0 && !answered_.empty()))
    throw Error(Code::kCorrupt, "snapshot: the delays of labels are impossible");
}

}  // namespace tarry
