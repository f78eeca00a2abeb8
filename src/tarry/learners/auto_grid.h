// `auto`: what a user gets who sets nothing. A hedge over learners that need no tuning themselves, on balls and boxes
// of several sizes inside the set; for other sets, over step sizes.
#pragma once

namespace tarry {

struct LearnerEntry;

LearnerEntry auto_entry();

}  // namespace tarry
