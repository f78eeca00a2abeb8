#include "tarry/learners/frank_wolfe/delayed_bandit_ofw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/base/within.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/frank_wolfe/effort.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/gaussian.h"
#include "tarry/theory/bounds.h"

namespace tarry {
namespace {

constexpr Index kMostSeed = Index{1} << 53;
constexpr int kMostSteps = 100000;  // of one search: far beyond what the theorem needs

Inscribed ball_in(const spec::Node& node, const AnySet& set) {
  auto ball = set.inscribed();
  if (!ball)
    node.fail_whole(
        "needs a set with an interior that knows a ball inside it, and this one does not (a box, a ball or "
        "unit_simplex does)",
        Code::kUnsupported);
  return *std::move(ball);
}

BanditOptions read_bandit(const spec::Node& node, const LearnerSetting& setting, const Inscribed& ball) {
  BanditOptions options;
  if (const auto range = node.find("loss_range")) {
    const Vec ends = range->numbers();
    if (ends.size() != 2 || !(ends[0] < ends[1])) range->fail("[low, high], low < high");
    options.low = ends[0];
    options.high = ends[1];
  }
  const theory::BanditScene scene{.diameter = setting.set.diameter(),
                                  .inner_radius = ball.radius,
                                  .lipschitz = node.positive("lipschitz"),
                                  .half_range = (options.high - options.low) / 2,
                                  .dimension = static_cast<double>(setting.set.dimension())};
  double delay = 1;
  if (const auto given = node.find("largest_delay")) {
    if (given->number() < 1) given->fail("at least 1 (no delay is 1)");
    delay = given->number();
  }
  const bool two = node.has("probes") && node.count("probes", 1, 2) == 2;
  if (two && node.has("loss_range")) node.at("loss_range").fail("absent with probes = 2: differences need no range");
  if (!two && node.has("block"))
    node.at("block").fail("absent without probes = 2: it follows from the range of values");
  const auto block = node.has("block") ? static_cast<std::uint64_t>(node.count("block", 1, kMostSeed)) : 0;
  options.plan = two ? theory::two_point_plan(scene, read_horizon(node), delay, block)
                     : theory::bandit_plan(scene, read_horizon(node), delay);
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, kMostSeed)) : 0;
  options.seed = setting.instance == 0 ? seed : Random(seed, setting.instance).bits(0)[0];
  return options;
}

Vec negative(Vec u) {
  for (double& each : u) each = -each;
  return u;
}

VerifyRows bandit_rows() {
  const NamedSpec known{"delayed_bandit_ofw", R"({"type": "delayed_bandit_ofw", "horizon": $T, "lipschitz": 1,)"
                                              R"( "loss_range": [-2, 2], "largest_delay": 40})"};
  const NamedSpec two{"delayed_bandit_ofw, two values", R"({"type": "delayed_bandit_ofw", "horizon": $T,)"
                                                        R"( "lipschitz": 1, "largest_delay": 40, "probes": 2})"};
  return {.drawn = {known, two},
          .rates = {{.learner = {"delayed_bandit_ofw", R"({"type": "delayed_bandit_ofw", "horizon": $T,)"
                                                       R"( "lipschitz": 1, "loss_range": [-1, 1]})"},
                     .set = R"({"type": "l2_ball", "dimension": 2, "radius": 1})",
                     .theory = 0.75,
                     .seeds = 16},
                    {.learner = {"delayed_bandit_ofw, two values", R"({"type": "delayed_bandit_ofw", "horizon": $T,)"
                                                                   R"( "lipschitz": 1, "probes": 2})"},
                     .set = R"({"type": "l2_ball", "dimension": 2, "radius": 1})",
                     .theory = 0.5,
                     .seeds = 16}}};
}

}  // namespace

LearnerEntry delayed_bandit_ofw_entry() {
  return {
      .name = "delayed_bandit_ofw",
      .summary =
          "Delayed bandit Frank-Wolfe: learns from the values of losses alone: O(√n T^{3/4} + √(dT)), with two "
          "values a round O(√(nT) + √(dT))",
      .keys = {{"horizon", "the number of rounds T", ""},
               {"lipschitz", "a positive number: a bound on the losses' gradients' 2-norm, G", ""},
               {"loss_range", "[low, high]: where the losses' values lie", "[0, 1]"},
               {"largest_delay", "a number of at least 1: the delay that steps are chosen for", "1"},
               {"probes", "1, or 2: a decision comes with a second point, and both losses become known", "1"},
               {"block",
                "with two probes, a whole number: rounds that share a search; more cost regret and save oracle calls",
                "from n"},
               {"seed", "a whole number", "0"}},
      .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
        setting.refuse_initial(node);
        Inscribed ball = ball_in(node, setting.set);
        const BanditOptions options = read_bandit(node, setting, ball);
        return DelayedBanditOfw(setting.set, std::move(ball), options);
      },
      .examples = {R"({"type": "delayed_bandit_ofw", "horizon": 100, "lipschitz": 3, "loss_range": [-5, 5]})",
                   R"({"type": "delayed_bandit_ofw", "horizon": 100, "lipschitz": 3, "loss_range": [-5, 5],)"
                   R"( "largest_delay": 7, "seed": 7})",
                   R"({"type": "delayed_bandit_ofw", "horizon": 100, "lipschitz": 3, "probes": 2})"},
      .cost = [](const spec::Value&, const CostScene& scene) -> Cost {
        return full_cost(
            scene.set, fmt::format("{} random numbers, and oracle calls at the end of a block", scene.set.dimension()));
      },
      .promise = [](const spec::Value&) -> Promise {
        return {.losses = "convex losses that do not depend on its random numbers, in the mean",
                .oblivious = true,
                .in_the_mean = true};
      },
      .draws = [](const spec::Value&) { return true; },
      .verify = bandit_rows};
}

