#include "tarry/learners/descent/adagrad.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr double kRounding = 1 + 1e-9;  // of a bound
// Room for more takes longer to fill than looking them up does.
constexpr Index kMostSettled = Index{1} << 16;
constexpr std::size_t kTogether = 64;  // coordinates that are looked up before the first is used

}  // namespace

LearnerEntry adagrad_entry() {
  return {
      .name = "adagrad",
      .summary = "AdaGrad over a box; where the loss is known, a late label's gradient is taken at the current weights",
      .keys = {{"rate", "a positive number: the step, in units of min(half-width, 1)", "0.25"}},
      .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
        const auto box = setting.set.bounds();
        if (!box) node.fail_whole("needs a box, but this set is not one", Code::kUnsupported);
        return Adagrad(*box, setting.shape().start, node.positive_or("rate", 0.25));
      },
      .examples = {R"({"type": "adagrad"})", R"({"type": "adagrad", "rate": 0.5})"},
      .cost = [](const spec::Value&, const CostScene& scene) { return touched_cost(scene); }};
}

AdagradBank::AdagradBank(Bounds box, Start start, Vec rates, double first)
    : box_(std::move(box)),
      start_(std::move(start)),
      rates_(std::move(rates)),
      first_(first),
      state_(box_.dimension(), 2 * size()) {
  untouched_.fill(first_);
  std::fill_n(untouched_.begin(), kernels::kAdagradRates, start_.everywhere);
  for (double rate : rates_)
    if (!(rate > 0)) throw Error(Code::kBadSpec, fmt::format("adagrad: rate must be positive (rate = {})", rate));
}

kernels::AdagradLimits AdagradBank::limits(Index i) const {
  return {box_.lower(i), box_.upper(i), std::min(1.0, box_.width(i) / 2)};
}

void AdagradBank::begin(Index i, double* x) const {
  if (predicts_by_kernels()) {
    std::ranges::copy(untouched_, x);
    return;
  }
  std::fill(x, x + size(), start(i));
  std::fill(x + size(), x + 2 * size(), first_);
}

bool AdagradBank::is_changed(Index i, const double* x) const {
  const double first = start(i);
  for (std::size_t k = 0; k < size(); ++k)
    if (x[k] != first || x[size() + k] != first_) return true;
  return false;
}

void AdagradBank::predict(const Covector& features, std::span<double> predictions) const {
  std::fill(predictions.begin(), predictions.end(), 0.0);
  if (predicts_by_kernels()) return predict_eight(features, predictions.data());
  if (size() == 1) {
    double sum = 0;
    state_.each_found(features, [&](Index i, double a, const double* x) { sum += a * (x != nullptr ? *x : start(i)); });
    predictions[0] = sum;
    return;
  }
  state_.each_found(features, [&](Index i, double a, const double* x) {
    for (std::size_t k = 0; k < size(); ++k) predictions[k] += a * (x != nullptr ? x[k] : start(i));
  });
}

void AdagradBank::predict_eight(const Covector& features, double* predictions) const {
  std::array<const double*, kTogether> at;
  state_.expect(features);
  for (std::size_t begin = 0; begin < features.stored(); begin += kTogether) {
    const std::size_t count = std::min(kTogether, features.stored() - begin);
    find(features, begin, std::span(at).first(count));
    kernels::adagrad_predict(at.data(), features.values().subspan(begin, count), predictions);
  }
}

void AdagradBank::find(const Covector& features, std::size_t begin, std::span<const double*> at) const {
  state_.find_row(features, begin, at, untouched_.data());
}

void AdagradBank::play(const Covector& features, std::span<double> predictions) {
  played_.forget();
  if (!predicts_by_kernels() || features.stored() > PlayedRow::kMost) return predict(features, predictions);
  const auto at = played_.begin(features.stored());
  state_.expect(features);
  find(features, 0, at);
  std::fill(predictions.begin(), predictions.end(), 0.0);
  kernels::adagrad_predict(at.data(), features.values(), predictions.data());
  played_.remember(features, predictions);
}

