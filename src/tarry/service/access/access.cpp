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

void Access::check(const Request& request, Scope scope) const {
  std::shared_ptr<const State> state = this->state();
  const std::string_view given = bearer(request);
  const Token* token = state->tokens.find(given);
  if (token == nullptr && !given.empty() && look_) {  // it may have been made a moment ago
    look_();
    state = this->state();
    token = state->tokens.find(given);
  }
  if (state->open) return check_local(request);
  if (token == nullptr)
    throw Refusal(401, "unauthorized", "a valid token is needed: Authorization: Bearer TOKEN", "Authorization");
  if (!token->may(scope)) throw Refusal(403, "forbidden", fmt::format("this token lacks the scope {}", name_of(scope)));
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
