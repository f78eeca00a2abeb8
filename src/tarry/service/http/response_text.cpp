#include "tarry/service/http/response_text.h"

#include <fmt/format.h>

#include <iterator>

namespace tarry::service {
namespace {

#define TARRY_OUT_OF_MEMORY \
  "{\"error\": {\"status\": 507, \"code\": \"out_of_memory\", \"message\": \"not enough memory for this request\"}}"

constexpr std::string_view kOutOfMemoryBody = TARRY_OUT_OF_MEMORY;
static_assert(kOutOfMemoryBody.size() == 100);  // as the text below says

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 507:
      return "Insufficient Storage";
    default:
      return "Answer";  // clients look at the number alone
  }
}

}  // namespace

const std::string_view kOutOfMemoryAnswer =
    "HTTP/1.1 507 Insufficient Storage\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: 100\r\n\r\n" TARRY_OUT_OF_MEMORY;

Response out_of_memory_response() noexcept {
  Response response;
  response.status = 507;
  response.fixed = kOutOfMemoryBody;
  return response;
}

std::string head_text(const Response& response, HeadForm form) {
  constexpr std::size_t kUsual = 256;  // bytes
  std::string out;
  out.reserve(kUsual);
  const auto add = [&](std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(out), "{}: {}\r\n", name, value);
  };
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status, reason_of(response.status));
  const bool empty = response.status == 204;  // which says that nothing follows, and must not say how much
  if (!empty) add("Content-Type", response.content_type);
  add("Cache-Control", "no-store");
  add("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) add(name, value);
  if (form.last) add("Connection", "close");
  if (form.in_pieces)
    add("Transfer-Encoding", "chunked");
  else if (!empty)
    add("Content-Length", fmt::format_int(response.text().size()).str());
  out += "\r\n";
  return out;
}

}  // namespace tarry::service
