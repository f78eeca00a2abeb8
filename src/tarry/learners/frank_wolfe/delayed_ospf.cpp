#include "tarry/learners/frank_wolfe/delayed_ospf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/base/within.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/geometry/perturbed_direction.h"
#include "tarry/learners/frank_wolfe/effort.h"
#include "tarry/learners/registry.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/gaussian.h"
#include "tarry/linalg/parallel.h"
#include "tarry/theory/bounds.h"
#include "tarry/theory/step_size.h"

namespace tarry {
namespace {

// Up to this dimension samples are spread over threads, when there is enough to do; beyond, each sample's coordinates
// are, one sample at a time.
constexpr Index kSamplesInParallelUpTo = 16384;
constexpr Index kWorthThreads = Index{1} << 17;  // coordinates drawn in a block

constexpr std::uint64_t kRadiusPosition = ~std::uint64_t{0};  // far beyond any coordinate's

// Copies in a pool draw other numbers than the first.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t instance) {
  return instance == 0 ? seed : Random(seed, instance).bits(0)[0];
}

std::vector<std::vector<Vec>> read_perturbations(const spec::Node& node, const LearnerSetting& setting,
                                                 std::uint64_t block) {
  std::vector<std::vector<Vec>> all;
  for (const spec::Node& of_block : node.list()) {
    auto& samples = all.emplace_back();
    for (const spec::Node& of_sample : of_block.list()) {
      samples.push_back(of_sample.numbers());
      if (static_cast<Index>(samples.back().size()) != setting.set.dimension())
        of_sample.fail(fmt::format("{} numbers, the set's dimension", setting.set.dimension()));
    }
    if (samples.size() != block) of_block.fail(fmt::format("{} samples, the block's size", block));
  }
  return all;
}

constexpr Index kMost = Index{1} << 53;

void refuse_beside_delta(const spec::Node& node, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (node.has(key)) node.fail_whole(fmt::format("give either delta and block, or {}, not both", key));
}

double read_mean_delay(const spec::Node& node) {
  const auto given = node.find("mean_delay");
  if (!given) return 1;
  if (given->number() < 1) given->fail("at least 1 (no delay is 1)");
  return given->number();
}

// setting = "linear": delta; or gradient_bound, and where they are known horizon and mean_delay.
OspfOptions read_linear(const spec::Node& node, double n) {
  OspfOptions options{.delta = 0, .block = 1, .setting = OspfSetting::kLinear};
  if (node.has("block")) node.fail_whole("setting = \"linear\" has blocks of one round: leave block out");
  if (node.has("delta")) {
    for (const char* key : {"horizon", "gradient_bound", "mean_delay"})
      if (node.has(key)) node.fail_whole(fmt::format("give either delta or {}, not both", key));
    options.delta = node.positive("delta");
    return options;
  }
  if (!node.has("gradient_bound")) node.fail_whole("setting = \"linear\" needs delta or gradient_bound");
  options.gradient_bound = node.positive("gradient_bound");
  if (!node.has("horizon")) {
    if (node.has("mean_delay"))
      node.fail_whole("mean_delay goes with horizon: without, delays are counted as they come");
    return options;
  }
  options.horizon = read_horizon(node);
  options.delta = theory::ospf_delta_linear(options.gradient_bound, n, options.horizon, read_mean_delay(node));
  return options;
}

OspfOptions read_blocks(const spec::Node& node, double n, const std::string& setting) {
  if (node.has("mean_delay")) node.fail_whole("mean_delay is read only with setting = \"linear\"");
  OspfOptions options{.delta = 1, .block = 1};
  if (node.has("delta") || node.has("block")) {
    refuse_beside_delta(node, {"horizon", "gradient_bound", "setting"});
    options.delta = node.positive("delta");
    options.block = static_cast<std::uint64_t>(node.count("block", 1, kMost));
    return options;
  }
  if (!node.has("horizon") && !node.has("gradient_bound"))
    node.fail_whole("give delta and block, or horizon and gradient_bound");
  const double horizon = read_horizon(node), bound = node.positive("gradient_bound"),
               block = theory::ospf_block(horizon);
  if (setting != "paper" && setting != "retuned") node.at("setting").fail("\"paper\", \"retuned\" or \"linear\"");
  options.horizon = horizon;
  options.gradient_bound = bound;
  options.setting = setting == "retuned" ? OspfSetting::kRetuned : OspfSetting::kPaper;
  options.block = static_cast<std::uint64_t>(block);
  options.delta = setting == "retuned" ? theory::ospf_delta_retuned(bound, n, horizon, block)
                                       : theory::ospf_delta_paper(bound, n, horizon, block);
  return options;
}

OspfOptions read_options(const spec::Node& node, const LearnerSetting& setting) {
  const auto n = static_cast<double>(setting.set.dimension());
  const std::string name = node.text_or("setting", "paper");
  OspfOptions options = name == "linear" ? read_linear(node, n) : read_blocks(node, n, name);
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, kMost)) : 0;
  options.seed = seed_of(seed, setting.instance);
  if (const auto given = node.find("perturbations"))
    options.perturbations = read_perturbations(*given, setting, options.block);
  return options;
}

