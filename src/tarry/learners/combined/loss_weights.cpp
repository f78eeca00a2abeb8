#include "tarry/learners/combined/loss_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/linalg/elementary_kernels.h"

namespace tarry {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kSettled = 20;        // labels after which a loss can be far above the mean
constexpr double kFar = 25;            // means: of squares, five deviations
constexpr double kAwake = 0.3;         // the share of rounds whose labels have come from which on all bases count
constexpr double kFollows = 0.9;       // the same for those that forget
constexpr double kTreesFrom = 256;     // labels: there are trees by then
constexpr double kTreesCount = 0.65;   // the same as kAwake for trees
constexpr double kOneSided = 0.01;     // the share of rounds by which the labels that came may be of one kind
constexpr double kTreesLook = 65536;   // rounds that this is a share of, at most: trees are not grown on more
constexpr double kMovingTargets = -1;  // where older snapshots have a count of rounds
constexpr double kDueTimes = -2;       // the same where rounds have had due times
constexpr double kNumbers = -3;        // the same where labels are numbers
constexpr double kTrialWithAges = 2;   // where snapshots say whether there are trees; 1: of an earlier version
constexpr double kTargetMoves =
    0.1;  // the least change of what being open says that is learnt, in logarithms of odds, or in deviations

Round checked_rounds(double rounds) {
  if (!(rounds >= 0 && rounds <= 0x1p53)) throw Error(Code::kCorrupt, "snapshot: a count of rounds is impossible");
  return static_cast<Round>(rounds);
}

std::size_t class_of(const KnownLoss& known) {
  return static_cast<std::size_t>(known.outputs() > 1 ? known.label : known.label > 0 ? 1 : 0);
}

// What older snapshots kept after that count.
void skip_delays_of_labels(ByteReader& in) {
  for (int i = 0; i < 3; ++i) in.f64();
  for (std::uint64_t cohorts = in.count(); cohorts > 0; --cohorts) {
    in.f64();
    for (std::uint64_t delays = in.count(); delays > 0; --delays) in.reals();
  }
  in.u64();
  in.reals();
}

}  // namespace

LossWeights::LossWeights(Vec prior, double caution, Waiting waiting, std::optional<Waiting> until_due, bool numbers,
                         Sleepers sleepers)
    : prior_(std::move(prior)),
      caution_(caution),
      sleepers_(sleepers),
      judged_(prior_.size(), 0.0),
      lost_(prior_.size(), 0.0),
      waiting_(std::move(waiting)),
      until_due_(until_due ? *std::move(until_due) : Waiting(0)),
      numbers_(numbers) {
  double total = 0;
  for (double p : prior_) total += p;
  for (double& p : prior_) p /= total;
  weights_ = prior_;
  if (sleepers_.trees > 0) begin_without_trees();
}

void LossWeights::begin_without_trees() {
  const auto end = weights_.begin() + static_cast<std::ptrdiff_t>(others());
  std::fill(end, weights_.end(), 0.0);
  const double total = std::accumulate(weights_.begin(), end, 0.0);
  of_others_.assign(total > 0 ? weights_.begin() : prior_.begin(),
                    total > 0 ? end : prior_.begin() + static_cast<std::ptrdiff_t>(others()));
  const double sum = total > 0 ? total : std::accumulate(of_others_.begin(), of_others_.end(), 0.0);
  for (double& w : of_others_) w /= sum;
  std::copy(of_others_.begin(), of_others_.end(), weights_.begin());
}

double LossWeights::least_of_others() const {
  return *std::min_element(judged_.begin(), judged_.begin() + static_cast<std::ptrdiff_t>(others()));
}

// Losses that are minus logarithms have a unit, and while most labels are out, those that came say little about which
// base is best; an error's is the best base's mean, as that of a normal variable is
// twice its variance; linear losses take the rate of Hedge.
double LossWeights::rate(double least) const {
  if (kind_ == Kind::kLogarithm)
    return waiting_.classes() < 2 ? caution_ : caution_ * std::min(1.0, told_ / std::max(1.0, waiting_.played()));
  if (kind_ == Kind::kLinear)
    return squares_ > 0 ? std::sqrt(tarry::log(static_cast<double>(prior_.size()) + 1) / squares_) : 0;
  return least > 0 ? caution_ * told_ / (2 * least) : 0;
}

// One absurd error would otherwise outweigh all others for good.
double LossWeights::most_that_counts() const {
  if (kind_ != Kind::kError || told_ < kSettled) return std::numeric_limits<double>::infinity();
  return kFar * least_of_others() / told_;
}

bool LossWeights::asleep(std::size_t i) const {
  const std::size_t from_last = prior_.size() - i;
  if (from_last <= sleepers_.forgetting) return told_ < kFollows * waiting_.played();
  return from_last <= sleepers_.wide + sleepers_.forgetting + sleepers_.trees && told_ < kAwake * waiting_.played();
}

// Trees are grown on the labels that came. How far open rounds' targets have moved says by how much these differ from
// the others.
bool LossWeights::trees_sleep() const {
  const double rounds = waiting_.played(), unit = numbers_.on() ? numbers_.deviation() : 1;
  return told_ < kTreesFrom || told_ < kTreesCount * rounds ||
         open_far_ > kOneSided * unit * std::min(rounds, kTreesLook);
}

