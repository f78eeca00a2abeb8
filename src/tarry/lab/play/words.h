// Words that specifications of learners and sets may use instead of numbers: horizon = "rounds", dimension = "stream".
#pragma once

#include "tarry/lab/plan/experiment.h"

namespace tarry::lab {

// What they stand for.
struct Words {
  double rounds = 0;
  double rounds_per_copy = 0;  // what one of BOLD's copies will play; 0: not known
  double gradient_bound = 0;   // 0: not known
  double mean_delay = 1;       // 0: not known
  Index dimension = 0;
  Index users = 0, items = 0;  // 0: the stream is not of ratings
  std::uint64_t seed = 0;
};

// Replaces them, at any depth.
void replace_words(spec::Value& value, const Words& words);
// A learner's specification with its words replaced.
spec::Value worded(const LearnerSpec& learner, const Words& words);

}  // namespace tarry::lab
