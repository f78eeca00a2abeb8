#include "tarry/service/access/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tarry/service/http/http_server.h"

namespace tarry::service {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

Refusal forbidden(const std::string& why) {
  return Refusal(403, "forbidden", why + " (this service runs without tokens, for this machine alone)");
}

void check_scope(const Token& token, Scope scope) {
  if (!token.may(scope)) throw Refusal(403, "forbidden", fmt::format("this token lacks the scope {}", name_of(scope)));
}

// The token that a request brings, if it is in the right form.
std::string_view bearer(const Request& request) {
  constexpr std::string_view kBearer = "bearer ";
  const std::string_view given = request.authorization;
  return lower(given.substr(0, kBearer.size())) == kBearer ? given.substr(kBearer.size()) : std::string_view();
}

}  // namespace

bool names_loopback(std::string_view host) {
  const std::string name = lower(host);
  const bool v6 = name.starts_with('[');
  const auto end = name.find(v6 ? ']' : ':');
  if (v6 && end == std::string::npos) return false;
  const std::string address = v6 ? name.substr(1, end - 1) : name.substr(0, end);
  const std::string port = end == std::string::npos ? "" : name.substr(v6 ? end + 1 : end);
  // [::1].example.org is another host.
  if (!port.empty() && (port[0] != ':' || port.find_first_not_of("0123456789", 1) != std::string::npos)) return false;
  if (v6) return address.find(':') != std::string::npos && is_loopback(address);
  return address == "localhost" || is_loopback(address);
}

Access::Access(bool open, Tokens tokens, std::function<void()> look)
    : look_(std::move(look)), state_(std::make_shared<const State>(State{open, std::move(tokens)})) {}

void Access::replace(Tokens tokens) {
  auto next = std::make_shared<const State>(State{false, std::move(tokens)});
  const std::lock_guard lock(mutex_);
  state_ = std::move(next);
}

std::shared_ptr<const Access::State> Access::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Access::Found Access::find(std::string_view given) const {
  Found found{.state = state()};
  found.token = found.state->tokens.find(given);
  if (found.token != nullptr || given.empty() || !look_) return found;
  look_();  // it may have been made a moment ago
  found.state = state();
  found.token = found.state->tokens.find(given);
  return found;
}

void Access::check(const Request& request, Scope scope) const {
  const auto [state, token] = find(bearer(request));
  if (state->open) return check_local(request);
  if (token == nullptr)
    throw Refusal(401, "unauthorized", "a valid token is needed: Authorization: Bearer TOKEN", "Authorization");
  if (!token->model.empty())
    throw Refusal(
        403, "forbidden",
        fmt::format("this token selects the model {} at Personalizer's addresses, and is good for these alone",
                    token->model));
  check_scope(*token, scope);
}

std::string Access::model_for(const Request& request, Scope scope) const {
  const auto [state, token] = find(request.subscription_key);
  if (state->open) check_local(request);
  if (state->open ? request.subscription_key.empty() : token == nullptr)
    throw Refusal(401, "unauthorized",
                  fmt::format("a valid subscription key is needed: {}: TOKEN, as tarry token add NAME --model MODEL "
                              "makes them",
                              kSubscriptionKey),
                  std::string(kSubscriptionKey));
  if (state->open) return request.subscription_key;
  if (token->model.empty())
    throw Refusal(403, "forbidden", "this token selects no model: make one with tarry token add NAME --model MODEL",
                  std::string(kSubscriptionKey));
  check_scope(*token, scope);
  return token->model;
}

void Access::check_local(const Request& request) const {
  if (!names_loopback(request.host)) throw forbidden("Host must be a loopback address");
  if (request.forwarded) throw forbidden("a request that a proxy passed on is not taken");
  if (request.origin.empty()) return;
  const auto host = request.origin.find("://");
  if (host == std::string::npos || !names_loopback(std::string_view(request.origin).substr(host + 3)))
    throw forbidden("Origin must be a loopback address");
}

}  // namespace tarry::service
