#include "tarry/service/http/http_rules.h"

#include <algorithm>
#include <cctype>

namespace tarry::service {
namespace {

bool is_number(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool is_origin(std::string_view text) {
  if (text == "null") return true;
  const auto host = text.find("://");
  return host != text.npos && host > 0 && is_host(text.substr(host + 3));
}

}  // namespace

bool is_host(std::string_view text) {
  std::size_t end = 0;
  if (text.starts_with('[')) {
    end = text.find(']');
    if (end == text.npos || text.substr(1, end - 1).find_first_not_of("0123456789abcdefABCDEF:.") != text.npos)
      return false;
    ++end;
  } else {
    const auto in_name = [](unsigned char c) {
      return std::isalnum(c) != 0 || std::string_view("-._~").find(static_cast<char>(c)) != std::string_view::npos;
    };
    while (end < text.size() && in_name(static_cast<unsigned char>(text[end]))) ++end;
  }
  if (end == 0) return false;
  const std::string_view port = text.substr(end);
  return port.empty() || (port.starts_with(':') && port.size() <= 6 && is_number(port.substr(1)));
}

std::optional<Refusal> doubt(const HeadersInBrief& headers) {
  const auto bad = [](const char* why) { return Refusal(400, "bad_request", why); };
  const auto& count = headers.count;
  const std::size_t lengths = count("Content-Length"), codings = count("Transfer-Encoding");
  if (lengths > 1 || (lengths > 0 && (headers.length.empty() || !is_number(headers.length))))
    return bad("a request must have one Content-Length, a number");
  if (lengths > 0 && codings > 0) return bad("a request must not have both Content-Length and Transfer-Encoding");
  if (codings > 1 || (codings > 0 && !equal_but_for_case(headers.coding, "chunked")))
    return bad("Transfer-Encoding must be chunked, and nothing else");
  if (count("Host") > 1) return bad("a request must have one Host");
  if (count("Host") > 0 && !headers.host.empty() && !is_host(headers.host))
    return bad("Host must be a name or an address, with or without a port");
  if (count("Origin") > 1) return bad("a request must have one Origin");
  if (count("Origin") > 0 && !headers.origin.empty() && !is_origin(headers.origin))
    return bad("Origin must be a scheme and a host, with or without a port");
  if (count("Authorization") > 1) return bad("a request must have one Authorization");
  if (count(kSubscriptionKey) > 1) return bad("a request must have one Ocp-Apim-Subscription-Key");
  return std::nullopt;
}

bool FoldedHeaders::found_in(std::string_view bytes) {
  for (const char c : bytes) {
    if (over_) return false;
    if (line_begins_ && !first_line_ && (c == ' ' || c == '\t')) return true;
    if (line_begins_ && c == '\r') over_ = true;  // an empty line: what follows is the body
    line_begins_ = c == '\n';
    if (line_begins_) first_line_ = false;
  }
  return false;
}

}  // namespace tarry::service
