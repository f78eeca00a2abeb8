// What a specification says of labels that never come: `lost` is "random", or the share for each class.
#pragma once

#include "tarry/learners/learner.h"
#include "tarry/model/label_reader.h"
#include "tarry/spec/node.h"

namespace tarry {

// Throws Error{kBadSpec} for what is neither.
void check_lost(const spec::Node& lost);
// For the classes of this loss. Throws Error{kBadSpec} for a class that it does not have.
Lost lost_labels(const spec::Node& lost, const LabelReader& labels, const AnyLoss* loss);

}  // namespace tarry
