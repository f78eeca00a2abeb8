#include "tarry/learners/descent/implicit_adagrad.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/descent/implicit_searches.h"
#include "tarry/learners/open_number.h"

namespace tarry {
namespace {

constexpr std::size_t kMostRates = 16;
constexpr double kFirst = 1;
constexpr double kLittle = 0.03;  // by which a prediction moves, in units of 1: then both slopes are nearly the same

}  // namespace

double unit_of(const KnownLoss& known) {
  if (known.outputs() > 1 || !known.loss.of_the_error()) return 1;
  const double unit = known.loss.value(known.now(1), known.now(0));
  return unit > 0 && std::isfinite(unit) ? unit : 1;
}

ImplicitBases::ImplicitBases(Bounds box, Start start, Vec rates, Vec keeps)
    : bank_(std::move(box), std::move(start), std::move(rates), kFirst),
      keeps_(std::move(keeps)),
      lateness_(bank_.size()),
      predictions_(bank_.size()),
      slopes_(bank_.size()),
      reach_(bank_.size()) {
  if (size() > kMostRates) throw Error(Code::kInternal, "implicit_adagrad: too many rates");
}

void ImplicitBases::late(std::span<const double> at_play, std::size_t k, double now) {
  lateness_[k].add(at_play.empty() ? std::nullopt : std::optional(at_play[k]), now);
}

// Of base k: those of the loss at its point, in its own units, less what the round has contributed before.
struct ImplicitBases::Slopes {
  const KnownLoss& known;
  double counts;
  std::span<const double> given;    // none: 0
  std::span<const double> targets;  // each base's: so many chances, or a label of its own; none: the label
  std::size_t classes = 0;          // 0: labels

  void at(std::size_t k, std::span<const double> predictions, std::span<double> slopes) const {
    KnownLoss own = known;
    if (!targets.empty() && classes > 0) own.target = targets.subspan(k * classes, classes);
    if (!targets.empty() && classes == 0) own.label = targets[k];
    own.fresh_slopes(predictions, slopes);
    for (std::size_t c = 0; c < slopes.size(); ++c)
      slopes[c] = counts * slopes[c] - (given.empty() ? 0 : given[k * slopes.size() + c]);
  }
  // Whether these are the loss's own, at the label.
  bool plain() const { return targets.empty() && counts == 1 && given.empty() && known.now == Link{}; }
  // Of all bases, which have one prediction each.
  void at_each(std::span<const double> predictions, std::span<double> slopes) const {
    if (targets.empty())
      known.fresh_slope_each(predictions, slopes);
    else if (classes > 0)
      mean_each(predictions, slopes);
    else
      for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = of_label(targets[k], predictions[k]);
    if (counts == 1 && given.empty()) return;
    for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = counts * slopes[k] - (given.empty() ? 0 : given[k]);
  }

