// What HTTP itself refuses (tokens, methods, headers, sizes), and the form of every error:
// {"error": {"status": 409, "code": "conflict", "message": "…", "key"?: "…"}}.
#pragma once

#include <stdexcept>
#include <string>

#include "tarry/service/http/http.h"

namespace tarry::service {

// Something that ends a request with this status, whatever host is behind the routes.
class Refusal : public std::runtime_error {
 public:
  Refusal(int status, std::string code, const std::string& message, std::string key = {})
      : std::runtime_error(message), status_(status), code_(std::move(code)), key_(std::move(key)) {}

  int status() const { return status_; }
  const std::string& code() const { return code_; }
  const std::string& key() const { return key_; }

 private:
  int status_;
  std::string code_;
  std::string key_;
};

Response error_response(const Refusal& refusal);

}  // namespace tarry::service
