// How many weights a learner has on a stream: one for each feature of a row, for each of their products, and those of
// bends.
#pragma once

#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

// Of how many features rows have products: where nothing is said, of all where `auto` can tell whether they help, and
// there are no classes (each class would cost as much again).
Index multiplied(const LearnerSpec& learner, const Stream& stream);
// How many of them may bend: where nothing is said, those that have products.
Index bent(const LearnerSpec& learner, const Stream& stream);

// Whether trees are grown: where nothing is said, where features bend and trees can follow the loss.
bool grown(const LearnerSpec& learner, const Stream& stream);

Index weights_of(const LearnerSpec& learner, const Stream& stream);

}  // namespace tarry::lab
