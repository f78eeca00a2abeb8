// A page of web/ inside the program, put together at build time by cmake/embed_page.cmake.
#pragma once

#include <string_view>

namespace tarry {

struct EmbeddedPage {
  std::string_view text;    // one HTML document that loads nothing
  std::string_view gzip;    // the same, compressed
  std::string_view policy;  // its content security policy
};

}  // namespace tarry
