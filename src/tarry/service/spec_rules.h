// Rules for what comes over HTTP, where a file's specification has none.
#pragma once

#include <string>

#include "tarry/model/model_spec.h"
#include "tarry/service/errors.h"
#include "tarry/spec/value.h"

namespace tarry::service {

Refusal no_such_model(const std::string& name);

// A ticket that was signed here, for a decision that is not in this history: it was lost, or its model was deleted.
Refusal lost_ticket();

// A specification that comes from outside must not make the service read files.
void check_names_no_file(const spec::Value& spec);

// Throws Refusal where a model would have more coordinates, or its learners numbers for more; before it is made.
void check_size(const ModelSpec& spec, std::int64_t most_coordinates);

// Whether a number stands in it that is finite in JSON, but larger than any that can be used.
bool has_impossible_number(const spec::Value& value);

}  // namespace tarry::service
