// `auto`: what a user gets who sets nothing. A hedge over learners that need no tuning themselves, on balls and boxes
// of several sizes inside the set; for other sets, over step sizes.
#pragma once

#include <vector>

#include "tarry/learners/any_learner.h"

namespace tarry {

struct LearnerEntry;
struct LearnerSetting;

// The learners that `auto` hedges over: each plays inside the set.
std::vector<AnyLearner> auto_bases(const LearnerSetting& setting);

LearnerEntry auto_entry();

}  // namespace tarry
