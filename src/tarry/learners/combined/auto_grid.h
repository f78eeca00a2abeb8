// `auto`: what a user gets who sets nothing. A hedge over AdaGrad at eight rates on boxes, over learners that need no
// tuning on balls of several sizes inside an lp ball, over steps of exponentiated gradient on a simplex, and over step
// sizes of gradient descent or Frank-Wolfe on other sets.
#pragma once

#include <vector>

#include "tarry/learners/any_learner.h"

namespace tarry {

struct LearnerEntry;
struct LearnerSetting;

// The learners that `auto` hedges over: each plays inside the set.
std::vector<AnyLearner> auto_bases(const LearnerSetting& setting);
// Which of them play on all of it.
std::vector<bool> whole_bases(const LearnerSetting& setting, std::size_t bases);

LearnerEntry auto_entry();

}  // namespace tarry
