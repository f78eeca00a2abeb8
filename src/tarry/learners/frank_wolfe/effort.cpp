#include "tarry/learners/frank_wolfe/effort.h"

#include <fmt/format.h>

#include "tarry/base/random.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

Storage read_storage(const spec::Node& node) {
  const std::string storage = node.text_or("storage", "auto");
  if (storage == "auto") return Storage::kAuto;
  if (storage == "dense") return Storage::kDense;
  if (storage == "sparse") return Storage::kSparse;
  if (storage == "factored") return Storage::kFactored;
  node.at("storage").fail("\"auto\", \"dense\", \"sparse\" or \"factored\"");
}

// Learners inside others draw other numbers than the first.
std::optional<std::uint64_t> read_sample(const spec::Node& node, const LearnerSetting& setting) {
  const auto flag = node.find("sample");
  if (!flag || !flag->flag()) {
    if (node.has("seed")) node.fail_whole("seed is read only with sample = true");
    return std::nullopt;
  }
  if (!setting.initial.empty())
    node.fail_whole("initial does not go with sample: what is drawn are vertices, and it starts at one",
                    Code::kUnsupported);
  const auto seed = node.has("seed") ? static_cast<std::uint64_t>(node.count("seed", 0, Index{1} << 53)) : 0;
  return setting.instance == 0 ? seed : Random(seed, setting.instance).bits(0)[0];
}

}  // namespace

std::vector<spec::Key> effort_keys() {
  return {{"oracle_calls", "a whole number of at least 1: Frank-Wolfe steps per gradient (1: the paper's)", "1"},
          {"oracle_error", "a number from 0 to 1: share of the bound's tolerance that a factored oracle may use", "1"},
          {"storage", "\"auto\", \"dense\", \"sparse\" or \"factored\": how the decision is kept", "\"auto\""},
          {"sample", "true: keeps its vertices, and draws one with the decision's weights for each round", "false"},
          {"seed", "a whole number, for sample", "0"}};
}

Effort read_effort(const spec::Node& node, const LearnerSetting& setting) {
  Effort effort(read_storage(node));
  effort.stream = setting.instance;
  effort.sample = read_sample(node, setting);
  if (node.has("oracle_calls")) effort.oracle_calls = node.count("oracle_calls", 1, Index{1} << 20);
  if (node.has("oracle_error")) {
    effort.oracle_error = node.number("oracle_error");
    if (!(effort.oracle_error >= 0 && effort.oracle_error <= 1)) node.at("oracle_error").fail("from 0 to 1");
  }
  return effort;
}

double read_horizon(const spec::Node& node) { return static_cast<double>(node.count("horizon", 1, Index{1} << 53)); }

namespace {

constexpr Index kDenseMatrixUpTo = 100;  // entries: smaller matrices are kept in full (tracks/iterate.cpp)

// How a decision of this shape would be kept.
enum class Kept { kFull, kTouched, kFactors };

Kept kept_as(const Shape& shape, const std::string& storage) {
  if (storage == "dense") return Kept::kFull;
  if (shape.need == Need::kTopPair)
    return shape.start.dimension > kDenseMatrixUpTo || storage == "factored" ? Kept::kFactors : Kept::kFull;
  return shape.need != Need::kDense && shape.start.values.empty() ? Kept::kTouched : Kept::kFull;
}

void add_steps(Cost& cost, const Shape& shape, const spec::Value& learner, const std::string& touched) {
  for (const Shape& block : shape.blocks) add_steps(cost, block, learner, touched);
  if (!shape.blocks.empty()) return;
  const Index calls = learner.whole_at("oracle_calls", 1), batch = learner.whole_at("batch", 1);
  const std::string often = batch > 1 ? fmt::format(" for every {} gradients", batch) : "";
  const std::string oracle = (calls > 1 ? fmt::format("up to {} oracle calls", calls) : "one oracle call") + often;
  switch (kept_as(shape, learner.text_at("storage"))) {
    case Kept::kFull:
      cost.kept += shape.start.dimension;
      cost.with(Cost::Part{oracle + " and " + pass_over(shape.start.dimension)});
      return;
    case Kept::kTouched:
      cost.with(Cost::Part{oracle + ", " + touched + " and the atoms in the decision"});
      return;
    case Kept::kFactors:
      cost.with(Cost::Part{oracle + ", a top singular pair by products with the rows and columns seen"});
      return;
  }
}

}  // namespace

Cost frank_wolfe_cost(const spec::Value& learner, const CostScene& scene) {
  Cost cost;
  add_steps(cost, scene.set.shape(), learner, scene.touched);
  if (draws_vertices(learner)) cost.with(Cost::Part{"the weights of the vertices kept"});
  return cost;
}

bool draws_vertices(const spec::Value& learner) { return learner.flag_at("sample"); }

}  // namespace tarry
