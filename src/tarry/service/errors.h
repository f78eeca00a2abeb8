// Errors as clients see them: {"error": {"status": 409, "code": "conflict", "message": "…", "key"?: "…"}}.
#pragma once

#include <stdexcept>
#include <string>

#include "tarry/base/error.h"
#include "tarry/service/http.h"

namespace tarry::service {

// Something that ends a request with this status.
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

// What clients are told where the log has no room.
inline constexpr std::string_view kDiskFull = "the disk is full";
inline constexpr std::string_view kNoDescriptor = "the server has too many files open";

// The error table's status for what was wrong with a request's form. What its form allowed but the model refused
// (`applying`) is 422 where the table has 400. What the system says of files is for the server's log alone.
Refusal refusal_of(const Error& error, bool applying);

std::string error_json(const Refusal& refusal);
Response error_response(const Refusal& refusal);

// Runs `f` and gives the refusal of whatever it throws as a response; out of memory too.
template <class F>
Response or_refusal(bool applying, F f) {
  try {
    return f();
  } catch (const Refusal& refusal) {
    return error_response(refusal);
  } catch (const Error& error) {
    return error_response(refusal_of(error, applying));
  } catch (const std::bad_alloc&) {
    return error_response(refusal_of(Error(Code::kOutOfMemory, "not enough memory"), applying));
  } catch (const std::length_error&) {
    return error_response(refusal_of(Error(Code::kOutOfMemory, "not enough memory"), applying));
  } catch (const std::exception& error) {
    return error_response(refusal_of(Error(Code::kInternal, error.what()), applying));
  }
}

}  // namespace tarry::service
