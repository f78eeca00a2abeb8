// A hash of the sources that decide results, made by cmake/learning_code.cmake: two programs of one version that were
// built from different ones do not take each other's kept runs for their own.
#pragma once

#include <string_view>

namespace tarry::lab {

extern const std::string_view kLearningCode;

}  // namespace tarry::lab
