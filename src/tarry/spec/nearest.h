// Which known word a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tarry::spec {

// "; did you mean radius?" for "radus"; empty where no known word is within a slip for every three letters, at most
// two.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace tarry::spec
