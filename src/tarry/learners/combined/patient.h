// `patient`: for predictions from standardised features whose labels come late, nothing to set. A weighted mean of
// AdaGrad with implicit steps at eight rates, weighed by what each has lost. A round that stays open is learnt by what
// that says of its class, until its label replaces it (docs/theory.md, 12.1 and 12.2). Where rows end in products of
// their features, or numbers in them bend, some of its learners see these and others do not (banked_bases.h).
#pragma once

#include "tarry/learners/any_learner.h"
#include "tarry/spec/node.h"

namespace tarry {

struct LearnerEntry;
struct LearnerSetting;

// Over a box. With `forgets`, some of its learners follow a stream that changes (forgetting_bases.h).
AnyLearner make_patient(const LearnerSetting& setting, bool forgets);
bool wants_forgetting(const spec::Node& node);
LearnerEntry patient_entry();

}  // namespace tarry
