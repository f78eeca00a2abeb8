// What the entry of `hedge` says beside how it is made: its cost, its bases, and what `tarry verify` plays of it.
#pragma once

#include "tarry/learners/registry.h"

namespace tarry {

LearnerEntry with_facts(LearnerEntry hedge);

}  // namespace tarry
