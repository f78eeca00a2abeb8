#include "conformance/examples.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "sanitized.h"
#include "tarry/base/random.h"
#include "tarry/spec/json.h"

namespace tarry::conformance {
namespace {

// Sets at the edge of their parameters, where formulas degenerate.
const std::vector<std::string>& awkward_sets() {
  static const std::vector<std::string> specs = {
      R"({"type": "l1_ball", "dimension": 9, "radius": 1e-6})",
      R"({"type": "l2_ball", "dimension": 1, "radius": 3})",
      R"({"type": "lp_ball", "dimension": 4, "p": 2, "radius": 0.5})",
      R"({"type": "lp_ball", "dimension": 3, "p": 1000, "radius": 1})",
      R"({"type": "lp_ball", "dimension": 1, "p": 1.5, "radius": 1})",
      R"({"type": "box", "lower": [0, 1, -3], "upper": [0, 1, 2]})",
      R"({"type": "box", "lower": [0.5], "upper": [0.5]})",
      R"({"type": "box", "lower": [1000, -2000], "upper": [1001, -1999]})",
      R"({"type": "simplex", "dimension": 1})",
      R"({"type": "unit_simplex", "dimension": 1, "radius": 2})",
      R"({"type": "hypersimplex", "dimension": 4, "k": 4})",
      R"({"type": "hypersimplex", "dimension": 5, "k": 4})",
      R"({"type": "k_sparse", "dimension": 4, "k": 4, "radius": 0.25})",
      R"({"type": "k_sparse", "dimension": 4, "k": 1, "radius": 2})",
      R"({"type": "group_ball", "groups": [[4, 1], [0], [3, 2]], "p": 1, "radius": 2})",
      R"({"type": "group_ball", "groups": [[1, 0, 2]], "p": 1.5, "radius": 2})",
      R"({"type": "ellipsoid", "semi_axes": [1, 1e-3, 30, 5], "center": [3, -4, 0, 1]})",
      R"({"type": "ellipsoid", "matrix": [[3, 1, 0], [1, 2, 0.5], [0, 0.5, 1]]})",
      R"({"type": "permutahedron", "dimension": 1})",
      R"({"type": "permutahedron", "dimension": 2})",
      R"({"type": "budget", "total": 3, "floor": [1, 2], "cap": [5, 6]})",
      R"({"type": "budget", "total": 1, "floor": [0, 0, 0], "cap": [1000000, 1, 0.25]})",
      R"({"type": "budget", "total": 0, "floor": [-1, -1, 0, 0], "cap": [1, 0, 1, 0.5]})",
      R"({"type": "flow", "nodes": 2, "edges": [[0, 1], [0, 1]], "source": 0, "sink": 1})",
      R"({"type": "flow", "nodes": 6, "edges": [[0, 1], [1, 2], [1, 2], [2, 3], [4, 3], [2, 5]], "source": 0, "sink": 3})",
      R"({"type": "flow", "nodes": 5, "edges": [[0, 1], [1, 0], [0, 2], [2, 1], [3, 4], [4, 3]], "source": 0, "sink": 1})",
      R"({"type": "birkhoff", "size": 1})",
      R"({"type": "birkhoff", "size": 2})",
      R"({"type": "spanning_tree", "nodes": 2, "edges": [[0, 1]]})",
      R"({"type": "spanning_tree", "nodes": 3, "edges": [[0, 1], [1, 0], [2, 1], [2, 1]]})",
#ifdef TARRY_HAS_ORACLES
      R"({"type": "matching", "nodes": 3, "edges": [[0, 1], [1, 2], [2, 0]]})",
      R"({"type": "matching", "nodes": 4, "edges": [[0, 1], [1, 0], [2, 3], [3, 2]], "perfect": true})",
      R"({"type": "polytope", "rows": [[1, 1]], "row_lower": [3], "row_upper": [3], "lower": [1, 2], "upper": [5, 6]})",
      R"({"type": "polytope", "rows": [[1, 2, 3], [3, 2, 1], [1, 1, 1]], "row_upper": [6, 6, 3], "lower": 0})",
      R"({"type": "polytope", "rows": [[1, 1000], [1, -1000]], "row_upper": 1, "lower": [-2000, -1]})",
#endif
      R"({"type": "nuclear_ball", "rows": 1, "cols": 1, "radius": 2})",
      R"({"type": "nuclear_ball", "rows": 1, "cols": 4, "radius": 2})",
      R"({"type": "nuclear_ball", "rows": 3, "cols": 3, "radius": 1})",
      R"({"type": "schatten_ball", "rows": 1, "cols": 3, "p": 1.2, "radius": 2})",
      R"({"type": "spectrahedron", "dimension": 1, "trace": 2})",
      R"({"type": "fantope", "dimension": 1, "k": 1})",
      R"({"type": "fantope", "dimension": 3, "k": 3})",
  };
  return specs;
}

template <class Entry>
std::vector<Example> examples_of(std::span<const Entry> entries) {
  std::vector<Example> examples;
  for (const Entry& entry : entries)
    for (std::size_t i = 0; i < entry.examples.size(); ++i)
      examples.push_back({entry.name + "_" + std::to_string(i + 1), entry.examples[i]});
  return examples;
}

}  // namespace

int repeat(int count) {
  const char* soak = std::getenv("TARRY_SOAK");
  return soak != nullptr && std::strcmp(soak, "1") == 0 ? 20 * cases(count) : cases(count);
}

spec::Value Example::value() const { return spec::parse_json(json); }

std::string Example::type() const { return std::get<std::string>(value().find("type")->as); }

std::vector<Example> set_examples() {
  std::vector<Example> examples = examples_of(set_registry());
  const std::vector<std::string>& awkward = awkward_sets();
  for (std::size_t i = 0; i < awkward.size(); ++i) {
    const Example example{"", awkward[i]};
    examples.push_back({example.type() + "_awkward_" + std::to_string(i + 1), awkward[i]});
  }
  return examples;
}

// Each wrapper is written as text around the inner set's own text.
std::vector<Example> wrapped_set_examples() {
  const auto scaled = [](const std::string& set, const char* by) {
    return R"({"type": "scale", "set": )" + set + R"(, "by": )" + by + "}";
  };
  const auto product = [](const std::string& first, const std::string& second) {
    return R"({"type": "product", "parts": [)" + first + ", " + second + "]}";
  };
  const std::string ball = R"({"type": "l2_ball", "dimension": 2, "radius": 0.5})";
  const std::string cross = R"({"type": "l1_ball", "dimension": 3, "radius": 2})";
  std::vector<Example> wrapped;
  std::uint64_t seed = 0;
  for (const Example& inner : examples_of(set_registry())) {
    const std::string& set = inner.json;
    RandomSequence random(++seed, 31);
    const auto moved = [&](const std::string& what) {
      Vec by(static_cast<std::size_t>(make_set(inner).dimension()));
      for (double& x : by) x = 2 * random.gaussian();
      return R"({"type": "translate", "set": )" + what + R"(, "by": )" + spec::to_json(spec::Value{by}) + "}";
    };
    wrapped.push_back({"moved_" + inner.name, moved(set)});
    wrapped.push_back({"cached_" + inner.name, R"({"type": "cached", "set": )" + set + "}"});
    wrapped.push_back({"shrunk_" + inner.name, scaled(set, "0.7")});
    wrapped.push_back({"stretched_" + inner.name, scaled(set, "3")});
    wrapped.push_back({"stretched_and_moved_" + inner.name, moved(scaled(set, "3"))});
    wrapped.push_back({"product_with_" + inner.name, product(set, ball)});
    wrapped.push_back({"products_with_" + inner.name, product(product(cross, set), scaled(product(ball, set), "0.7"))});
  }
  return wrapped;
}

std::vector<Example> all_set_examples() {
  std::vector<Example> all = set_examples();
  for (Example& wrapped : wrapped_set_examples()) all.push_back(std::move(wrapped));
  return all;
}

// With those that only sets of matrices take.
std::vector<Example> learner_examples() {
  std::vector<Example> examples = examples_of(learner_registry());
  examples.push_back({"delayed_ofw_factored", R"({"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3,)"
                                              R"( "storage": "factored"})"});
  examples.push_back({"delayed_ofw_factored_in_batches", R"({"type": "delayed_ofw", "eta": 0.5, "batch": 3,)"
                                                         R"( "oracle_error": 0.01, "storage": "factored"})"});
  examples.push_back({"delayed_ofw_sc_factored", R"({"type": "delayed_ofw_sc", "beta": 0.7, "oracle_error": 0.01,)"
                                                 R"( "storage": "factored"})"});
  examples.push_back({"bold_factored", R"({"type": "bold", "base": {"type": "delayed_ofw", "eta": 0.3,)"
                                       R"( "storage": "factored"}})"});
  return examples;
}

