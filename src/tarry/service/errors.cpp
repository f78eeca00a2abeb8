#include "tarry/service/errors.h"

#include <fmt/format.h>

#include "tarry/spec/value.h"
#include "tarry/store/disk.h"

namespace tarry::service {

namespace {

std::string told(const Error& error) {
  if (error.code() == Code::kIo) return "the server cannot read or write its files: its log says why";
  if (error.code() != Code::kFull) return error.what();
  const bool descriptors = dynamic_cast<const store::OutOfDescriptors*>(&error) != nullptr;
  return fmt::format("{}: nothing was changed", descriptors ? kNoDescriptor : kDiskFull);
}

}  // namespace

Refusal refusal_of(const Error& error, bool applying) {
  const ErrorRow& row = error_row(error.code());
  const bool well_formed = applying && row.http_status == 400;
  return Refusal(well_formed ? 422 : row.http_status, std::string(row.name), told(error));
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
  response.refused.push_back({refusal.status(), refusal.code(), refusal.what(), {}});
  if (refusal.status() == 503) response.headers.emplace_back("Retry-After", "1");
  if (refusal.status() == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace tarry::service
