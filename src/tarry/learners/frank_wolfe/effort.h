// How a Frank-Wolfe learner makes its steps, beside its rule, and the keys that say so.
#pragma once

#include <optional>
#include <vector>

#include "tarry/spec/node.h"
#include "tarry/tracks/iterate.h"

namespace tarry {

struct LearnerSetting;
struct Cost;
struct CostScene;

struct Effort {
  Storage storage = Storage::kAuto;
  Index oracle_calls = 1;    // steps a gradient
  double oracle_error = 1;   // the share of the error allowed by the bound that an iterative oracle may make
  std::uint64_t stream = 0;  // of the random numbers that it draws
  std::optional<std::uint64_t> sample = std::nullopt;  // the seed, where vertices are drawn

  Effort() = default;
  Effort(Storage how) : storage(how) {}
};

// `oracle_calls`, `oracle_error`, `storage`, `sample` and `seed`: what both learners read.
std::vector<spec::Key> effort_keys();
Effort read_effort(const spec::Node& node, const LearnerSetting& setting);
double read_horizon(const spec::Node& node);  // `horizon`, in rounds

// Of one update and the decision at the start, by how the set's shape and those keys say that it is kept.
Cost frank_wolfe_cost(const spec::Value& learner, const CostScene& scene);
bool draws_vertices(const spec::Value& learner);  // `sample`

}  // namespace tarry
