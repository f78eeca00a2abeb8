// A specification given on the command line.
#pragma once

#include <string>

#include "tarry/spec/value.h"

namespace tarry::cli {

bool is_json(const std::string& given);

// JSON itself, a .toml file, or a file of JSON. Errors say what is wrong, without the place.
spec::Value read_given_spec(const std::string& given);

}  // namespace tarry::cli
