// Rules for specifications and numbers that come from outside, where a file's specification has none.
#pragma once

#include <string>

#include "tarry/hosting/rejection.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/value.h"

namespace tarry::hosting {

// A specification that comes from outside must not make the service read files.
void check_names_no_file(const spec::Value& spec);

// Throws Rejection where a model would have more coordinates, or its learners numbers for more; before it is made.
void check_size(const ModelSpec& spec, std::int64_t most_coordinates);

// What a specification differs by from a model's that is there, or from that with which it was made (a request sent
// again may not know that a challenger was promoted); empty: it is the same, or was in an earlier version of its task.
std::string difference_from(const spec::Value& given, const std::string& there, const std::string& first,
                            const std::string& here);

// Whether it has a number that is finite in JSON, but larger than any that can be used.
bool has_impossible_number(const spec::Value& value);

}  // namespace tarry::hosting
