// What a request's headers must not leave in doubt: two servers must never read a request in two ways.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "tarry/service/http/errors.h"

namespace tarry::service {

struct HeadersInBrief {
  std::function<std::size_t(std::string_view name)> count;  // how often a header came
  std::string_view length;                                  // the first Content-Length, and so on
  std::string_view coding;                                  // Transfer-Encoding
  std::string_view host, origin;
};

// What is refused with 400.
std::optional<Refusal> doubt(const HeadersInBrief& headers);

// A name or an address, with or without a port: no more, and nothing behind an address in brackets.
bool is_host(std::string_view text);

// Looks at a request's head as it comes, in whatever pieces: a header that goes on in the next line was allowed once,
// and not everyone reads it alike.
class FoldedHeaders {
 public:
  // True: a line begins with a blank.
  bool found_in(std::string_view bytes);

 private:
  bool first_line_ = true, line_begins_ = false, over_ = false;
};

}  // namespace tarry::service