const Vec& LossWeights::weigh() {
  const double least = least_of_others(), eta = rate(least);
  const std::size_t count = others(), sleepers = sleepers_.wide + sleepers_.forgetting;
  believed_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double behind = eta * (judged_[i] - least);
    const bool counts = behind <= 700 && (count - i > sleepers || !asleep(i));  // not where it is no number
    believed_[i] = counts ? prior_[i] : 0;
    weights_[i] = counts ? -behind : 0;
  }
  kernels::exp_each(std::span(weights_).first(count));
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) total += weights_[i] = believed_[i] * weights_[i];
  if (!(total > 0)) {
    std::copy_n(prior_.begin(), count, weights_.begin());
    total = 0;
    for (std::size_t i = 0; i < count; ++i) total += prior_[i];
  }
  for (std::size_t i = 0; i < count; ++i) weights_[i] /= total;
  if (sleepers_.trees > 0) weigh_trees();
  return weights_;
}

// The banks' mean and the steps from there to the trees, which have what the banks leave them.
void LossWeights::weigh_trees() {
  const std::size_t n = others();
  of_others_.assign(weights_.begin(), weights_.begin() + static_cast<std::ptrdiff_t>(n));
  std::fill(weights_.begin() + static_cast<std::ptrdiff_t>(n), weights_.end(), 0.0);
  trees_awake_ = !trees_sleep();
  if (!trees_awake_) return;
  const TreeTrial::Steps odds = trial_.odds(rate(least_of_others()));
  double total = 1;
  for (std::size_t k = 0; k < odds.size(); ++k) total += weights_[n + 1 + k] = odds[k];
  for (double& w : weights_) w /= total;
}

void LossWeights::came(Round t, const Feedback& feedback, double prediction) {
  kind_ = Kind::kLinear;
  told_last_ = t;
  if (feedback.known == nullptr) return;
  const KnownLoss& known = *feedback.known;
  const bool error = known.outputs() == 1 && known.loss.of_the_error();
  kind_ = error ? Kind::kError : Kind::kLogarithm;
  if (numbers_.on() && error && !feedback.due_age)
    numbers_.came(numbers_.played() - static_cast<double>(t), prediction, known.label,
                  known.label - known.at_play(prediction));
  if (waiting_.classes() == 0) return;
  if (feedback.due_age)
    until_due_.came_at(*feedback.due_age, prediction, class_of(known));
  else
    waiting_.came(t, prediction, class_of(known));
}

void LossWeights::play(double prediction) {
  waiting_.play(prediction);
  if (sleepers_.trees > 0) trial_.play();
  numbers_.play(prediction);
}

bool LossWeights::came_of_age(const Open& open) {
  if (numbers_.on()) {
    if (open.by_due) return false;
    numbers_.came_of_age(open.look, open.prediction);
    return !numbers_.says_less(open.look, open.prediction, kTargetMoves);
  }
  Waiting& known = open.by_due ? until_due_ : waiting_;
  known.came_of_age(open.look, open.prediction);
  return !known.says_less(open.look, open.prediction, kTargetMoves);
}

Vec LossWeights::says(const Open& open, const AnyLoss& loss) const {
  Vec says(says_size(loss));
  if (numbers_.on())
    numbers_.says(open.look, open.prediction).write(says);
  else
    (open.by_due ? until_due_ : waiting_).says(open.look, open.prediction, says);
  return says;
}

bool LossWeights::moves(const Vec& says, std::span<const double> before, const KnownLoss& loss,
                        std::span<const double> mean) const {
  if (loss.loss.classes() == 0) {
    const double at = loss.at_play(mean[0]);
    const double moved = OpenNumber::of(says).moves(at) - (before.empty() ? 0 : OpenNumber::of(before).moves(at));
    return std::fabs(moved) > kTargetMoves * numbers_.deviation();
  }
  double least = 0, most = 0;
  for (std::size_t c = 0; c < says.size(); ++c) {
    const double moved = says[c] - (before.empty() ? 0 : before[c]);
    least = c == 0 ? moved : std::min(least, moved);
    most = c == 0 ? moved : std::max(most, moved);
  }
  return most - least > kTargetMoves;
}

void LossWeights::dated(double prediction) {
  if (numbers_.on()) return numbers_.count_elsewhere(prediction);
  waiting_.count_elsewhere(prediction);
  until_due_.play(prediction);
}

void LossWeights::came_otherwise(const Revision& revision, double prediction) {
  if (numbers_.on() && !revision.after.due_age)
    numbers_.came_otherwise(static_cast<double>(revision.age), prediction, *revision.before.known,
                            *revision.after.known);
  if (waiting_.classes() == 0) return;
  const std::size_t before = class_of(*revision.before.known), after = class_of(*revision.after.known);
  if (const auto& share = revision.after.due_age)
    until_due_.came_otherwise(*share, prediction, before, after);
  else
    waiting_.came_otherwise(static_cast<double>(revision.age), prediction, before, after);
}

