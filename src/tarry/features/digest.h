// One number that identifies features, to see whether a play that is sent again is the same one. It is the same on
// every machine and in every version, and follows what features mean: their order does not matter, nor a null, a
// repeated word of a list, or whether a row is dense or sparse. A guard against mistakes: who wants two rows with one
// digest can make them.
#pragma once

#include <cstdint>

#include "tarry/features/named.h"
#include "tarry/linalg/covector.h"

namespace tarry {

std::uint64_t digest(const NamedFeatures& features);
std::uint64_t digest(const Covector& numbered);  // zeros count as absent

}  // namespace tarry
