// TOML text to a Value whose nodes know their line.
#pragma once

#include <string_view>

#include "tarry/spec/value.h"

namespace tarry::spec {

// Throws Error{kBadSpec}: "line 3: not valid TOML (…)".
Value parse_toml(std::string_view text);

}  // namespace tarry::spec
