// What is known of waiting, told to people (learners/believed_waits.h). It reads what says() reads, so that what is
// shown is what is learnt from.
#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/learners/combined/waiting.h"

namespace tarry {

BelievedWaits::From Waiting::basis(const Course& all) const {
  if (!speaks()) return BelievedWaits::From::kNothing;
  if (otherwise_) return BelievedWaits::From::kWindow;
  const auto seen = std::count_if(all.labels.begin(), all.labels.end(), [](double labels) { return labels > 0; });
  if (seen > 1) return BelievedWaits::From::kLabels;
  return seen == 1 && !lost_.at_random ? BelievedWaits::From::kOneClass : BelievedWaits::From::kNothing;
}

// Over the strata, as many as there are rounds in each.
double Waiting::mean_ratio(std::size_t age, std::size_t kind) const {
  if (!speaks() || age >= ratio_.size()) return 0;
  double sum = 0, rounds = 0;
  for (std::size_t s = 0; s < kStrata; ++s) {
    sum += cells_[age][s].entered * ratio_[age][s][kind];
    rounds += cells_[age][s].entered;
  }
  return rounds > 0 ? sum / rounds : 0;
}

// The age by which half of the labels had come that came, of the kinds that are counted.
std::optional<double> Waiting::half_came(const Course& all, const std::function<bool(std::size_t)>& counts) const {
  const auto came = [&](std::size_t age) {
    double sum = 0;
    for (std::size_t c = 0; c < kinds(); ++c) sum += counts(c) ? all.came[age][c] : 0;
    return sum;
  };
  const double half = came(all.last) / 2;
  if (!(half > 0)) return std::nullopt;
  std::size_t age = 1;
  while (age < all.last && came(age) < half) ++age;
  const double before = came(age - 1), here = came(age);
  const double share = here > before ? (half - before) / (here - before) : 1;
  return begins_at(age - 1) + share * (begins_at(age) - begins_at(age - 1));
}

BelievedWaits::Clock Waiting::told() const {
  BelievedWaits::Clock told{.by_due = clock_ == Clock::kDue};
  if (classes_ < 2 || cells_.empty()) return told;
  const Course all = course(kAll);
  told.from = basis(all);
  told.rounds = cells_[0][kAll].entered;
  told.known = all.last;
  for (std::size_t age = 0; age + 1 < cells_.size() && cells_[age][kAll].entered > 0; ++age) {
    const Cell& cell = cells_[age][kAll];
    double left = cell.entered - cells_[age + 1][kAll].entered;
    for (double labels : cell.came) left -= labels;
    told.ages.push_back(begins_at(age));
    told.reached.push_back(cell.entered);
    told.left.push_back(std::max(0.0, left));
    told.open.push_back(all.open[std::min(age, all.last)]);
  }
  double believed = 0, shown = 0;
  for (std::size_t c = 0; c < kinds(); ++c) {
    BelievedWaits::OfClass one{.labels = all.labels[c], .half = half_came(all, [&](std::size_t k) { return k == c; })};
    for (std::size_t k = 0; k < kinds(); ++k) one.others += k == c ? 0 : all.labels[k];
    one.others_half = half_came(all, [&](std::size_t k) { return k != c; });
    for (std::size_t age = 0; age < told.ages.size(); ++age) {
      const double ratio = mean_ratio(age, c);
      one.open.push_back(std::min(1.0, told.open[age] * tarry::exp(ratio)));
      if (all.labels[c] == 0) continue;
      believed += told.reached[age] * std::fabs(ratio);
      shown += told.reached[age] * std::fabs(evidence(all, age, c).ratio);
    }
    // Nothing is learnt from the first ages: of those it is known that no fewer were open than later.
    for (std::size_t age = one.open.size(); age-- > 1;) one.open[age - 1] = std::max(one.open[age - 1], one.open[age]);
    told.classes.push_back(std::move(one));
  }
  if (told.from == BelievedWaits::From::kLabels && shown > 0) told.trust = std::min(1.0, believed / shown);
  return told;
}

}  // namespace tarry
