// Text in memory as the lines of a file.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {

inline TextLines text_lines(const std::string& name, std::string text) {
  return TextLines(name, [text = std::move(text), at = std::size_t{0}](char* into, std::size_t room) mutable {
    const std::size_t count = std::min(room, text.size() - at);
    std::memcpy(into, text.data() + at, count);
    at += count;
    return count;
  });
}

}  // namespace tarry::data
