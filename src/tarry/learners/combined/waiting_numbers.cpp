#include "tarry/learners/combined/waiting_numbers.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"

namespace tarry {

using namespace waiting;

namespace {

constexpr std::array<double, WaitingNumbers::kStrata - 1> kPredictions = {-1.5, -0.75, -0.25, 0, 0.25, 0.75, 1.5};
constexpr double kExplained = 0.5;  // the share of the labels' variance that their waits explain, if they are waits

double starts_at(std::size_t age) { return age == 0 ? 0 : static_cast<double>(age_at(age - 1)); }

}  // namespace

std::size_t WaitingNumbers::stratum(double prediction) {
  std::size_t below = 0;  // without branches: every look at an open round asks
  for (const double edge : kPredictions) below += edge < prediction ? 1 : 0;
  return below;
}

WaitingNumbers::Span& WaitingNumbers::at(std::size_t age) {
  if (spans_.size() < age + 2) spans_.resize(age + 2);
  return spans_[age];
}

void WaitingNumbers::play(double prediction) {
  played_ += 1;
  if (!on_) return;
  Span& first = at(0);
  for (const std::size_t s : {stratum(prediction), kAll}) first.cells[s].entered += 1;
  if (played_ < again_) return;
  again_ = played_ + std::max(32.0, std::floor(played_ / kEvery));
  learn();
}

void WaitingNumbers::count_elsewhere(double prediction) {
  for (const std::size_t s : {stratum(prediction), kAll}) at(0).cells[s].entered -= 1;
}

void WaitingNumbers::came(double waited, double prediction, double label, double error) {
  add(waited, prediction, {1, label, error});
}

void WaitingNumbers::came_otherwise(double waited, double prediction, const KnownLoss& before, const KnownLoss& after) {
  add(waited, prediction, {-1, before.label, before.label - before.at_play(prediction)});
  add(waited, prediction, {1, after.label, after.label - after.at_play(prediction)});
}

void WaitingNumbers::add(double waited, double prediction, const Came& one) {
  Span& span = at(age_after(waited));
  span.labels += one.count * one.label;
  span.squares = std::max(0.0, span.squares + one.count * one.label * one.label);
  for (const std::size_t s : {stratum(prediction), kAll}) {
    Cell& cell = span.cells[s];
    cell.came = std::max(0.0, cell.came + one.count);
    cell.errors += one.count * one.error;
    cell.squares = std::max(0.0, cell.squares + one.count * one.error * one.error);
  }
}

void WaitingNumbers::came_of_age(std::size_t look, double prediction) {
  const std::size_t age = look + 1;
  if (age >= kMostAges) return;
  Span& span = at(age);
  for (const std::size_t s : {stratum(prediction), kAll}) span.cells[s].entered += 1;
  span.lately.open(played_);
}

// In each span of ages, the labels that came by the rounds that were open, as for classes.
WaitingNumbers::Course WaitingNumbers::course(std::size_t s) const {
  Course c;
  double sum = 0, squares = 0;
  for (std::size_t age = 0; age + 1 < spans_.size(); ++age) {
    const Cell& cell = spans_[age].cells[s];
    const double inside = std::max(0.0, cell.entered - cell.came - spans_[age + 1].cells[s].entered);
    const double at_risk = cell.entered - inside / 2;
    if (at_risk < kEnough) break;
    const double open = c.open.back(), chance = std::min(1.0, cell.came / at_risk);
    c.share.push_back(open * chance);
    c.mean.push_back(cell.came > 0 ? cell.errors / cell.came : 0);
    c.open.push_back(open * (1 - chance));
    c.labels += cell.came;
    sum += cell.errors;
    squares += cell.squares;
    c.last = age + 1;
  }
  if (c.labels < kEnough) return c;
  c.variance = std::max(0.0, squares / c.labels - sum / c.labels * (sum / c.labels));
  look_ahead(s, c);
  return c;
}

// Rounds that are open for longer than anything is known of are like those that came, or like the latest of them where
// these differ beyond chance. Some never come: those that, at the present pace, would not until they are twice as old.
void WaitingNumbers::look_ahead(std::size_t s, Course& c) const {
  double answered = 0, of_all = 0, late = 0, of_late = 0, waited = 0;
  for (std::size_t age = 0; age < c.last; ++age) {
    answered += c.share[age];
    of_all += c.share[age] * c.mean[age];
    if (age + kLatest < c.last) continue;
    const Cell& cell = spans_[age].cells[s];
    late += cell.came;
    of_late += cell.errors;
    waited += c.share[age] > 0 ? cell.came * c.open[age] / c.share[age] * (starts_at(age + 1) - starts_at(age)) : 0;
  }
  of_all /= answered;
  const double beyond = of_all + (late > 0 ? believed(of_late / late - of_all, c.variance / late, kByChance) : 0);
  c.never = c.open[c.last] * tarry::exp(-(late + 1) / std::max(1.0, waited) * starts_at(c.last));
  c.later.assign(c.last + 1, beyond);
  c.known.assign(c.last + 1, 0.0);
  double rest = c.open[c.last] * beyond;
  for (std::size_t age = c.last; age-- > 0;) {
    rest += c.share[age] * c.mean[age];
    c.known[age] = c.known[age + 1] + spans_[age].cells[s].came;
    if (c.open[age] > 0) c.later[age] = rest / c.open[age];
  }
}

void WaitingNumbers::learn() {
  known_.assign(spans_.size(), {});
  spread_ = 0;
  const Course all = course(kAll);
  if (all.later.empty() || !(all.variance > 0)) return;
  deviation_ = std::sqrt(all.variance);
  for (std::size_t age = 0; age < known_.size(); ++age) known_[age].open = all.open[std::min(age, all.last)];
  double blur = 0;
  if (are_waits(blur))
    learn_floors(all, blur);
  else
    learn_shifts(all);
}

// Labels that their waits explain are waits, in whatever unit. `blur`: the variance that is left.
bool WaitingNumbers::are_waits(double& blur) const {
  double count = 0, sum = 0, squares = 0, between = 0;
  for (const Span& span : spans_) {
    const double came = span.cells[kAll].came;
    if (came == 0) continue;
    count += came;
    sum += span.labels;
    squares += span.squares;
    between += span.labels * span.labels / came;
  }
  const double all = squares - sum * sum / count, within = std::max(0.0, squares - between);
  blur = within / count;
  return all > 0 && within <= (1 - kExplained) * all;
}

// An open round's label is at least what labels are that come at its age, if it comes at all.
void WaitingNumbers::learn_floors(const Course& all, double blur) {
  spread_ = std::sqrt(all.variance + blur);
  std::optional<double> before, floor;
  for (std::size_t age = 0; age < known_.size(); ++age) {
    const double came = age < all.last ? spans_[age].cells[kAll].came : 0;
    if (came >= kEnough) {
      const double mean = spans_[age].labels / came - kErrors * std::sqrt(blur / came);
      if (before) floor = std::max(floor.value_or(*before), (*before + mean) / 2);
      before = mean;
    }
    if (!floor) continue;
    known_[age].floor = *floor;
    known_[age].trust = std::max(0.0, 1 - all.never / std::max(1e-6, known_[age].open));
  }
}

// A stratum's own evidence, and that of all as far as strata are alike.
void WaitingNumbers::learn_shifts(const Course& all) {
  struct Evidence {
    double shift, variance;
  };
  const auto evidence = [&](const Course& c, std::size_t age) {
    const std::size_t at = std::min(age, c.last);
    return Evidence{c.later[at] - c.later[0], all.variance * (1 - c.known[at] / c.labels) / (c.known[at] + 0.5)};
  };
  for (std::size_t s = 0; s < kStrata; ++s) {
    const Course own = course(s);
    for (std::size_t age = kYoungest; age < known_.size(); ++age) {
      Evidence known = evidence(all, age);
      if (!own.later.empty()) {
        const Evidence mine = evidence(own, age);
        const double a = 1 / (mine.variance + 1e-9 * all.variance),
                     b = 1 / (known.variance + kBetween * kBetween * all.variance);
        known = {(a * mine.shift + b * known.shift) / (a + b), 1 / (a + b)};
      }
      known_[age].shift[s] = believed(known.shift, known.variance);
    }
  }
}

// The share of open rounds whose labels nothing else keeps back.
double WaitingNumbers::regular(std::size_t age) const {
  const double others = spans_[age].lately.more_than(known_[age].open), open = (1 - others) * known_[age].open;
  return open + others > 0 ? open / (open + others) : 1;
}

bool WaitingNumbers::silent(std::size_t look, double prediction) const {
  const std::size_t age = look + 1;
  if (age >= known_.size() || played_ <= kEarliest) return true;
  return spread_ > 0 ? known_[age].trust == 0 : known_[age].shift[stratum(prediction)] == 0;
}

bool WaitingNumbers::says_less(std::size_t look, double prediction, double than) const {
  if (silent(look, prediction)) return true;
  return !(spread_ > 0) && std::fabs(known_[look + 1].shift[stratum(prediction)]) <= than * deviation_;
}

OpenNumber WaitingNumbers::says(std::size_t look, double prediction) const {
  if (silent(look, prediction)) return {};
  const Known& known = known_[look + 1];
  const double counts = regular(look + 1);
  if (!(spread_ > 0)) return {.shift = counts * known.shift[stratum(prediction)]};
  const double share = deviation_ * deviation_ / (spread_ * spread_);
  return {.floor = known.floor, .spread = spread_, .share = counts * known.trust * share};
}

void WaitingNumbers::save(ByteWriter& out) const {
  out.f64(played_);
  out.f64(again_);
  out.reals(std::vector{deviation_, spread_});
  out.u64(spans_.size());
  for (const Span& span : spans_) {
    out.reals(std::vector{span.labels, span.squares, span.lately.share, span.lately.at});
    for (const Cell& cell : span.cells) out.reals(std::vector{cell.entered, cell.came, cell.errors, cell.squares});
  }
  out.u64(known_.size());
  for (const Known& known : known_) {
    out.reals(std::vector{known.floor, known.trust, known.open});
    out.reals(known.shift);
  }
}

void WaitingNumbers::load(ByteReader& in) {
  const auto corrupt = [] { throw Error(Code::kCorrupt, "snapshot: what is known of waiting is impossible"); };
  const auto ages = [&] {
    const std::uint64_t count = in.u64();
    if (count > kMostAges + 1) corrupt();
    return static_cast<std::size_t>(count);
  };
  played_ = in.size();
  again_ = in.size();
  const auto sizes = in.finites(2);
  deviation_ = sizes[0];
  spread_ = sizes[1];
  if (!(deviation_ >= 0 && spread_ >= 0)) corrupt();
  spans_.assign(ages(), {});
  for (Span& span : spans_) {
    const auto x = in.finites(4);
    span.labels = x[0];
    span.squares = x[1];
    span.lately = {x[2], x[3]};
    if (!(x[1] >= 0 && x[2] >= 0 && x[2] <= 1 && x[3] >= 0)) corrupt();
    for (Cell& cell : span.cells) {
      const auto y = in.finites(4);
      cell = {y[0], y[1], y[2], y[3]};
      if (!(y[0] >= 0 && y[1] >= 0 && y[3] >= 0)) corrupt();
    }
  }
  known_.assign(ages(), {});
  if (known_.size() > spans_.size()) corrupt();
  for (Known& known : known_) {
    const auto x = in.finites(3);
    known.floor = x[0];
    known.trust = x[1];
    known.open = x[2];
    if (!(x[1] >= 0 && x[1] <= 1 && x[2] >= 0 && x[2] <= 1)) corrupt();
    const auto shifts = in.finites(kStrata);
    std::copy(shifts.begin(), shifts.end(), known.shift.begin());
  }
}

}  // namespace tarry