void AdagradBank::look_up(const Covector& features) {
  const auto first = [this](Index i, double* x) { begin(i, x); };
  if (state_.settle(first, kMostSettled)) played_.forget();  // all have moved
  grown_ = false;
  same_ = played_.is(features);
  if (same_) return state_.touch_found(features, played_.at(), untouched_.data(), row_, first);
  state_.expect(features);
  state_.touch_row(features, row_, first);
}

void AdagradBank::changes() {
  played_.forget();
  same_ = false;
}

void AdagradBank::predict_row(const Covector& features, std::span<double> predictions) const {
  if (same_) {
    std::ranges::copy(played_.predictions(), predictions.begin());
    return;
  }
  std::fill(predictions.begin(), predictions.end(), 0.0);
  if (fits_the_kernels()) return kernels::adagrad_predict(row_.data(), features.values(), predictions.data());
  for (std::size_t j = 0; j < row_.size(); ++j)
    if (row_[j] != nullptr)
      for (std::size_t k = 0; k < size(); ++k) predictions[k] += features.values()[j] * row_[j][k];
}

void AdagradBank::learn_row(const Covector& features, std::span<const double> slopes) {
  changes();
  if (fits_the_kernels())
    return kernels::adagrad_learn(row_.data(), features.values(), {rates_.data(), slopes.data()}, limits(0));
  for (std::size_t j = 0; j < row_.size(); ++j) {
    if (row_[j] == nullptr) continue;
    const auto [lower, upper, unit] = limits(features.index(j));
    double* x = row_[j];
    double* squares = x + size();
    for (std::size_t k = 0; k < size(); ++k) {
      const double g = slopes[k] * features.values()[j];
      squares[k] += g * g;
      const double moved = x[k] - unit * rates_[k] * (g / std::sqrt(squares[k]));
      x[k] = std::min(upper, std::max(lower, moved));  // in this order NaN, from infinities, becomes a bound
    }
  }
}

void AdagradBank::grow_row(const Covector& features, std::span<const double> slopes, std::span<double> reach) {
  std::fill(reach.begin(), reach.end(), 0.0);
  if (fits_the_kernels()) {
    if (roots_.size() < row_.size() * size()) roots_.resize(row_.size() * size());
    grown_ = true;
    return kernels::adagrad_grow(row_.data(), features.values(), {rates_.data(), slopes.data()}, limits(0).unit,
                                 reach.data(), roots_.data());
  }
  for (std::size_t j = 0; j < row_.size(); ++j) {
    if (row_[j] == nullptr) continue;
    const double unit = limits(features.index(j)).unit, a = features.values()[j];
    double* squares = row_[j] + size();
    for (std::size_t k = 0; k < size(); ++k) {
      squares[k] += (slopes[k] * a) * (slopes[k] * a);
      reach[k] += unit * rates_[k] * (a * a / std::sqrt(squares[k]));
    }
  }
}

void AdagradBank::fade_row(std::span<const double> keeps) {
  for (double* x : row_)
    for (std::size_t k = 0; x != nullptr && k < size(); ++k)
      x[size() + k] = first_ + keeps[k] * (x[size() + k] - first_);
}

void AdagradBank::step_row(const Covector& features, std::span<const double> slopes) {
  changes();
  if (fits_the_kernels())
    return kernels::adagrad_step(row_.data(), features.values(), {rates_.data(), slopes.data()}, limits(0),
                                 grown_ ? roots_.data() : nullptr);
  for (std::size_t j = 0; j < row_.size(); ++j) {
    if (row_[j] == nullptr) continue;
    const auto [lower, upper, unit] = limits(features.index(j));
    double* x = row_[j];
    for (std::size_t k = 0; k < size(); ++k) {
      const double moved = x[k] - unit * rates_[k] * (slopes[k] * features.values()[j] / std::sqrt(x[size() + k]));
      x[k] = std::min(upper, std::max(lower, moved));
    }
  }
}

void AdagradBank::write(std::size_t k, std::span<double> x) const {
  for (Index i = 0; i < static_cast<Index>(x.size()); ++i) {
    const double* found = state_.find(i);
    x[static_cast<std::size_t>(i)] = found != nullptr ? found[k] : start(i);
  }
}

