// Cells of several words: text, where each word counts, and lists such as a|b|c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarry::data {

// The words of a text in lower case, each once, in the order in which they come: letters and digits, no signs.
std::vector<std::string> words_of_text(std::string_view text);

// The elements of a list, without spaces, brackets and quotes around them; empty ones do not count.
std::vector<std::string> elements_of(std::string_view list, char between);

}  // namespace tarry::data