void LossWeights::learn(std::span<const double> base_losses, double own_loss, double) {
  double size = std::fabs(own_loss);
  const double most_counted = most_that_counts();
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    judged_[i] += std::min(base_losses[i], most_counted);
    lost_[i] += base_losses[i];
    size = std::max(size, std::fabs(base_losses[i]));
  }
  own_ += own_loss;
  rounding_ += kRounding * size;
  told_ += 1;
  const auto [least, most] = std::minmax_element(base_losses.begin(), base_losses.end());
  if (kind_ == Kind::kLinear) squares_ += (*most - *least) * (*most - *least);
  if (sleepers_.trees > 0) compare_trees(base_losses);
}

// One absurd error does not count for more than elsewhere.
void LossWeights::compare_trees(std::span<const double> losses) {
  const std::size_t n = others();
  const double most = most_that_counts();
  TreeTrial::Steps behind;
  for (std::size_t k = 0; k < behind.size(); ++k) behind[k] = std::clamp(losses[n + 1 + k] - losses[n], -most, most);
  trial_.came(told_last_, behind);
}

BelievedWaits LossWeights::told() const {
  BelievedWaits told{{waiting_.told()}, moves_, moves_ > 0 ? moved_ / moves_ : 0};
  if (until_due_.played() > 0) told.clocks.push_back(until_due_.told());
  return told;
}

// Before targets moved, the state ended in how late each class comes, which nothing makes use of now.
void LossWeights::save(ByteWriter& out) const {
  out.reals(judged_);
  out.reals(lost_);
  out.reals(weights_);
  out.reals(Vec{own_, rounding_, squares_, told_, moves_, moved_, sleepers_.trees > 0 ? kTrialWithAges : 0.0});
  out.u64(static_cast<std::uint64_t>(kind_));
  if (sleepers_.trees > 0) {
    out.reals(of_others_);
    out.reals(Vec{open_moved_, open_far_, trees_awake_ ? 1.0 : 0.0});
    trial_.save(out);
  }
  const bool dated = until_due_.played() > 0;
  if (numbers_.on()) {
    out.f64(kNumbers);
    return numbers_.save(out);
  }
  out.f64(dated ? kDueTimes : kMovingTargets);
  waiting_.save(out);
  if (dated) until_due_.save(out);
}

void LossWeights::load_trees(ByteReader& in, bool ages) {
  of_others_ = in.reals(of_others_.size());
  const Vec open = in.reals(3);
  open_moved_ = open[0];
  open_far_ = open[1];
  trees_awake_ = open[2] != 0;
  if (!(open_moved_ >= 0 && open_far_ >= 0))
    throw Error(Code::kCorrupt, "snapshot: a count of open rounds is impossible");
  trial_.load(in, ages);
}

void LossWeights::load(ByteReader& in) {
  for (Vec* x : {&judged_, &lost_, &weights_}) *x = in.reals(x->size());
  const Vec sums = in.reals(7);
  own_ = sums[0];
  rounding_ = sums[1];
  squares_ = sums[2];
  told_ = sums[3];
  const std::uint64_t kind = in.u64();
  if (kind > 2) throw Error(Code::kCorrupt, "snapshot: a kind of loss is impossible");
  kind_ = static_cast<Kind>(kind);
  // At first trees were judged beside the others. Before there were any, the place had another number.
  const bool tried = sleepers_.trees > 0 && sums[6] != 0;
  if (tried)
    load_trees(in, sums[6] == kTrialWithAges);
  else if (sleepers_.trees > 0)
    begin_without_trees();
  const double first = in.f64();
  if (first < 0) {  // before, something else was there
    moves_ = sums[4];
    moved_ = sums[5];
    if (!(moves_ >= 0 && moves_ <= 0x1p53 && moved_ >= 0 && moved_ <= moves_))
      throw Error(Code::kCorrupt, "snapshot: a count of moves is impossible");
  }
  if (first == kNumbers) {
    if (!numbers_.on()) throw Error(Code::kCorrupt, "snapshot: what is known of waiting is of another kind");
    numbers_.load(in);
    if (!tried) trial_.begin_at(checked_rounds(numbers_.played()));
    return waiting_.begin_at(checked_rounds(numbers_.played()));
  }
  if (first == kMovingTargets || first == kDueTimes) {
    waiting_.load(in);
    if (first == kDueTimes) until_due_.load(in);
    if (!tried) trial_.begin_at(checked_rounds(waiting_.played()));
    return numbers_.begin_at(checked_rounds(waiting_.played()));
  }
  const Round rounds = checked_rounds(first);
  skip_delays_of_labels(in);
  waiting_.begin_at(rounds);
  numbers_.begin_at(rounds);
}

double lost_while_open(const KnownLoss& loss, std::span<const double> predictions, std::span<const double> mean,
                       std::span<const double> says) {
  if (loss.loss.classes() > 0) return lost_while_open(loss.loss, predictions, says);
  return OpenNumber::of(says).lost(loss.at_play(predictions[0]), loss.at_play(mean[0]));
}

}  // namespace tarry
