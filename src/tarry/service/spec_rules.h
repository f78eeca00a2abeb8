// Rules for what comes over HTTP, where a file's specification has none.
#pragma once

#include <string>

#include "tarry/service/errors.h"
#include "tarry/spec/value.h"

namespace tarry::service {

Refusal no_such_model(const std::string& name);

// A ticket that was signed here, for a decision that is not in this history: it was lost, or its model was deleted.
Refusal lost_ticket();

// A specification that comes from outside must not make the service read files.
void check_names_no_file(const spec::Value& spec);

// Whether a number stands in it that is finite in JSON, but larger than any that can be used.
bool has_impossible_number(const spec::Value& value);

}  // namespace tarry::service
