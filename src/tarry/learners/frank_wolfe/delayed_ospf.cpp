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

OspfOptions read_options(const spec::Node& node, const LearnerSetting& setting) {
  const auto n = static_cast<double>(setting.set.dimension());
  constexpr Index kMost = Index{1} << 53;
  OspfOptions options{.delta = 1, .block = 1};
  if (node.has("delta") || node.has("block")) {
    for (const char* key : {"horizon", "gradient_bound", "setting"})
      if (node.has(key)) node.fail_whole(fmt::format("give either delta and block, or {}, not both", key));
    options.delta = node.positive("delta");
    options.block = static_cast<std::uint64_t>(node.count("block", 1, kMost));
  } else {
    if (!node.has("horizon") && !node.has("gradient_bound"))
      node.fail_whole("give delta and block, or horizon and gradient_bound");
    const auto horizon = static_cast<double>(node.count("horizon", 1, kMost));
    const double bound = node.positive("gradient_bound"), block = theory::ospf_block(horizon);
    const std::string name = node.text_or("setting", "paper");
    if (name != "paper" && name != "retuned") node.at("setting").fail("\"paper\" or \"retuned\"");
    options.horizon = horizon;
    options.gradient_bound = bound;
    options.retuned = name == "retuned";
    options.block = static_cast<std::uint64_t>(block);
    options.delta = options.retuned ? theory::ospf_delta_retuned(bound, n, horizon, block)
                                    : theory::ospf_delta_paper(bound, n, horizon, block);
  }
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, kMost)) : 0;
  options.seed = seed_of(seed, setting.instance);
  if (const auto given = node.find("perturbations"))
    options.perturbations = read_perturbations(*given, setting, options.block);
  return options;
}

}  // namespace

LearnerEntry delayed_ospf_entry() {
  return {.name = "delayed_ospf",
          .summary = "Delayed online smooth projection-free learning, by random perturbation (Algorithm 3)",
          .keys = {{"delta", "a positive number: the perturbation", "optional"},
                   {"block", "rounds a decision is kept, and samples it averages", "optional"},
                   {"horizon", "the number of rounds T (instead of delta and block)", "optional"},
                   {"gradient_bound", "a bound on the gradients' 2-norm, G", "optional"},
                   {"setting", "\"paper\" or \"retuned\"", "\"paper\""},
                   {"seed", "a whole number", "0"},
                   {"perturbations", "arrays by block, sample, coordinate that replace the draws", "optional"}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            setting.refuse_initial(node);
            return DelayedOspf(setting.set, read_options(node, setting));
          },
          .examples = {R"({"type": "delayed_ospf", "delta": 0.25, "block": 4})",
                       R"({"type": "delayed_ospf", "horizon": 100, "gradient_bound": 3, "seed": 7})",
                       R"({"type": "delayed_ospf", "horizon": 100, "gradient_bound": 3, "setting": "retuned"})"}};
}

DelayedOspf::DelayedOspf(AnySet set, OspfOptions options)
    : set_(std::move(set)),
      shape_(set_.shape()),
      options_(std::move(options)),
      sum_(full_vector(set_.dimension())),
      x_(start_point(shape_)) {
  if (!(options_.delta > 0))
    throw Error(Code::kBadSpec, fmt::format("delayed_ospf: delta must be positive (delta = {})", options_.delta));
  if (options_.block == 0) throw Error(Code::kBadSpec, "delayed_ospf: block must be at least 1 (block = 0)");
}

// LMO(ĝ − v/δ) for sample j of the block about to be played; z is room for one perturbation.
Atom DelayedOspf::sample(std::uint64_t j, std::vector<float>& z) const {
  const std::uint64_t block = played_ / options_.block;
  const double scale = 1 / options_.delta;
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
  if (!options_.perturbations.empty() && played_ / samples >= options_.perturbations.size())
    throw Error(Code::kBadInput, fmt::format("delayed_ospf: perturbations has {} blocks and the game needs more",
                                             options_.perturbations.size()));
  const double weight = 1 / static_cast<double>(samples);
  std::fill(x_.begin(), x_.end(), 0.0);
  if (set_.dimension() <= kSamplesInParallelUpTo) {
    std::vector<Atom> atoms(samples);
    const auto count = static_cast<Index>(samples);
    const Index in_one_go = count * set_.dimension() >= kWorthThreads ? 1 : count;
    parallel_chunks(count, in_one_go, [&](Index, Index begin, Index end) {
      std::vector<float> z;
      for (Index j = begin; j < end; ++j) atoms[static_cast<std::size_t>(j)] = sample(static_cast<std::uint64_t>(j), z);
    });
    for (const Atom& atom : atoms) accumulate(atom, weight, x_);
  } else {
    std::vector<float> z;
    for (std::uint64_t j = 0; j < samples; ++j) accumulate(sample(j, z), weight, x_);
  }
}

double DelayedOspf::play(Round, const Covector* features, Memo&) {
  if (played_ % options_.block == 0) decide();
  ++played_;
  return features != nullptr ? predict(*features) : 0;
}

void DelayedOspf::write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }

void DelayedOspf::save(ByteWriter& out) const {
  out.u64(played_);
  out.reals(sum_);
  out.reals(x_);
}

void DelayedOspf::load(ByteReader& in) {
  played_ = in.u64();
  check_within(sum_ = in.reals(sum_.size()));
  x_ = in.reals(x_.size());
}

// The theorem at the planned horizon also covers a shorter run: of its parts only the perturbation's does not shrink
// with T.
std::optional<double> DelayedOspf::bound(const theory::Seen& seen) const {
  if (seen.hedged) return std::nullopt;  // its adversary must be oblivious
  const double g = options_.gradient_bound;
  if (options_.horizon == 0 || seen.rounds > options_.horizon || !seen.within(g) || !theory::squares_are_kept(g * g))
    return std::nullopt;
  const theory::Scene scene{set_.diameter(), g, options_.horizon, seen.mean_delay(), seen.largest_delay};
  const theory::OspfScene whole{scene, 0, static_cast<double>(set_.dimension()), static_cast<double>(options_.block)};
  return options_.retuned ? theory::ospf_retuned(whole) : theory::ospf_paper(whole);
}

}  // namespace tarry
