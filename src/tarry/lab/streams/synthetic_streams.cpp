// Adversaries over the raw decision, and rows of a known rule.
#include <algorithm>
#include <cmath>

#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/entries.h"
#include "tarry/lab/streams/sparse_regression.h"
#include "tarry/losses/regression.h"

namespace tarry::lab {
namespace {

using spec::Node;

constexpr Index kMost = Index{1} << 40;

const spec::Key kDimension{"dimension", "how many coordinates a decision has", ""};
const spec::Key kBound{"bound", "a positive number, the norm that gradients do not exceed", "1"};

Stream raw_stream(const Node& node, RawStream raw, double bound) {
  Stream stream;
  stream.name = node.type();
  stream.dimension = node.dimension();
  stream.gradient_bound = bound;
  stream.rule = std::move(raw);
  return stream;
}

double bound_of(const Node& node) { return node.positive_or("bound", 1); }

Round rounds_of(const Node& node, const std::string& key) { return static_cast<Round>(node.count(key, 1, kMost)); }

Vec first_axis(const Node& node) {
  Vec e(static_cast<std::size_t>(node.dimension()), 0.0);
  e[0] = 1;
  return e;
}

StreamEntry random_linear() {
  return {.name = "random_linear",
          .summary = "b_t = bound · ((1 − lean) · a random unit vector + lean · a fixed one)",
          .keys = {kDimension, kBound, {"lean", "a number from 0 to 1", "0.3"}},
          .make =
              [](const Node& node, Round, std::uint64_t seed) {
                const double lean = node.number_or("lean", 0.3), bound = bound_of(node);
                if (lean < 0 || lean > 1) node.at("lean").fail("from 0 to 1");
                return raw_stream(node, random_stream(node.dimension(), bound, seed, lean), bound);
              },
          .seeded = true,
          .examples = {R"({"type": "random_linear", "dimension": 10, "bound": 1, "lean": 0.3})"}};
}

StreamEntry drifting() {
  return {.name = "drifting",
          .summary = "b_t = bound · a unit vector that turns once in a period",
          .keys = {kDimension, kBound, {"period", "rounds of one turn", ""}},
          .make =
              [](const Node& node, Round, std::uint64_t seed) {
                const double bound = bound_of(node);
                return raw_stream(node, drifting_stream(node.dimension(), bound, rounds_of(node, "period"), seed),
                                  bound);
              },
          .seeded = true,
          .examples = {R"({"type": "drifting", "dimension": 10, "period": 1000})"}};
}

StreamEntry sign_blocks() {
  return {.name = "sign_blocks",
          .summary = "b_t = ±bound · the first axis, a new sign for each block of rounds",
          .keys = {kDimension, kBound, {"block", "rounds of a block", ""}},
          .make =
              [](const Node& node, Round, std::uint64_t seed) {
                const double bound = bound_of(node);
                return raw_stream(node, sign_block_stream(first_axis(node), bound, rounds_of(node, "block"), seed),
                                  bound);
              },
          .seeded = true,
          .examples = {R"({"type": "sign_blocks", "dimension": 3, "block": 20})"}};
}

StreamEntry square_wave() {
  return {.name = "square_wave",
          .summary = "b_t = ±bound · the first axis, the sign changing every half period",
          .keys = {kDimension, kBound, {"half_period", "rounds between changes", ""}},
          .make =
              [](const Node& node, Round, std::uint64_t) {
                const double bound = bound_of(node);
                return raw_stream(node, square_wave_stream(first_axis(node), bound, rounds_of(node, "half_period")),
                                  bound);
              },
          .seeded = false,
          .examples = {R"({"type": "square_wave", "dimension": 3, "half_period": 50})"}};
}

StreamEntry constant() {
  return {.name = "constant",
          .summary = "b_t = bound · the first axis, always",
          .keys = {kDimension, kBound},
          .make =
              [](const Node& node, Round, std::uint64_t) {
                const double bound = bound_of(node);
                return raw_stream(node, constant_stream(first_axis(node), bound), bound);
              },
          .seeded = false,
          .examples = {R"({"type": "constant", "dimension": 3})"}};
}

StreamEntry random_quadratic() {
  return {.name = "random_quadratic",
          .summary = "f_t(x) = (beta/2)‖x − c_t‖² up to a constant, c_t a random vector of norm reach",
          .keys = {kDimension, {"beta", "a positive number", ""}, {"reach", "a positive number", ""}},
          .make =
              [](const Node& node, Round, std::uint64_t seed) {
                const double beta = node.positive("beta"), reach = node.positive("reach");
                return raw_stream(node, quadratic_stream(node.dimension(), beta, reach, seed), beta * reach);
              },
          .seeded = true,
          .examples = {R"({"type": "random_quadratic", "dimension": 3, "beta": 1, "reach": 0.9})"}};
}

StreamEntry box_quadratic() {
  return {.name = "box_quadratic",
          .summary = "f_t(x) = (curvature/2)‖x‖² + ⟨b_t, x⟩, each entry of b_t uniform from low to high",
          .keys = {kDimension,
                   {"curvature", "a positive number", "2"},
                   {"low", "a number", "-1"},
                   {"high", "a number of at least low", "1"}},
          .make =
              [](const Node& node, Round, std::uint64_t seed) {
                const double curvature = node.positive_or("curvature", 2);
                const double low = node.number_or("low", -1), high = node.number_or("high", 1);
                if (low > high) node.fail_whole("low must be at most high");
                const double bound = std::max(-low, high) * std::sqrt(static_cast<double>(node.dimension()));
                return raw_stream(node, box_quadratic_stream(curvature, low, high, seed), bound);
              },
          .seeded = true,
          .examples = {R"({"type": "box_quadratic", "dimension": 5, "curvature": 2, "low": -1, "high": 1})"}};
}

Stream make_sparse_regression(const Node& node, Round rounds, std::uint64_t seed) {
  constexpr double kMostEntries = 0x1p32;
  SparseRule rule;
  rule.dimension = node.dimension();
  rule.non_zeros = node.count("non_zeros", 1, rule.dimension);
  rule.density = node.count("density", 1, rule.dimension);
  rule.noise = node.number_or("noise", 0);
  if (rule.noise < 0) node.at("noise").fail("at least 0");
  const auto loss_node = node.find("loss");
  const NamedLoss loss = loss_node ? named_loss(*loss_node) : named_loss(usual_loss(Measure::kError));
  rule.of_sign = measure_of(loss.name) == Measure::kMargin;
  node.refuse_unknown_keys();
  if (rounds == 0) node.fail_whole("rounds must be given: the rows are made beforehand");
  if (static_cast<double>(rounds) * static_cast<double>(rule.density) > kMostEntries)
    node.fail_whole("rounds times density must be at most 2^32: the rows are made beforehand");
  return data_stream(sparse_regression(rule, rounds, seed), loss, node.type());
}

StreamEntry sparse_regression_entry() {
  return {
      .name = "sparse_regression",
      .summary = "rows of ±1 at random places, and labels by a sparse rule w, ‖w‖₁ = 1, with Gaussian noise",
      .keys = {kDimension,
               {"non_zeros", "how many weights of the rule are not 0: each is ±1/non_zeros", ""},
               {"density", "features of a row", ""},
               {"noise", "standard deviation of the noise", "0"},
               {"loss", "a loss, or its name; logistic and hinge get the label's sign", usual_loss(Measure::kError)}},
      .make = make_sparse_regression,
      .seeded = true,
      .examples = {R"({"type": "sparse_regression", "dimension": 1000, "non_zeros": 5, "density": 50, )"
                   R"("noise": 0.1})"}};
}

}  // namespace

std::vector<StreamEntry> synthetic_stream_entries() {
  return {random_linear(), drifting(),         sign_blocks(),   square_wave(),
          constant(),      random_quadratic(), box_quadratic(), sparse_regression_entry()};
}

}  // namespace tarry::lab