void AdagradBank::save(ByteWriter& out) const {
  state_.save(out, [this](Index i, const double* x) { return is_changed(i, x); });
}

// A coordinate in which every gradient was 0 costs nothing, whatever A begins at: as if it began at next to nothing, so
// that the bound is never 0. Where A is what it began at, though something came, each square was lost in rounding.
void AdagradBank::write_bounds(double rounds, std::size_t first, std::span<double> bounds) const {
  Vec factors(bounds.size());
  const auto find_factors = [&](Index i) {
    for (std::size_t k = 0; k < bounds.size(); ++k)
      factors[k] = theory::adagrad_coordinate(box_.width(i), limits(i).unit * rates_[first + k], 1);
  };
  const double nothing = std::sqrt(kNothing);
  const double lost_in_rounding = rounds * std::sqrt(first_ * 0x1p-53);  // no sum of sizes of such gradients is larger
  const auto add_rest = [&](Index i) {
    if (!box_.uniform()) find_factors(i);
    for (std::size_t k = 0; k < bounds.size(); ++k) bounds[k] += factors[k] * nothing;
  };
  const auto add = [&](Index i, const double* x) {
    if (!box_.uniform()) find_factors(i);
    const double rounded = box_.width(i) * lost_in_rounding;
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      const double squares = x[size() + first + k];
      bounds[k] += squares == first_ ? factors[k] * nothing + rounded : factors[k] * std::sqrt(squares);
    }
  };
  std::fill(bounds.begin(), bounds.end(), 0.0);
  find_factors(0);
  const auto touched = static_cast<Index>(state_.touched());
  const bool one_by_one = dimension() > kMostSettled && 4 * touched >= dimension();  // as if there were room for all
  Index next = 0;
  state_.each_touched([&](Index i, const double* x) {
    for (; one_by_one && next < i; ++next) add_rest(next);
    add(i, x);
    next = i + 1;
  });
  if (one_by_one)
    for (; next < dimension(); ++next) add_rest(next);
  else if (box_.uniform())
    for (std::size_t k = 0; k < bounds.size(); ++k)
      bounds[k] += static_cast<double>(dimension() - touched) * (factors[k] * nothing);
  else
    for (Index i = 0; i < dimension(); ++i)
      if (state_.find(i) == nullptr) add_rest(i);
  for (double& bound : bounds) bound *= kRounding;
}

void AdagradBases::late(std::span<const double> at_play, std::size_t k, double now) {
  lateness_[k].add(at_play.empty() ? std::nullopt : std::optional(at_play[k]), now);
}

void AdagradBases::receive(Round, const Feedback& feedback, const BasesPlayed& played, std::span<const double>) {
  const KnownLoss* known = feedback.known;
  if (known == nullptr) {  // the one gradient there is, for all
    bank_.look_up(feedback.gradient);
    bank_.predict_row(feedback.gradient, slopes_);
    for (std::size_t k = 0; k < size(); ++k) late(played.losses, k, slopes_[k]);
    std::fill(slopes_.begin(), slopes_.end(), 1.0);
    return bank_.learn_row(feedback.gradient, slopes_);
  }
  by_loss_ = true;
  // Of a loss that is taken in other units by now than it was played in, E says nothing.
  if (!known->same_links()) std::for_each(lateness_.begin(), lateness_.end(), [](Lateness& one) { one.lose(); });
  if (known->outputs() > 1) return receive_classes(*known, played.losses);
  bank_.look_up(known->features);
  bank_.predict_row(known->features, slopes_);
  count_lateness(*known, played);
  known->fresh_slope_each(slopes_, slopes_);
  bank_.learn_row(known->features, slopes_);
}

