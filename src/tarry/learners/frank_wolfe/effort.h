// How a Frank-Wolfe learner makes its steps, beside its rule, and the keys that say so.
#pragma once

#include <vector>

#include "tarry/spec/node.h"
#include "tarry/tracks/iterate.h"

namespace tarry {

struct Effort {
  Storage storage = Storage::kAuto;
  Index oracle_calls = 1;    // steps a gradient
  double oracle_error = 1;   // the share of the error allowed by the bound that an iterative oracle may make
  std::uint64_t stream = 0;  // of the random numbers that it draws

  Effort() = default;
  Effort(Storage how) : storage(how) {}
};

// `oracle_calls`, `oracle_error` and `storage`: what both learners read.
std::vector<spec::Key> effort_keys();
Effort read_effort(const spec::Node& node, std::uint64_t stream);

}  // namespace tarry
