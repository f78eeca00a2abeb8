// What is behind an address: who may come in, what the body must be, and what is done then.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/service/http/errors.h"
#include "tarry/service/routes/routes.h"

namespace tarry::service {

struct Routes::Door {
  enum class Body { kNone, kJson, kBytes, kTable };
  std::optional<Scope> scope;  // nothing: open to everyone
  Body body = Body::kNone;
  std::function<void(const Request&, const Respond&)> enter;
  bool by_key = false;  // a subscription key is asked for, which selects the model: `enter` looks at it
};

struct NotAllowed : Refusal {
  explicit NotAllowed(const std::string& takes)
      : Refusal(405, "method_not_allowed", "this address takes " + takes), methods(takes) {}
  std::string methods;
};

inline void allow(const Request& request, std::initializer_list<std::string_view> methods) {
  if (std::find(methods.begin(), methods.end(), request.method) != methods.end()) return;
  std::string all;
  for (const std::string_view method : methods) all += (all.empty() ? "" : ", ") + std::string(method);
  throw NotAllowed(all);
}

inline Refusal no_such_address() {
  return Refusal(404, "no_such_address", "there is nothing at this address: see /openapi.json");
}

}  // namespace tarry::service
