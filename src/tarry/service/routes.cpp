#include "tarry/service/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "tarry/service/bodies.h"
#include "tarry/service/names.h"
#include "tarry/service/spec_rules.h"

namespace tarry::service {
namespace {

constexpr std::string_view kModels = "/v1/models";

// Throws what a method that is not allowed is answered with.
void allow(const Request& request, std::initializer_list<std::string_view> methods) {
  if (std::find(methods.begin(), methods.end(), request.method) != methods.end()) return;
  throw Refusal(405, "method_not_allowed", fmt::format("this address takes {}", fmt::join(methods, ", ")));
}

Refusal no_such_address() {
  return Refusal(404, "no_such_address", "there is nothing at this address: see /openapi.json");
}

// For 405 the standard wants the methods in a header too.
Response with_allow(Response response, const Refusal& refusal) {
  constexpr std::string_view kTakes = "this address takes ";
  const std::string_view message = refusal.what();
  if (refusal.status() == 405) response.headers.emplace_back("Allow", message.substr(kTakes.size()));
  return response;
}

}  // namespace

Routes::Routes(Host& host, Access& access, RoutesSetting setting)
    : host_(host), access_(access), setting_(std::move(setting)) {}

void Routes::handle(Request request, Reply reply) {
  const auto start = std::chrono::steady_clock::now();
  const Reply counted = [this, method = request.method, path = request.path, start,
                         reply = std::move(reply)](Response response) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    host_.counters().answered(response.status, seconds);
    if (setting_.answered) setting_.answered(path, response);
    if (setting_.seen) setting_.seen(method, path, response.status, seconds);
    reply(std::move(response));
  };
  try {
    route(request, counted);
  } catch (const Refusal& refusal) {
    counted(with_allow(error_response(refusal), refusal));
  } catch (const std::exception&) {
    counted(or_refusal(false, []() -> Response { throw; }));
  }
}

// A web page of another origin can post forms and text without asking first, but not this.
void Routes::check_json(const Request& request) const {
  std::string type = request.content_type.substr(0, request.content_type.find(';'));
  type.erase(std::remove(type.begin(), type.end(), ' '), type.end());
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (type != "application/json")
    throw Refusal(415, "unsupported_media_type", "Content-Type must be application/json", "Content-Type");
}

void Routes::route(const Request& request, const Reply& reply) {
  const std::string& path = request.path;
  if (const auto page = setting_.pages.find(path); page != setting_.pages.end()) {
    allow(request, {"GET"});
    if (page->second.scope) access_.check(request, *page->second.scope);
    return reply(page->second.get(request));
  }
  if (path == "/healthz") {
    allow(request, {"GET"});
    return reply({.body = "{\"status\": \"alive\"}"});
  }
  if (path == "/readyz") {
    allow(request, {"GET"});
    if (const auto why = setting_.not_ready()) throw Refusal(503, "not_ready", *why);
    return reply({.body = "{\"status\": \"ready\"}"});
  }
  if (path == "/v1/feedback") {
    allow(request, {"POST"});
    access_.check(request, Scope::kFeedback);
    check_json(request);
    return host_.feedback(read_feedback(request, host_), reply);
  }
  if (path == kModels) {
    allow(request, {"GET"});
    access_.check(request, Scope::kRead);
    return host_.list(reply);
  }
  if (!path.starts_with(kModels) || path[kModels.size()] != '/') throw no_such_address();
  const std::string rest = path.substr(kModels.size() + 1);
  const auto slash = rest.find('/');
  route_model(request, rest.substr(0, slash), slash == std::string::npos ? "" : rest.substr(slash), reply);
}

void Routes::route_model(const Request& request, const std::string& name, const std::string& rest, const Reply& reply) {
  if (rest.empty()) {
    allow(request, {"PUT", "GET", "DELETE"});
    access_.check(request, request.method == "GET" ? Scope::kRead : Scope::kAdmin);
    if (request.method == "GET") return host_.describe(name, reply);
    if (request.method == "DELETE") return host_.remove(name, reply);
    check_json(request);
    return host_.create(name, read_body(request), reply);
  }
  if (rest == "/decisions") {
    allow(request, {"POST"});
    access_.check(request, Scope::kDecide);
    check_json(request);
    return host_.decide(name, read_decide(request, host_.limits()), reply);
  }
  if (rest == "/predict") {
    allow(request, {"POST"});
    access_.check(request, Scope::kDecide);
    check_json(request);
    PredictRequest predict = read_predict(request, host_.limits());
    return host_.predict(name, std::move(predict.features), predict.batch, reply);
  }
  if (rest == "/view") {
    allow(request, {"GET"});
    access_.check(request, Scope::kRead);
    return host_.view(name, reply);
  }
  if (rest == "/snapshot") {
    allow(request, {"GET", "PUT"});
    access_.check(request, Scope::kAdmin);
    if (request.method == "PUT") return host_.create_from(name, request.body, reply);
    return host_.snapshot_of(name, reply);
  }
  throw no_such_address();
}

}  // namespace tarry::service
