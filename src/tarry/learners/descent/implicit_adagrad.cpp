#include "tarry/learners/descent/implicit_adagrad.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"

namespace tarry {
namespace {

constexpr double kFirst = 1;
constexpr double kSame = 1 + 1e-12;
constexpr double kLittle = 0.03;  // by which a prediction moves, in units of 1: then both slopes are nearly the same

// One number s with s = slope(s), slope falling in size as s grows: between the slope where the step begins and that
// where the whole step would end. Two guesses, a secant and a half; any s from the true one up to the first is covered
// by the theorem, so the larger end is taken.
template <class Slope>
double implicit(double first, Slope slope) {
  if (first == 0) return 0;
  double high = first, at_high = slope(high);
  if (std::fabs(at_high) * kSame >= std::fabs(high)) return high;  // a slope that does not change
  double low = at_high * first > 0 ? at_high : 0, at_low = slope(low);
  for (bool half : {false, true}) {
    const double off_high = high - at_high, off_low = low - at_low;
    double guess = half ? low + (high - low) / 2 : high - off_high * ((high - low) / (off_high - off_low));
    if (!std::isfinite(guess)) break;
    const double at = slope(guess);
    const bool above = at * first <= 0 || std::fabs(guess) * kSame >= std::fabs(at);
    (above ? high : low) = guess;
    (above ? at_high : at_low) = at;
    if (!half && std::fabs(guess - at) <= (kSame - 1) * std::fabs(guess)) break;  // a straight slope: the secant hits
  }
  return high;
}

}  // namespace

double unit_of(const KnownLoss& known) {
  if (known.outputs() > 1 || !known.loss.of_the_error()) return 1;
  const double unit = known.loss.value(known.now(1), known.now(0));
  return unit > 0 && std::isfinite(unit) ? unit : 1;
}

ImplicitBases::ImplicitBases(Bounds box, Start start, Vec rates)
    : bank_(std::move(box), std::move(start), std::move(rates), kFirst),
      lateness_(bank_.size()),
      predictions_(bank_.size()),
      slopes_(bank_.size()),
      reach_(bank_.size()) {}

void ImplicitBases::late(std::span<const double> at_play, std::size_t k, double now) {
  lateness_[k].add(at_play.empty() ? std::nullopt : std::optional(at_play[k]), now);
}

// Of base k: those of the loss where it stands, in its own units, less what the round has contributed before.
struct ImplicitBases::Slopes {
  const KnownLoss& known;
  double counts;
  std::span<const double> given;    // none: 0
  std::span<const double> targets;  // each base's; none: the label
  std::size_t classes = 0;

  void at(std::size_t k, std::span<const double> predictions, std::span<double> slopes) const {
    KnownLoss own = known;
    if (!targets.empty()) own.target = targets.subspan(k * classes, classes);
    own.fresh_slopes(predictions, slopes);
    for (std::size_t c = 0; c < slopes.size(); ++c)
      slopes[c] = counts * slopes[c] - (given.empty() ? 0 : given[k * slopes.size() + c]);
  }
  double at(std::size_t k, double prediction) const {
    double slope = 0;
    at(k, {&prediction, 1}, {&slope, 1});
    return slope;
  }
};

// Nothing is certain of a loss in other units than it was played in, over several classes, or of a target that moved.
void ImplicitBases::lose_bounds() {
  for (Lateness& one : lateness_) one.lose();
}

void ImplicitBases::receive(Round, const Feedback& feedback, const BasesPlayed& played, std::span<const double>) {
  const KnownLoss* known = feedback.known;
  if (known == nullptr) return receive_gradient(feedback.gradient, played.losses);
  by_loss_ = true;
  const Slopes slopes{*known, 1 / unit_of(*known), played.given, {}};
  if (!known->same_links() || slopes.counts != 1 || known->outputs() > 1 || !played.given.empty()) lose_bounds();
  if (known->outputs() > 1) return step_classes(*known, slopes, played.taken);
  bank_.look_up(known->features);
  bank_.predict_row(known->features, predictions_);
  for (std::size_t k = 0; k < size(); ++k)
    if (lateness_[k].told()) late(played.losses, k, known->value({&predictions_[k], 1}));
  step_one(*known, slopes, played.taken);
}

void ImplicitBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  lose_bounds();
  const std::size_t outputs = open.outputs(), classes = says.size();
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

// A row that was looked up, from predictions_. `taken`: the slopes, where somebody wants to know them.
void ImplicitBases::step_one(const KnownLoss& known, const Slopes& slopes, std::span<double> taken) {
  for (std::size_t k = 0; k < size(); ++k) slopes_[k] = slopes.at(k, predictions_[k]);
  bank_.grow_row(known.features, slopes_, reach_);
  for (std::size_t k = 0; k < size(); ++k)
    if (!(std::fabs(slopes_[k] * reach_[k]) <= kLittle))
      slopes_[k] = implicit(slopes_[k], [&](double s) { return slopes.at(k, predictions_[k] - s * reach_[k]); });
  bank_.step_row(known.features, slopes_);
  if (!taken.empty()) std::copy(slopes_.begin(), slopes_.end(), taken.begin());
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
    const double share = whole > 0 && std::isfinite(whole) ? implicit(1, along) : 1;
    for (std::size_t c = 0; c < classes; ++c) slopes[c * rates + k] *= share;
  }
  for (std::size_t c = 0; c < classes; ++c) {
    bank_.look_up(known.features.output(c));
    bank_.step_row(known.features.output(c), part(slopes, c));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = slopes[i % classes * rates + i / classes];
}

// Over the answered rounds: Theorem I, whose steps may be implicit.
std::optional<double> ImplicitBases::bound(std::size_t k, const theory::Seen& seen) const {
  const auto late = lateness_[k].cost();
  if ((seen.linear && by_loss_) || !late) return std::nullopt;
  const double bound = bank_.bound(k) + *late;
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
