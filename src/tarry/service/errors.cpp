#include "tarry/service/errors.h"

#include <fmt/format.h>

#include "tarry/spec/value.h"

namespace tarry::service {

Refusal refusal_of(const Error& error, bool applying) {
  const ErrorRow& row = error_row(error.code());
  const bool well_formed = applying && row.http_status == 400;
  return Refusal(well_formed ? 422 : row.http_status, std::string(row.name), error.what());
}

std::string error_json(const Refusal& refusal) {
  std::string out =
      fmt::format("{{\"error\": {{\"status\": {}, \"code\": \"{}\", \"message\": ", refusal.status(), refusal.code());
  spec::append_json(out, std::string(refusal.what()));
  if (!refusal.key().empty()) {
    out += ", \"key\": ";
    spec::append_json(out, refusal.key());
  }
  return out + "}}";
}

Response error_response(const Refusal& refusal) {
  Response response{.status = refusal.status(), .body = error_json(refusal)};
  if (refusal.status() == 503) response.headers.emplace_back("Retry-After", "1");
  if (refusal.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace tarry::service