 private:
  double of_label(double label, double prediction) const {
    return known.now.scale * known.loss.slope(known.now(prediction), label);
  }
  void mean_each(std::span<const double> predictions, std::span<double> slopes) const {
    std::array<double, kMostRates> one, sum = {};
    for (std::size_t c = 0; c < classes; ++c) {
      known.loss.slope_each(predictions, known.loss.class_label(c), std::span(one).first(slopes.size()));
      for (std::size_t k = 0; k < slopes.size(); ++k)
        if (const double share = targets[k * classes + c]; share != 0) sum[k] += share * one[k];
    }
    std::copy_n(sum.begin(), slopes.size(), slopes.begin());
  }
};

// Nothing is certain of a loss in other units than it was played in, over several classes, or of a target that moved.
void ImplicitBases::lose_bounds() {
  for (Lateness& one : lateness_) one.lose();
}

// Theorem 7.7 is about squares that are all kept.
void ImplicitBases::fade(const Covector& features) {
  lose_bounds();
  for (std::size_t c = 0; c < features.outputs(); ++c) {
    bank_.look_up(features.output(c));
    bank_.fade_row(keeps_);
  }
}

void ImplicitBases::receive(Round, const Feedback& feedback, const BasesPlayed& played, std::span<const double>) {
  const KnownLoss* known = feedback.known;
  if (!keeps_.empty()) fade(known != nullptr ? known->features : feedback.gradient);
  if (known == nullptr) return receive_gradient(feedback.gradient, played.losses);
  by_loss_ = true;
  const Slopes slopes{*known, 1 / unit_of(*known), played.given, {}};
  if (!known->same_links() || slopes.counts != 1 || known->outputs() > 1 || !played.given.empty()) lose_bounds();
  if (known->outputs() > 1) return step_classes(*known, slopes, played.taken);
  bank_.look_up(known->features);
  bank_.predict_row(known->features, predictions_);
  count_lateness(*known, played);
  step_one(*known, slopes, played.taken);
}

// What was predicted at the play has not changed where nothing was learnt since: then neither has its loss.
void ImplicitBases::count_lateness(const KnownLoss& known, const BasesPlayed& played) {
  if (std::ranges::none_of(lateness_, &Lateness::told)) return;
  const bool same = played.losses.size() == size() && std::ranges::equal(predictions_, played.predictions);
  if (!same) known.value_each(predictions_, slopes_);
  for (std::size_t k = 0; k < size(); ++k) {
    if (!lateness_[k].told()) continue;
    if (same)
      lateness_[k].add_told(played.losses[k], played.losses[k]);
    else
      late(played.losses, k, slopes_[k]);
  }
}

void ImplicitBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  lose_bounds();
  const std::size_t outputs = open.outputs(), classes = open.loss.classes();
  if (classes == 0) return move_numbers(open, says, given);
  Vec now(size() * outputs), of_output(size()), targets(size() * classes), taken(given.size());
  if (outputs == 1) bank_.look_up(open.features);
  for (std::size_t c = 0; c < outputs; ++c) {
    if (outputs == 1)
      bank_.predict_row(open.features, of_output);
    else
      bank_.predict(open.features.output(c), of_output);
    for (std::size_t k = 0; k < size(); ++k) now[k * outputs + c] = of_output[k];
  }
  for (std::size_t k = 0; k < size(); ++k) {
    const auto target = std::span(targets).subspan(k * classes, classes);
    open.loss.probabilities(std::span(now).subspan(k * outputs, outputs), target);
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) sum += target[c] *= tarry::exp(says[c]);
    for (double& share : target) share /= sum;
  }
  const Slopes slopes{open, 1, given, targets, classes};
  if (outputs == 1) {
    predictions_ = now;
    step_one(open, slopes, taken);
  } else {
    step_classes(open, slopes, taken);
  }
  for (std::size_t i = 0; i < given.size(); ++i) given[i] += taken[i];
}

// Labels are numbers: each base has one of its own, above what it predicts.
void ImplicitBases::move_numbers(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  Vec labels(size()), taken(given.size());
  bank_.look_up(open.features);
  bank_.predict_row(open.features, predictions_);
  for (std::size_t k = 0; k < size(); ++k) {
    const double now = open.now(predictions_[k]);
    labels[k] = now + OpenNumber::of(says).moves(now);
  }
  step_one(open, {open, 1 / unit_of(open), given, labels}, taken);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] += taken[i];
}

// A row that was looked up, from predictions_. `taken`: the slopes, where somebody wants to know them.
void ImplicitBases::step_one(const KnownLoss& known, const Slopes& slopes, std::span<double> taken) {
  slopes.at_each(predictions_, slopes_);
  bank_.grow_row(known.features, slopes_, reach_);
  find_implicit(slopes);
  bank_.step_row(known.features, slopes_);
  if (!taken.empty()) std::copy(slopes_.begin(), slopes_.end(), taken.begin());
}

// The slopes where steps end, of those whose predictions move by more than a little.
void ImplicitBases::find_implicit(const Slopes& slopes) {
  if (slopes.plain() && slopes.known.loss.implicit_each({predictions_, reach_, kLittle}, slopes.known.label, slopes_))
    return;
  if (size() <= kernels::kAdagradRates)
    find_implicit<kernels::kAdagradRates>(slopes);
  else
    find_implicit<kMostRates>(slopes);
}