DelayedBanditOfw::DelayedBanditOfw(AnySet set, Inscribed inside, BanditOptions options)
    : set_(std::move(set)),
      shape_(set_.shape()),
      inside_(std::move(inside)),
      options_(options),
      sum_(full_vector(set_.dimension())),
      y_(inside_.centre),
      x_(inside_.centre),
      probe_(options_.plan.two_points ? inside_.centre : Vec{}) {}

// Uniform on the unit sphere: z/‖z‖, z Gaussian.
Vec DelayedBanditOfw::drawn(std::uint64_t round) const {
  std::vector<float> z(sum_.size());
  const double norm = std::sqrt(fill_gaussian(options_.seed, round, z));
  Vec u(z.size(), 0.0);
  if (!(norm > 0)) {
    u[0] = 1;
    return u;
  }
  for (std::size_t i = 0; i < z.size(); ++i) u[i] = z[i] / norm;
  return u;
}

Vec DelayedBanditOfw::played_at(const Block& block, const Vec& u) const {
  const double xi = options_.plan.delta / inside_.radius;
  Vec x = block.y;
  kernels::blend(x, 1 - xi, inside_.centre, xi);
  kernels::blend(x, 1, u, options_.plan.delta);
  return x;
}

double DelayedBanditOfw::play(Round, const Covector* features, Memo& memo) {
  if (in_block_ == 0) {
    outstanding_ += static_cast<double>(open_.size());
    open_.emplace(++blocks_, Block{y_, Vec(y_.size(), 0.0), 0, false});
  }
  Block& block = open_.at(blocks_);
  const Vec u = drawn(played_);
  x_ = played_at(block, u);
  if (probes()) probe_ = played_at(block, negative(u));
  memo = {static_cast<double>(blocks_), static_cast<double>(played_)};
  ++played_;
  block.open += 1;
  if (++in_block_ == options_.plan.block) {
    block.whole = true;
    in_block_ = 0;
  }
  return features != nullptr ? predict(*features) : 0;
}

void DelayedBanditOfw::write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }

std::map<std::uint64_t, DelayedBanditOfw::Block>::iterator DelayedBanditOfw::block_of(const Memo& memo) {
  const auto block = open_.find(kept_count(memo, 0));
  kept_count(memo, 1);
  if (block == open_.end() || block->second.open < 1)
    throw Error(Code::kCorrupt, "a round's memo names a block that does not wait");
  return block;
}

void DelayedBanditOfw::receive(Round t, const Feedback& feedback, const Memo& memo) {
  const auto block = block_of(memo);
  if (!(feedback.gradient.norm() <= options_.plan.lipschitz * (1 + 1e-9))) kept_promises_ = false;
  const Vec u = drawn(kept_count(memo, 1));
  std::optional<double> value;
  if (feedback.known != nullptr) value = feedback.loss_of_play();
  if (!value) value = value_at(feedback, played_at(block->second, u));
  if (!probes()) return receive_loss(t, *value, memo);
  receive_losses(t, *value, value_at(feedback, played_at(block->second, negative(u))), memo);
}

double DelayedBanditOfw::value_at(const Feedback& feedback, const Vec& x) const {
  if (feedback.known == nullptr) return feedback.gradient.dot(x);
  Vec predictions;
  for (std::size_t c = 0; c < feedback.known->outputs(); ++c)
    predictions.push_back(feedback.known->features.output(c).dot(x));
  return feedback.known->value(predictions);
}

// Values of a G-Lipschitz loss differ by at most 2δG.
void DelayedBanditOfw::receive_losses(Round, double value, double at_probe, const Memo& memo) {
  const auto block = block_of(memo);
  const double most = 2 * options_.plan.delta * options_.plan.lipschitz;
  const double rounding = 1e-9 * most + 1e-15 * (std::fabs(value) + std::fabs(at_probe));
  if (!(std::fabs(value - at_probe) <= most + rounding)) kept_promises_ = false;
  add(block, memo, static_cast<double>(sum_.size()) / (2 * options_.plan.delta) * (value - at_probe));
}

