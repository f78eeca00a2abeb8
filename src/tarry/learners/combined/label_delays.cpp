#include "tarry/learners/combined/label_delays.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::size_t kMostCohorts = 64;
constexpr std::size_t kMostDelays = 128;  // half-octaves
constexpr double kOld = 0.5;              // the share of all rounds, the oldest, that are looked at
constexpr double kEnough = 10;            // open rounds without which nothing is said of such a long wait
constexpr double kFirst = 0.1;            // of the labels, those that tell how fast labels come at first
constexpr double kAdded = 1;              // to the count of a class, so that none is 0
constexpr double kEvery = 64;             // weights are taken anew after a 64th more events

// 1, 1.4, 2, 2.8, 4, …
std::size_t half_octave(double delay) {
  const auto whole = static_cast<std::uint64_t>(std::max(1.0, delay));
  const auto octave = static_cast<std::size_t>(std::bit_width(whole)) - 1;
  const double low = static_cast<double>(std::uint64_t{1} << octave);
  return std::min(kMostDelays - 1, 2 * octave + (static_cast<double>(whole) >= 1.4142135623730951 * low ? 1 : 0));
}

double begins_at(std::size_t b) { return std::ldexp(b % 2 == 0 ? 1.0 : 1.4142135623730951, static_cast<int>(b / 2)); }

double sum(const Vec& x) {
  double total = 0;
  for (double one : x) total += one;
  return total;
}

void add(Vec& counts, std::size_t kind, double count = 1) {
  if (counts.size() <= kind) counts.resize(kind + 1, 0.0);
  counts[kind] += count;
}

}  // namespace

double LabelDelays::Cohort::answered() const {
  double total = 0;
  for (const Vec& one : came) total += sum(one);
  return total;
}

double LabelDelays::Cohort::answered(std::size_t c) const {
  double total = 0;
  for (const Vec& one : came) total += c < one.size() ? one[c] : 0;
  return total;
}

double LabelDelays::Cohort::came_in(std::size_t b) const { return b < came.size() ? sum(came[b]) : 0; }

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
      both.came.resize(std::max(both.came.size(), next.came.size()));
      for (std::size_t b = 0; b < next.came.size(); ++b)
        for (std::size_t c = 0; c < next.came[b].size(); ++c) add(both.came[b], c, next.came[b][c]);
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
  const std::size_t b = half_octave(played_ - static_cast<double>(t));
  if (cohort.came.size() <= b) cohort.came.resize(b + 1);
  add(cohort.came[b], kind);
  classes_ = std::max(classes_, kind + 1);
  received_ += 1;
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

// As Aalen and Johansen: in each half-octave, the labels that came by the rounds that were open and old enough.
LabelDelays::Course LabelDelays::course(std::size_t classes) const {
  Course course{.open = {1}, .came = {Vec(classes, 0.0)}, .seen = {}};
  Vec left;  // of each cohort, what is not answered before this half-octave
  for (const Cohort& one : cohorts_) left.push_back(one.open + one.answered());
  double first = 0, waited = 0;
  for (std::size_t b = 0; b < kMostDelays; ++b) {
    const double begin = begins_at(b), width = begins_at(b + 1) - begin;
    double at_risk = 0, waits = 0;
    Vec here(classes, 0.0);
    for (std::size_t i = 0; i < cohorts_.size(); ++i) {
      const double age = played_ - (static_cast<double>(i) + 0.5) * length_;
      const double came = cohorts_[i].came_in(b);
      const double share = std::clamp((age - begin) / width, 0.0, 1.0);  // of this wait that the cohort has behind it
      at_risk += left[i] * share;
      waits += (left[i] - came / 2) * share * width;
      if (age >= begin && came > 0)
        for (std::size_t c = 0; c < cohorts_[i].came[b].size(); ++c) here[c] += cohorts_[i].came[b][c];
      left[i] -= came;
    }
    if (at_risk < kEnough) break;
    const double open = course.open.back(), came = sum(here), chance = std::min(1.0, came / at_risk);
    Vec so_far = course.came.back();
    for (std::size_t c = 0; c < classes && came > 0; ++c) so_far[c] += open * chance * here[c] / came;
    course.open.push_back(open * (1 - chance));
    course.came.push_back(std::move(so_far));
    course.seen.push_back(std::move(here));
    if (first < kFirst * received_) {
      first += came;
      waited += waits;
    }
  }
  course.waited = waited > 0 ? first / waited : 0;
  return course;
}

