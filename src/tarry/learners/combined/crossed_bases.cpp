#include "tarry/learners/combined/crossed_bases.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/learners/open_number.h"

namespace tarry {
namespace {

constexpr int kGuesses = 10;

// The number s between 0 and `begin` with s = slope(s), slope falling in s: by secants, where one end counts for
// half whenever it has stayed (the Illinois rule). A straight slope is hit by the first.
template <class Slope>
double implicit_slope(double begin, Slope slope) {
  if (begin == 0) return 0;
  double near = 0, off_near = slope(0) - 0, far = begin, off_far = slope(begin) - begin;
  for (int i = 0; i < kGuesses && off_far != 0; ++i) {
    const double guess = far - off_far * ((far - near) / (off_far - off_near));
    if (!std::isfinite(guess)) break;
    const double off = slope(guess) - guess;
    if ((off > 0) != (off_far > 0)) {
      near = far;
      off_near = off_far;
    } else {
      off_near /= 2;
    }
    far = guess;
    off_far = off;
    if (std::fabs(off) <= 1e-12 * std::fabs(begin)) break;
  }
  return far;
}

}  // namespace

void CrossedBases::predict(const Covector& features, std::span<double> predictions) const {
  predictions[0] = newton_.predict(features);
  others_.predict(features, predictions.subspan(1));
}

double CrossedBases::doubt(const Covector& features) const { return std::sqrt(newton_.variance(features)); }

void CrossedBases::write(std::size_t k, std::span<double> x) const {
  if (k == 0) return newton_.write(x);
  others_.write(k - 1, x);
}

// The slope at the end of the step, less what the round has contributed before; what is known of the weights grows with
// the first contribution of a round alone.
double CrossedBases::learn(const KnownLoss& known, double counts, double given, bool first) {
  const auto [prediction, variance] = newton_.look(known.features);
  const auto slope_at = [&](double z) {
    double slope = 0;
    known.fresh_slopes({&z, 1}, {&slope, 1});
    return counts * slope - given;
  };
  const double begin = slope_at(prediction);
  const double slope = implicit_slope(begin, [&](double s) { return slope_at(prediction - s * variance); });
  const double curvature = slope_at(prediction + 0.5) - slope_at(prediction - 0.5);
  newton_.step(slope);
  if (first) newton_.shrink(curvature);
  return slope;
}

void CrossedBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played, std::span<const double> memo) {
  const auto rest = [](std::span<const double> x) { return x.empty() ? x : x.subspan(1); };
  BasesPlayed own{rest(played.predictions), rest(played.losses), {}, rest(played.given), {}};
  if (!played.taken.empty()) own.taken = played.taken.subspan(1);
  others_.receive(t, feedback, own, memo);
  if (feedback.known == nullptr) return;  // a gradient says too little for Newton's steps
  const double given = played.given.empty() ? 0 : played.given[0];
  const double slope = learn(*feedback.known, 1 / unit_of(*feedback.known), given, played.given.empty());
  if (!played.taken.empty()) played.taken[0] = slope;
}

void CrossedBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  others_.move(open, says, given.subspan(1));
  const double now = newton_.predict(open.features);
  if (open.loss.classes() == 0) {  // labels are numbers: this one's is above what it predicts
    KnownLoss known = open;
    const double shown = open.now(now);
    known.label = shown + OpenNumber::of(says).moves(shown);
    given[0] += learn(known, 1 / unit_of(open), given[0], given[0] == 0);
    return;
  }
  Vec target(says.size());
  open.loss.probabilities({&now, 1}, target);
  double sum = 0;
  for (std::size_t c = 0; c < target.size(); ++c) sum += target[c] *= tarry::exp(says[c]);
  for (double& share : target) share /= sum;
  KnownLoss known = open;
  known.target = target;
  given[0] += learn(known, 1, given[0], given[0] == 0);
}

void CrossedBases::save(ByteWriter& out) const {
  newton_.save(out);
  others_.save(out);
}

void CrossedBases::load(ByteReader& in) {
  newton_.load(in);
  others_.load(in);
}

}  // namespace tarry
