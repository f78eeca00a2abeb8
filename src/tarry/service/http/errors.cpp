#include "tarry/service/http/errors.h"

#include "tarry/hosting/rejection.h"

namespace tarry::service {

Response error_response(const Refusal& refusal) {
  Response response{.status = refusal.status(), .body = "{"};
  hosting::append_error(response.body, refusal.status(), refusal.code(), refusal.what(), refusal.key());
  response.body += "}";
  response.refused.push_back({refusal.status(), refusal.code(), refusal.what(), {}});
  if (refusal.status() == 503) response.headers.emplace_back("Retry-After", "1");
  if (refusal.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace tarry::service
