// An experiment from the file that `tarry run` is given: a specification, or a table that has one made for it.
#pragma once

#include <string>
#include <vector>

#include "tarry/spec/value.h"

namespace tarry::cli {

// With its overrides set, and the files that it names found. `text` is what the report shows of it.
spec::Value read_experiment_file(const std::string& path, const std::vector<std::string>& overrides, std::string& text);

}  // namespace tarry::cli