std::vector<Pair> accepted_pairs(const std::vector<Example>& learners, const std::vector<Example>& sets) {
  const auto refused = [](const Example& learner, const Example& set) {
    try {
      return !make_learner(learner, make_set(set)).has_value();
    } catch (const std::exception&) {
      return false;
    }
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < learners.size(); ++i)
    for (std::size_t j = kSanitized ? i % kThinned : 0; j < sets.size(); j += kSanitized ? kThinned : 1)
      if (!refused(learners[i], sets[j])) pairs.push_back({learners[i], sets[j]});
  return pairs;
}

AnySet make_set(const Example& example) {
  const spec::Value value = example.value();
  return tarry::make_set(spec::Node(value, "set"));
}

std::optional<AnyLearner> make_learner(const Example& learner, const AnySet& set, const Vec& initial) {
  const spec::Value value = learner.value();
  try {
    return tarry::make_learner(spec::Node(value, "learner"), LearnerSetting{set, initial});
  } catch (const Error& error) {
    if (error.code() != Code::kUnsupported) throw;
    return std::nullopt;
  }
}

std::string example_name(const testing::TestParamInfo<Example>& info) { return info.param.name; }

std::string pair_name(const testing::TestParamInfo<Pair>& info) {
  return info.param.learner.name + "_on_" + info.param.set.name;
}

void PrintTo(const Example& example, std::ostream* out) { *out << example.json; }

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.learner.json << " on " << pair.set.json; }

}  // namespace tarry::conformance
