// What a learner costs by its specification, before it is made: how much it keeps from the start, and what a round's
// update does, in words. Each entry of the registry says it of its own learner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/sets/any_set.h"
#include "tarry/spec/value.h"

namespace tarry {

struct Cost {
  // What is done in one update, and how often.
  struct Part {
    std::string words;
    Index times = 1;
  };
  std::vector<Part> parts = {};
  bool known = true;  // false: what an update does cannot be said
  Index kept = 0;  // coordinates with numbers in memory before anything was played; others cost nothing until touched

  Cost& with(const Part& part);               // the same words are counted once more
  Cost& with(const Cost& another);            // the update does both
  std::optional<std::string> update() const;  // "one oracle call and a pass over 3 coordinates"; nothing: not known
};

// Over this set; `touched` is what comes with a round: "the features' non-zeros".
struct CostScene {
  const AnySet& set;
  const std::string& touched;
};

// Of a learner whose type is not registered, or whose entry does not say, nothing is known but the set's dimension.
Cost cost_of(const spec::Value& learner, const CostScene& scene);

Cost unknown_cost(const AnySet& set);
Cost touched_cost(const CostScene& scene);                    // an update costs what comes with the round
Cost full_cost(const AnySet& set, const std::string& words);  // every coordinate has its numbers
std::string pass_over(Index coordinates);                     // "a pass over 3 coordinates"
const spec::Array& learners_in(const spec::Value& learner);   // its key `learners`; empty where there is none
Cost cost_of_all(const spec::Value& learner, const std::vector<AnySet>& sets, const std::string& touched);

}  // namespace tarry