// The classes of rounds that stay open longer than anything is known of. Had every round the same chance of a label in
// each round of waiting, as_before of them would still be open now; so many are like those that have come. The others
// are of a kind of their own, of which nobody can know the class: all classes alike, or more of one that has been rare
// among early labels and is not among the latest, beyond what is chance.
Vec LabelDelays::unknown(const Course& course) const {
  const std::size_t classes = course.came.back().size(), bins = course.bins();
  const double open = course.open.back(), came = sum(course.came.back());
  const double as_before = tarry::exp(-course.waited * std::min(begins_at(bins), played_));
  const double other = open > 0 ? std::clamp(1 - as_before / open, 0.0, 1.0) : 0;
  const auto octave = [&](std::size_t last, std::size_t c) {  // labels of c and of all others, in two half-octaves
    double mine = 0, all = 0;
    for (std::size_t b = last; b-- > 0 && b + 2 >= last;) {
      mine += course.seen[b][c];
      all += sum(course.seen[b]);
    }
    return std::pair(mine + 0.5, all - mine + 0.5);
  };
  Vec shares(classes), late(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    shares[c] = came > 0 ? course.came.back()[c] / came : 1 / static_cast<double>(classes);
    late[c] = 1 / static_cast<double>(classes);
    const auto [mine, others] = octave(bins, c);
    const auto [before, others_before] = octave(bins >= 2 ? bins - 2 : 0, c);
    const double odds = tarry::log(mine / others), chance = 1 / mine + 1 / others;
    const double grown = odds - tarry::log(before / others_before);
    const double by_chance = std::sqrt(chance + 1 / before + 1 / others_before);
    const double sign = shares[c] < late[c] ? 1 : -1;
    const double grows = sign * std::max(0.0, sign * grown - by_chance);
    const double next = 1 / (1 + tarry::exp(-(odds + grows - sign * std::sqrt(chance))));
    late[c] = sign > 0 ? std::max(late[c], next) : std::min(late[c], next);
  }
  const double all = sum(late);
  for (std::size_t c = 0; c < classes; ++c) shares[c] = (1 - other) * shares[c] + other * late[c] / all;
  return shares;
}

// Of the oldest rounds: N_c = those answered with c and the open ones that are guessed to be c, against those answered.
// Where nothing old is open, all labels count 1.
void LabelDelays::weigh() {
  const std::size_t classes = std::max<std::size_t>(2, classes_);
  weights_.assign(classes, 1.0);
  const Course course = this->course(classes);
  const Vec unknown = this->unknown(course);
  Vec open(classes, 0.0), seen(classes, 0.0);
  for (std::size_t i = 0; i < cohorts_.size(); ++i) {
    const double first = static_cast<double>(i) * length_;
    if (i > 0 && first + length_ > kOld * played_) break;
    const std::size_t b = std::min(half_octave(played_ - first - length_ / 2), course.bins());
    const double still = course.open[b];
    for (std::size_t c = 0; c < classes; ++c) {
      const double comes = course.came.back()[c] - course.came[b][c] + course.open.back() * unknown[c];
      open[c] += cohorts_[i].open * (still > 0 ? comes / still : unknown[c]);
      seen[c] += cohorts_[i].answered(c);
    }
  }
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
    out.u64(one.came.size());
    for (const Vec& counts : one.came) out.reals(counts);
  }
  out.u64(classes_);
  out.reals(weights_);
}

void LabelDelays::load(ByteReader& in) {
  const auto corrupt = [] { throw Error(Code::kCorrupt, "snapshot: the delays of labels are impossible"); };
  const auto some = [&](std::uint64_t most) {
    const std::uint64_t count = in.u64();
    if (count > most) corrupt();
    return static_cast<std::size_t>(count);
  };
  const auto counts = [&] {
    Vec x = in.reals();
    if (x.size() > kClasses || std::any_of(x.begin(), x.end(), [](double n) { return !(n >= 0 && n <= 1e300); }))
      corrupt();
    return x;
  };
  for (double* x : {&played_, &received_, &length_, &weigh_at_}) *x = in.size();
  cohorts_.assign(some(kMostCohorts), {});
  double answered = 0;
  for (Cohort& one : cohorts_) {
    one.open = in.size();
    one.came.resize(some(kMostDelays));
    for (Vec& labels : one.came) labels = counts();
    answered += one.answered();
  }
  classes_ = some(kClasses);
  weights_ = counts();
  for (const Cohort& one : cohorts_)
    for (const Vec& labels : one.came)
      if (labels.size() > classes_) corrupt();
  const auto used = static_cast<double>(cohorts_.size());
  if (!(length_ >= 1) || played_ > used * length_ || (used > 0 && played_ <= (used - 1) * length_) ||
      answered != received_)
    corrupt();
}

}  // namespace tarry
