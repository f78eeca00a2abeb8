// An explanation as people read it, and as one JSON object: the same from the program and from Python.
#pragma once

#include <string>

#include "tarry/model/explain.h"

namespace tarry {

std::string explanation_text(const Explanation& told);
std::string explanation_json(const Explanation& told);

}  // namespace tarry
