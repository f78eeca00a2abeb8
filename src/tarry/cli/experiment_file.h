// An experiment from the file that `tarry run` is given: a specification, or a table that has one made for it.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/experiment/own_data.h"

namespace tarry::cli {

// With its overrides set, and the files that it names found; its text is what the report shows of it.
lab::OwnData read_experiment_file(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace tarry::cli
