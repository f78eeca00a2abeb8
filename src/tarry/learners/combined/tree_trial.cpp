#include "tarry/learners/combined/tree_trial.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::size_t kMostCohorts = 128;
constexpr Round kWidest = Round{1} << 53;
constexpr double kNearlyAll = 0.9;   // of the labels that will come of a cohort have come
constexpr double kLongAgo = 32;      // or it is so many of its mean waits ago, and half of all rounds: others are lost
constexpr double kHardlyAny = 8;     // mean waits, after which hardly a label comes
constexpr double kFewestSeen = 256;  // rounds, to see how many labels are lost
constexpr double kRemembers = 4096;  // labels
constexpr double kBeforehand = 0.00675;  // the odds of each step while nothing is known
constexpr double kSure = 1;              // standard errors by which trees must be ahead

[[noreturn]] void refuse_trial() { throw Error(Code::kCorrupt, "snapshot: how far trees are believed is impossible"); }

}  // namespace

void TreeTrial::Sums::add(const Sums& other) {
  labels += other.labels;
  for (std::size_t k = 0; k < kSteps; ++k) {
    behind[k] += other.behind[k];
    squares[k] += other.squares[k];
  }
}

void TreeTrial::Came::add(Round age) {
  labels += 1;
  waited += static_cast<double>(age);
}

// Those of rounds 2^k to 2^(k+1) − 1 are at k.
TreeTrial::Came* TreeTrial::age_of(Round t) {
  if (t <= unknown_ || t > played_) return nullptr;
  const auto k = static_cast<std::size_t>(std::bit_width(t)) - 1;
  if (ages_.size() <= k) ages_.resize(k + 1);
  return &ages_[k];
}

// The share of rounds whose labels come at all: that of the last ones which are long ago.
double TreeTrial::will_come() const {
  for (std::size_t k = ages_.size(); k-- > 0;) {
    const Came& x = ages_[k];
    const Round end = (Round{2} << k) - 1;
    if (2 * end <= played_ && x.rounds >= kFewestSeen && x.labels > 0 && x.ago(played_ - end, kHardlyAny))
      return std::min(1.0, x.labels / x.rounds);
  }
  return 1;
}

std::optional<std::size_t> TreeTrial::cohort_of(Round t) const {
  if (t <= before_ || t > played_) return std::nullopt;
  return static_cast<std::size_t>((t - 1 - before_) / width_);
}

void TreeTrial::play() {
  ++played_;
  if (played_ - before_ > cohorts_.size() * width_) {
    if (cohorts_.size() >= kMostCohorts) merge_pairs();
    cohorts_.emplace_back();
  }
  cohorts_.back().rounds += 1;
  age_of(played_)->rounds += 1;
}

void TreeTrial::gone(Round t) {
  if (const auto cohort = cohort_of(t)) cohorts_[*cohort].rounds -= 1;
  if (Came* const age = age_of(t)) age->rounds -= 1;
}

// By chance more labels are lost of one cohort than of another.
bool TreeTrial::complete(std::size_t cohort) const {
  const Cohort& x = cohorts_[cohort];
  const Round end = before_ + (cohort + 1) * width_;
  if (played_ < end || x.labels == 0) return false;
  const double coming = will_come();
  if (x.labels + std::sqrt(coming * (1 - coming) * x.rounds) >= kNearlyAll * coming * x.rounds) return true;
  return 2 * end <= played_ && x.ago(played_ - end, kLongAgo);
}

void TreeTrial::came(Round t, const Steps& behind) {
  Sums one{1, behind, {}};
  for (std::size_t k = 0; k < kSteps; ++k) one.squares[k] = behind[k] * behind[k];
  if (Came* const age = age_of(t)) age->add(played_ - t);
  const auto number = cohort_of(t);
  if (!number) return count(one);
  Cohort& cohort = cohorts_[*number];
  cohort.Came::add(played_ - t);
  cohort.held.add(one);
  if (cohort.counted || complete(*number)) {
    count(cohort.held);
    cohort.counted = true;
  }
  while (!cohorts_.empty() && complete(0)) {
    count(cohorts_[0].held);
    cohorts_.erase(cohorts_.begin());
    before_ += width_;
  }
}

