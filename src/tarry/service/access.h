// Who may ask for what. With tokens, a request must bring one with the route's scope. Without, only a service on a
// loopback address answers, and only what other web pages and proxies cannot have sent.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tarry/service/errors.h"
#include "tarry/service/tokens.h"

namespace tarry::service {

class Access {
 public:
  Access(bool loopback, Tokens tokens);

  // Throws Refusal: 401 without a valid token, 403 where it may not.
  void check(const Request& request, Scope scope) const;
  void replace(Tokens tokens);

 private:
  void check_local(const Request& request) const;

  bool loopback_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Tokens> tokens_;
};

// Of a Host header or an origin's host, with or without a port.
bool names_loopback(std::string_view host);

}  // namespace tarry::service