void DelayedBanditOfw::receive_loss(Round, double value, const Memo& memo) {
  const auto block = block_of(memo);
  const double size = options_.high - options_.low;
  // What rounding adds to a value at the range's end does no harm.
  if (!(value >= options_.low - 1e-9 * size && value <= options_.high + 1e-9 * size)) kept_promises_ = false;
  const double centred = value - (options_.low + size / 2);
  add(block, memo, static_cast<double>(sum_.size()) / options_.plan.delta * centred);
}

void DelayedBanditOfw::add(std::map<std::uint64_t, Block>::iterator block, const Memo& memo, double scale) {
  kernels::blend(block->second.sum, 1, drawn(kept_count(memo, 1)), scale);
  block->second.open -= 1;
  close_if_done(block);
}

void DelayedBanditOfw::abandon(Round, const Memo& memo) {
  const auto block = block_of(memo);
  abandoned_ += 1;
  block->second.open -= 1;
  close_if_done(block);
}

void DelayedBanditOfw::close_if_done(std::map<std::uint64_t, Block>::iterator block) {
  if (!block->second.whole || block->second.open > 0) return;
  kernels::blend(sum_, 1, block->second.sum, 1);
  open_.erase(block);
  descend();
}

// Frank-Wolfe with exact line search on F until ⟨c, y − v⟩ ≤ ε, c = ∇F(y): then F(y) − min F ≤ ε.
void DelayedBanditOfw::descend() {
  Vec c(y_.size()), v(y_.size());
  for (int step = 0; step < kMostSteps; ++step) {
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = options_.plan.eta * sum_[i] + 2 * (y_[i] - inside_.centre[i]);
    tarry::write(set_.oracle(DenseDirection(c, shape_)), v);
    double gap = 0, width = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      gap += c[i] * (y_[i] - v[i]);
      width += (v[i] - y_[i]) * (v[i] - y_[i]);
    }
    if (gap <= options_.plan.gap) return;
    if (!(width > 0)) break;
    const double sigma = gap >= 2 * width ? 1 : gap / (2 * width);
    kernels::blend(y_, 1 - sigma, v, sigma);
  }
  kept_promises_ = false;
}

void DelayedBanditOfw::save(ByteWriter& out) const {
  out.u64(played_);
  out.u64(blocks_);
  out.u64(in_block_);
  out.reals(Vec{outstanding_, abandoned_});
  out.u64(kept_promises_ ? 1 : 0);
  out.reals(sum_);
  out.reals(y_);
  out.reals(x_);
  if (probes()) out.reals(probe_);
  out.u64(open_.size());
  for (const auto& [number, block] : open_) {
    out.u64(number);
    out.reals(block.y);
    out.reals(block.sum);
    out.f64(block.open);
    out.u64(block.whole ? 1 : 0);
  }
}

void DelayedBanditOfw::load(ByteReader& in) {
  const auto corrupt = [](const char* why) { throw Error(Code::kCorrupt, std::string("snapshot: ") + why); };
  const std::size_t n = sum_.size();
  played_ = in.u64();
  blocks_ = in.u64();
  in_block_ = in.u64();
  if (in_block_ >= options_.plan.block) corrupt("its block is of another size");
  const Vec counts = in.finites(2);
  outstanding_ = counts[0];
  abandoned_ = counts[1];
  kept_promises_ = in.flag();
  check_within(sum_ = in.reals(n));
  check_within(y_ = in.reals(n));
  x_ = in.reals(n);
  if (probes()) probe_ = in.reals(n);
  open_.clear();
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const std::uint64_t number = in.u64();
    Block block{in.reals(n), in.reals(n), in.size(), in.flag()};
    check_within(block.y);
    check_within(block.sum);
    if (number == 0 || number > blocks_ || (!open_.empty() && number <= open_.rbegin()->first))
      corrupt("its blocks are not in order");
    open_.emplace_hint(open_.end(), number, std::move(block));
  }
  if (in_block_ > 0 && (open_.empty() || open_.rbegin()->first != blocks_ || open_.rbegin()->second.whole))
    corrupt("the block that it plays is not there");
}

std::optional<double> DelayedBanditOfw::bound(const theory::Seen& seen) const {
  if (seen.hedged || !kept_promises_) return std::nullopt;  // its adversary must be oblivious
  if (seen.linear && seen.curved) return std::nullopt;      // values of curved losses say nothing about linear ones
  if (!seen.linear && !seen.within(options_.plan.lipschitz)) return std::nullopt;
  const double diameter = set_.diameter();
  if (!theory::squares_are_kept(diameter * diameter)) return std::nullopt;
  const theory::BanditScene scene{diameter, inside_.radius, options_.plan.lipschitz, (options_.high - options_.low) / 2,
                                  static_cast<double>(sum_.size())};
  const double rounds = std::max(static_cast<double>(played_), seen.rounds);  // more, where a plan is explained
  const double blocks = std::ceil(rounds / static_cast<double>(options_.plan.block));
  const double bound = theory::bandit_ofw(scene, options_.plan, {rounds, blocks, outstanding_}) +
                       abandoned_ * options_.plan.lipschitz * diameter;
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace tarry
