// Who may ask for what. A request must bring a token with the route's scope. A service that runs without tokens
// answers this machine only, and nothing that another web page, or a proxy that says it is one, could have sent. Once
// there was a token, one is needed, also where none is left.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tarry/service/access/tokens.h"
#include "tarry/service/http/errors.h"

namespace tarry::service {

class Access {
 public:
  // `open`: without tokens, as somebody decided. `look` is called for a token that is not known, and may replace them.
  Access(bool open, Tokens tokens, std::function<void()> look = {});

  // Throws Refusal: 401 without a valid token, 403 where it may not.
  void check(const Request& request, Scope scope) const;
  // The model that the subscription key of a request to Personalizer's addresses selects; without tokens the key is its
  // name. Throws as check does.
  std::string model_for(const Request& request, Scope scope) const;
  void replace(Tokens tokens);  // from now on one of them is needed, also where there is none

 private:
  struct State {
    bool open = false;
    Tokens tokens;
  };
  std::shared_ptr<const State> state() const;
  struct Found {
    std::shared_ptr<const State> state;
    const Token* token = nullptr;  // of the state; null: not one of them
  };
  Found find(std::string_view given) const;
  void check_local(const Request& request) const;

  std::function<void()> look_;
  mutable std::mutex mutex_;
  std::shared_ptr<const State> state_;
};

// Of a Host header or an origin's host, with or without a port.
bool names_loopback(std::string_view host);

}  // namespace tarry::service