// What was before fades: on a stream that changes, trees that were right for long must not stay.
void TreeTrial::count(Sums& held) {
  const double keeps = kRemembers / (kRemembers + held.labels);
  for (Steps* sums : {&counted_.behind, &counted_.squares})
    for (double& x : *sums) x *= keeps;
  counted_.add(held);
  held = {};
}

// So that memory does not grow with how late labels are.
void TreeTrial::merge_pairs() {
  std::vector<Cohort> wider;
  for (std::size_t i = 0; i + 1 < cohorts_.size(); i += 2) {
    Cohort x = cohorts_[i];
    const Cohort& y = cohorts_[i + 1];
    x.rounds += y.rounds;
    x.labels += y.labels;
    x.waited += y.waited;
    x.held.add(y.held);
    x.counted = x.counted && y.counted;
    wider.push_back(x);
  }
  cohorts_ = std::move(wider);
  width_ *= 2;
}

// All steps together are believed as far as the trees are surely ahead, and among each other by what they lost.
TreeTrial::Steps TreeTrial::odds(double rate) const {
  Steps odds;
  double surely = 0, all = 0;
  const double least = *std::min_element(counted_.behind.begin(), counted_.behind.end());
  for (std::size_t k = 0; k < kSteps; ++k) {
    const double behind = counted_.behind[k] + kSure * std::sqrt(counted_.squares[k]);
    surely += tarry::exp(std::clamp(-rate * behind, -700.0, 600.0));
    all += odds[k] = tarry::exp(std::max(-700.0, rate * (least - counted_.behind[k])));
  }
  for (double& x : odds) x *= kBeforehand * surely / all;
  return odds;
}

void TreeTrial::begin_at(Round played) {
  *this = TreeTrial();
  played_ = before_ = unknown_ = played;
}

void TreeTrial::save(ByteWriter& out) const {
  for (Round x : {played_, before_, width_, Round{cohorts_.size()}}) out.u64(x);
  const auto save_sums = [&](const Sums& sums) {
    out.f64(sums.labels);
    for (const Steps* steps : {&sums.behind, &sums.squares})
      for (double x : *steps) out.f64(x);
  };
  for (const Cohort& x : cohorts_) {
    for (double y : {x.rounds, x.labels, x.waited}) out.f64(y);
    save_sums(x.held);
    out.u64(x.counted ? 1 : 0);
  }
  save_sums(counted_);
  out.u64(unknown_);
  out.u64(ages_.size());
  for (const Came& x : ages_)
    for (double y : {x.rounds, x.labels, x.waited}) out.f64(y);
}

void TreeTrial::load(ByteReader& in, bool ages) {
  TreeTrial fresh;
  fresh.played_ = in.u64();
  fresh.before_ = in.u64();
  fresh.width_ = in.u64();
  const std::uint64_t cohorts = in.count(96);
  if (fresh.before_ > fresh.played_ || fresh.width_ == 0 || fresh.width_ > kWidest || cohorts > kMostCohorts ||
      cohorts != (fresh.played_ - fresh.before_ + fresh.width_ - 1) / fresh.width_)
    refuse_trial();
  const auto load_sums = [&](Sums& sums) {
    sums.labels = in.size();
    for (double& x : sums.behind) x = in.finite();
    for (double& x : sums.squares) x = in.size();
  };
  for (std::uint64_t i = 0; i < cohorts; ++i) {
    Cohort& x = fresh.cohorts_.emplace_back();
    for (double* y : {&x.rounds, &x.labels, &x.waited}) *y = in.size();
    load_sums(x.held);
    x.counted = in.flag();
  }
  load_sums(fresh.counted_);
  fresh.unknown_ = ages ? in.u64() : fresh.played_;
  const std::uint64_t known = ages ? in.count(24) : 0;
  if (fresh.unknown_ > fresh.played_ || known > static_cast<std::uint64_t>(std::bit_width(fresh.played_)))
    refuse_trial();
  for (std::uint64_t i = 0; i < known; ++i) {
    Came& x = fresh.ages_.emplace_back();
    for (double* y : {&x.rounds, &x.labels, &x.waited}) *y = in.size();
  }
  *this = std::move(fresh);
}

}  // namespace tarry
