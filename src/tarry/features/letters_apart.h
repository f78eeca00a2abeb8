// How nearly two names of features are the same: a typing error would be learnt in silence.
#pragma once

#include <cstddef>
#include <string_view>

namespace tarry {

// How many letters must be changed, left out, added or swapped with the next; capitals do not count. Beyond `most`: any
// number above it.
std::size_t letters_apart(std::string_view a, std::string_view b, std::size_t most);

}  // namespace tarry
