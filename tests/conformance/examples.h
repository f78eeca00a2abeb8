// What the conformance suite runs over: every example of every registered set and learner, and a few awkward sets.
// A newly registered type is covered by its own examples; nothing here names it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tarry/learners/registry.h"
#include "tarry/sets/registry.h"

namespace tarry::conformance {

// cases(count), or 20 times as many when the environment has TARRY_SOAK=1.
int repeat(int count);

struct Example {
  std::string name;  // unique, letters and digits: "simplex_2"
  std::string json;

  spec::Value value() const;
  std::string type() const;
};

struct Pair {
  Example learner;
  Example set;
};

std::vector<Example> set_examples();
// Every registered example moved, shrunk, stretched, and as a part of products: the wrappers around every set.
std::vector<Example> wrapped_set_examples();
// Both of the above.
std::vector<Example> all_set_examples();
std::vector<Example> learner_examples();
// Each learner with each set that it accepts; a pair that fails to be made in another way stays, and its test says so.
// Under sanitizers each learner meets every sixth set, and each set every sixth learner.
inline constexpr std::size_t kThinned = 6;
std::vector<Pair> accepted_pairs(const std::vector<Example>& learners,
                                 const std::vector<Example>& sets = set_examples());

AnySet make_set(const Example& example);
// Nothing when this learner refuses this set as unsupported.
std::optional<AnyLearner> make_learner(const Example& learner, const AnySet& set, const Vec& initial = {});

std::string example_name(const testing::TestParamInfo<Example>& info);
std::string pair_name(const testing::TestParamInfo<Pair>& info);
void PrintTo(const Example& example, std::ostream* out);
void PrintTo(const Pair& pair, std::ostream* out);

}  // namespace tarry::conformance
