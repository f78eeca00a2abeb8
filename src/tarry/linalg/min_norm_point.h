// The point of smallest norm in the convex hull of finitely many points (Wolfe 1976): exact up to rounding.
#pragma once

#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

Vec min_norm_point(const std::vector<Vec>& points);

}  // namespace tarry
