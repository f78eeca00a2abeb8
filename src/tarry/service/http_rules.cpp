#include "tarry/service/http_rules.h"

namespace tarry::service {

std::optional<Refusal> doubt(const HeadersInBrief& headers) {
  const auto bad = [](const char* why) { return Refusal(400, "bad_request", why); };
  const auto& count = headers.count;
  const std::size_t lengths = count("Content-Length"), codings = count("Transfer-Encoding");
  if (lengths > 1 || headers.length.find_first_not_of("0123456789") != headers.length.npos)
    return bad("a request must have one Content-Length, a number");
  if (lengths > 0 && codings > 0) return bad("a request must not have both Content-Length and Transfer-Encoding");
  if (codings > 0 && !headers.chunked) return bad("Transfer-Encoding must be chunked");
  if (count("Host") > 1) return bad("a request must have one Host");
  if (count("Authorization") > 1) return bad("a request must have one Authorization");
  return std::nullopt;
}

}  // namespace tarry::service