// From slopes_, which are the predictions by now. Where nothing was learnt since the play, they are those of the play,
// and so are their losses.
void AdagradBases::count_lateness(const KnownLoss& known, const BasesPlayed& played) {
  if (std::ranges::none_of(lateness_, &Lateness::told)) return;
  const bool same = played.losses.size() == size() && std::ranges::equal(slopes_, played.predictions);
  if (!same) known.value_each(slopes_, values_);
  for (std::size_t k = 0; k < size(); ++k) {
    if (!lateness_[k].told()) continue;
    if (same)
      lateness_[k].add_told(played.losses[k], played.losses[k]);
    else
      late(played.losses, k, values_[k]);
  }
}

// Every class's prediction at every rate comes first, since each slope depends on all of a rate's predictions.
void AdagradBases::receive_classes(const KnownLoss& known, std::span<const double> losses) {
  const std::size_t classes = known.outputs(), rates = size();
  Vec predictions(classes * rates), of_rate(classes), slopes(classes * rates);
  for (std::size_t c = 0; c < classes; ++c)
    bank_.predict(known.features.output(c), std::span(predictions).subspan(c * rates, rates));
  for (std::size_t k = 0; k < rates; ++k) {
    Vec now(classes);
    for (std::size_t c = 0; c < classes; ++c) now[c] = predictions[c * rates + k];
    if (lateness_[k].told()) late(losses, k, known.value(now));
    known.fresh_slopes(now, of_rate);
    for (std::size_t c = 0; c < classes; ++c) slopes[c * rates + k] = of_rate[c];
  }
  for (std::size_t c = 0; c < classes; ++c)
    bank_.learn(known.features.output(c), std::span(slopes).subspan(c * rates, rates));
}

// Over the answered rounds: Theorem 7.7, at the best rate.
std::optional<double> AdagradBases::bound(const theory::Seen& seen) const {
  if (seen.linear && by_loss_) return std::nullopt;
  if (std::ranges::none_of(lateness_, [](const Lateness& one) { return one.cost().has_value(); })) return std::nullopt;
  Vec bounds(size());
  bank_.write_bounds(seen.rounds, 0, bounds);
  std::optional<double> least;
  for (std::size_t k = 0; k < size(); ++k)
    if (const auto late = lateness_[k].cost()) {
      const double one = bounds[k] + *late;
      if (std::isfinite(one)) least = least ? std::min(*least, one) : one;
    }
  return least;
}

void AdagradBases::save(ByteWriter& out) const {
  bank_.save(out);
  for (const Lateness& one : lateness_) one.save(out);
  out.u64(by_loss_ ? 1 : 0);
}

void AdagradBases::load(ByteReader& in) {
  bank_.load(in);
  for (Lateness& one : lateness_) one.load(in);
  by_loss_ = in.flag();
}

// What was played is known from the round's features; without them, only whether anything has come since.
double Adagrad::play(Round, const Covector* features, Memo& memo) {
  outstanding_ += 1;
  if (features != nullptr) return predict(*features);
  memo.push_back(received_);
  return 0;
}

void Adagrad::receive(Round t, const Feedback& feedback, const Memo& memo) {
  std::optional<double> loss = feedback.loss_of_play();
  if (!loss && feedback.known == nullptr && !memo.empty() && memo[0] == received_) loss = predict(feedback.gradient);
  outstanding_ -= 1;
  received_ += 1;
  BasesPlayed played{};
  if (loss) played.losses = {&*loss, 1};
  bases_.receive(t, feedback, played, {});
}

// A round that waits costs at most GD.
std::optional<double> Adagrad::bound(const theory::Seen& seen) const {
  const auto answered = bases_.bound(seen);
  const double waiting = seen.hedged ? 0 : seen.gradient_bound * bases_.diameter() * outstanding_;
  return answered && std::isfinite(waiting) ? std::optional(*answered + waiting) : std::nullopt;
}

void Adagrad::save(ByteWriter& out) const {
  bases_.save(out);
  out.f64(received_);
  out.f64(outstanding_);
}

void Adagrad::load(ByteReader& in) {
  bases_.load(in);
  received_ = in.f64();
  outstanding_ = in.f64();
}

double Adagrad::predict(const Covector& features) const {
  double prediction = 0;
  bases_.predict(features, {&prediction, 1});
  return prediction;
}

}  // namespace tarry