template <std::size_t kLanes>
void ImplicitBases::find_implicit(const Slopes& slopes) {
  std::array<double, kLanes> first = {}, open = {}, at = {};
  for (std::size_t k = 0; k < size(); ++k) {
    first[k] = slopes_[k];
    open[k] = std::fabs(slopes_[k] * reach_[k]) <= kLittle ? 0 : 1;
  }
  ImplicitSearches<kLanes> searches(first, open);
  const auto lanes = std::span(at).first(size());
  searches.run([&](const std::array<double, kLanes>& asked) -> const std::array<double, kLanes>& {
    for (std::size_t k = 0; k < size(); ++k) at[k] = predictions_[k] - asked[k] * reach_[k];
    slopes.at_each(lanes, lanes);
    return at;
  });
  std::copy_n(searches.found().begin(), size(), slopes_.begin());
}

// The one gradient there is, for all.
void ImplicitBases::receive_gradient(const Covector& gradient, std::span<const double> losses) {
  bank_.look_up(gradient);
  bank_.predict_row(gradient, predictions_);
  for (std::size_t k = 0; k < size(); ++k) late(losses, k, predictions_[k]);
  std::fill(slopes_.begin(), slopes_.end(), 1.0);
  bank_.learn_row(gradient, slopes_);
}

// Every class's step has the direction of its own slope; how far all of them go together is found as above, by the
// slope along that direction.
void ImplicitBases::step_classes(const KnownLoss& known, const Slopes& wanted, std::span<double> taken) {
  const std::size_t classes = known.outputs(), rates = size();
  Vec now(classes * rates), slopes(classes * rates), reach(classes * rates), of_rate(classes), moved(classes);
  const auto part = [&](Vec& all, std::size_t c) { return std::span(all).subspan(c * rates, rates); };
  for (std::size_t c = 0; c < classes; ++c) bank_.predict(known.features.output(c), part(now, c));
  for (std::size_t k = 0; k < rates; ++k) {
    for (std::size_t c = 0; c < classes; ++c) moved[c] = now[c * rates + k];
    wanted.at(k, moved, of_rate);
    for (std::size_t c = 0; c < classes; ++c) slopes[c * rates + k] = of_rate[c];
  }
  for (std::size_t c = 0; c < classes; ++c) {
    bank_.look_up(known.features.output(c));
    bank_.grow_row(known.features.output(c), part(slopes, c), part(reach, c));
  }
  for (std::size_t k = 0; k < rates; ++k) {
    double whole = 0;  // Σ slope² · reach
    for (std::size_t c = 0; c < classes; ++c)
      whole += slopes[c * rates + k] * slopes[c * rates + k] * reach[c * rates + k];
    const auto along = [&](double share) {
      for (std::size_t c = 0; c < classes; ++c)
        moved[c] = now[c * rates + k] - share * slopes[c * rates + k] * reach[c * rates + k];
      wanted.at(k, moved, of_rate);
      double slope = 0;
      for (std::size_t c = 0; c < classes; ++c) slope += of_rate[c] * slopes[c * rates + k] * reach[c * rates + k];
      return slope / whole;
    };
    const double share = whole > 0 && std::isfinite(whole) ? implicit_step(1, along) : 1;
    for (std::size_t c = 0; c < classes; ++c) slopes[c * rates + k] *= share;
  }
  for (std::size_t c = 0; c < classes; ++c) {
    bank_.look_up(known.features.output(c));
    bank_.step_row(known.features.output(c), part(slopes, c));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = slopes[i % classes * rates + i / classes];
}

// Over the answered rounds: Theorem 7.7, whose steps may be implicit.
std::optional<double> ImplicitBases::bound(std::size_t k, const theory::Seen& seen) const {
  const auto late = lateness_[k].cost();
  if ((seen.linear && by_loss_) || !late) return std::nullopt;
  const double bound = bank_.bound(k, seen.rounds) + *late;
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

std::optional<double> ImplicitBases::bound(const theory::Seen& seen) const {
  std::optional<double> least;
  for (std::size_t k = 0; k < size(); ++k)
    if (const auto one = bound(k, seen)) least = least ? std::min(*least, *one) : *one;
  return least;
}

void ImplicitBases::save(ByteWriter& out) const {
  bank_.save(out);
  for (const Lateness& one : lateness_) one.save(out);
  out.u64(by_loss_ ? 1 : 0);
}

void ImplicitBases::load(ByteReader& in) {
  bank_.load(in);
  for (Lateness& one : lateness_) one.load(in);
  by_loss_ = in.flag();
}

}  // namespace tarry