bool is_linear(const spec::Value& learner) { return learner.text_at("setting") == "linear"; }

Cost ospf_cost(const spec::Value& learner, const CostScene& scene) {
  if (!is_linear(learner)) return unknown_cost(scene.set);
  return full_cost(scene.set, fmt::format("one oracle call and {} random numbers", scene.set.dimension()));
}

Promise ospf_promise(const spec::Value& learner) {
  const bool linear = is_linear(learner);
  return {.losses = linear ? "linear losses that do not depend on its next random numbers, in the mean"
                           : "linear losses that do not depend on its random numbers, in the mean",
          .linear = true,
          .oblivious = true,
          .in_the_mean = linear};
}

VerifyRows ospf_rows() {
  const std::string ball = R"({"type": "l2_ball", "dimension": 3, "radius": 1})";
  const NamedSpec paper{"delayed_ospf paper", R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1})"},
      anytime{"delayed_ospf linear anytime", R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 1})"};
  return {
      .drawn = {paper,
                {"delayed_ospf retuned",
                 R"({"type": "delayed_ospf", "horizon": $T, "gradient_bound": 1, "setting": "retuned"})"},
                {"delayed_ospf linear", R"({"type": "delayed_ospf", "setting": "linear", "horizon": $T,)"
                                        R"( "gradient_bound": 1, "mean_delay": 20})"},
                anytime},
      .rates = {{.learner = paper, .set = ball, .theory = 2.0 / 3, .exact = true, .seeds = 4},
                {.learner = {"delayed_ospf linear",
                             R"({"type": "delayed_ospf", "setting": "linear", "horizon": $T, "gradient_bound": 1})"},
                 .set = ball,
                 .theory = 0.5,
                 .exact = true,
                 .seeds = 64},
                {.learner = anytime, .set = ball, .instance = Instance::kSigns, .theory = 0.5, .seeds = 64}}};
}

}  // namespace

LearnerEntry delayed_ospf_entry() {
  return {.name = "delayed_ospf",
          .summary = "Delayed online smooth projection-free learning, by random perturbation (Algorithm 3)",
          .keys = {{"delta", "a positive number: the perturbation", "optional"},
                   {"block", "rounds a decision is kept, and samples it averages", "optional"},
                   {"horizon", "the number of rounds T (instead of delta and block)", "optional"},
                   {"gradient_bound", "a bound on the gradients' 2-norm, G", "optional"},
                   {"setting", "\"paper\", \"retuned\" or \"linear\" (for linear losses: plays vertices)", "\"paper\""},
                   {"mean_delay", "a number of at least 1, for linear with a horizon", "1"},
                   {"seed", "a whole number", "0"},
                   {"perturbations", "arrays by block, sample, coordinate that replace the draws", "optional"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            setting.refuse_initial(node);
            return DelayedOspf(setting.set, read_options(node, setting));
          },
          .examples = {R"({"type": "delayed_ospf", "delta": 0.25, "block": 4})",
                       R"({"type": "delayed_ospf", "horizon": 100, "gradient_bound": 3, "seed": 7})",
                       R"({"type": "delayed_ospf", "horizon": 100, "gradient_bound": 3, "setting": "retuned"})",
                       R"({"type": "delayed_ospf", "setting": "linear", "gradient_bound": 3})",
                       R"({"type": "delayed_ospf", "setting": "linear", "horizon": 100, "gradient_bound": 3,)"
                       R"( "mean_delay": 7})"},
          .cost = ospf_cost,
          .promise = ospf_promise,
          .draws = [](const spec::Value&) { return true; },
          .verify = ospf_rows};
}

DelayedOspf::DelayedOspf(AnySet set, OspfOptions options)
    : set_(std::move(set)),
      shape_(set_.shape()),
      options_(std::move(options)),
      sum_(full_vector(set_.dimension())),
      x_(start_point(shape_)) {
  const bool from_bound = is_linear() && options_.delta == 0 && options_.gradient_bound > 0;
  if (!(options_.delta > 0) && !from_bound)
    throw Error(Code::kBadSpec, fmt::format("delayed_ospf: delta must be positive (delta = {})", options_.delta));
  if (options_.block == 0) throw Error(Code::kBadSpec, "delayed_ospf: block must be at least 1 (block = 0)");
}

double DelayedOspf::delta() const {
  if (options_.delta > 0) return options_.delta;
  return theory::ospf_delta_anytime(options_.gradient_bound, static_cast<double>(dimension()), weighted_outstanding_);
}

// LMO(ĝ − v/δ) for sample j of the block about to be played; z is room for one perturbation.
Atom DelayedOspf::vertex(std::uint64_t j, std::vector<float>& z) const {
  const std::uint64_t block = played_ / options_.block;
  const double scale = 1 / delta();
  if (!options_.perturbations.empty()) {
    Vec c = options_.perturbations[block][j];
    kernels::blend(c, -scale, sum_, 1);
    return set_.oracle(DenseDirection(c, shape_));
  }
  // Uniform in the ball: v = u^{1/n} z/‖z‖, z Gaussian. Streams are the sample's number since the first block.
  const std::uint64_t stream = block * options_.block + j;
  z.resize(sum_.size());
  const double norm = std::sqrt(fill_gaussian(options_.seed, stream, z));
  const double u = Random(options_.seed, stream).uniform(kRadiusPosition);
  const double length = tarry::pow(u, 1 / static_cast<double>(z.size()));
  return set_.oracle(PerturbedDirection(sum_, z, scale * length / norm, shape_));
}

void DelayedOspf::decide() {
  const std::uint64_t samples = options_.block;
  const double weight = 1 / static_cast<double>(samples);
  std::fill(x_.begin(), x_.end(), 0.0);
  if (set_.dimension() <= kSamplesInParallelUpTo) {
    std::vector<Atom> atoms(samples);
    const auto count = static_cast<Index>(samples);
    const Index in_one_go = count * set_.dimension() >= kWorthThreads ? 1 : count;
    parallel_chunks(count, in_one_go, [&](Index, Index begin, Index end) {
      std::vector<float> z;
      for (Index j = begin; j < end; ++j) atoms[static_cast<std::size_t>(j)] = vertex(static_cast<std::uint64_t>(j), z);
    });
    for (const Atom& atom : atoms) accumulate(atom, weight, x_);
  } else {
    std::vector<float> z;
    for (std::uint64_t j = 0; j < samples; ++j) accumulate(vertex(j, z), weight, x_);
  }
}

double DelayedOspf::play(Round, const Covector* features, Memo&) {
  if (!options_.perturbations.empty() && played_ / options_.block >= options_.perturbations.size())
    throw Error(Code::kBadInput, fmt::format("delayed_ospf: perturbations has {} blocks and the game needs more",
                                             options_.perturbations.size()));
  weighted_outstanding_ += outstanding_ + 0.5;
  outstanding_ += 1;
  if (played_ % options_.block == 0) decide();
  ++played_;
  return features != nullptr ? predict(*features) : 0;
}

void DelayedOspf::receive(Round, const Feedback& feedback, const Memo&) {
  outstanding_ -= 1;
  feedback.gradient.add_to(sum_);
}

void DelayedOspf::write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }

void DelayedOspf::save(ByteWriter& out) const {
  out.u64(played_);
  out.reals(sum_);
  out.reals(x_);
  if (is_linear()) out.reals(Vec{outstanding_, weighted_outstanding_});
}

void DelayedOspf::load(ByteReader& in) {
  played_ = in.u64();
  check_within(sum_ = in.reals(sum_.size()));
  x_ = in.reals(x_.size());
  if (!is_linear()) return;
  const Vec counts = in.finites(2);
  outstanding_ = counts[0];
  weighted_outstanding_ = counts[1];
}

// The theorem at the planned horizon also covers a shorter run: of its parts only the perturbation's does not shrink
// with T.
//
// Oracles with an error ε, whose answers depend on the direction alone: their mean x̃ is still Lipschitz with κ. Cut A_m
// (Theorem 6.0) into N equal parts: with w_i = L_{m−1} + iA_m/N, ⟨A_m/N, x̃(w_i)⟩ ≤ Φ(w_i) − Φ(w_{i−1}) + ε, since
// Φ(w_{i−1}) ≤ E⟨w_{i−1} − v/δ, ·⟩ at the answers for w_i. Going back from w_i to L_{m−1} costs ½κ(1 + 1/N)‖A_m‖² in
// all. So ½B becomes (1 + 1/N)½B, and Nε⌈T/B⌉ is added: the paper's bound holds plus ε⌈T/B⌉ (N = 1), the retuned one
// plus 4ε⌈T/B⌉ (N = 4).
std::optional<double> DelayedOspf::bound(const theory::Seen& seen) const {
  if (seen.hedged || seen.curved) return std::nullopt;  // its adversary must be oblivious, and losses linear
  if (is_linear()) return bound_when_linear(seen);
  const double g = options_.gradient_bound;
  if (options_.horizon == 0 || seen.rounds > options_.horizon || !seen.within(g) || !theory::squares_are_kept(g * g))
    return std::nullopt;
  const theory::Scene scene{set_.diameter(), g, options_.horizon, seen.mean_delay(), seen.largest_delay};
  const theory::OspfScene whole{scene, 0, static_cast<double>(set_.dimension()), static_cast<double>(options_.block)};
  return options_.setting == OspfSetting::kRetuned ? theory::ospf_retuned(whole) : theory::ospf_paper(whole);
}

// For every δ, T and G; what was given of them only chose δ.
double DelayedOspf::bound_when_linear(const theory::Seen& seen) const {
  const theory::LinearScene scene{set_.diameter(), seen.gradient_bound, static_cast<double>(dimension()),
                                  std::max(weighted_outstanding_, seen.sum_outstanding + seen.rounds / 2)};
  return options_.delta > 0 ? theory::ospf_linear(scene, options_.delta)
                            : theory::ospf_linear_anytime(scene, options_.gradient_bound);
}

}  // namespace tarry
