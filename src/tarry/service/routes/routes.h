// Addresses to calls: every route with its method, its scope and its body.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tarry/service/access/access.h"
#include "tarry/service/host/host.h"
#include "tarry/service/http/http.h"

namespace tarry::service {

struct Page {                  // something to GET
  std::optional<Scope> scope;  // nothing: for everyone
  std::function<Response(const Request&)> get;
};

struct RoutesSetting {
  std::function<std::optional<std::string>()> not_ready = {};  // for /readyz: why; nothing: it is
  std::map<std::string, Page> pages = {};                      // by address, beside the models
  // POST /v1/models?from=csv; empty: tables are not read here.
  std::function<void(const Request& request, const Respond& respond)> from_table = {};
  // After each answer, where they are set.
  std::function<void(const std::string& method, const std::string& path, int status, double seconds)> seen = {};
  std::function<void(const std::string& path, const Response& response)> answered = {};
};

class Routes {
 public:
  Routes(Host& host, Access& access, RoutesSetting setting);

  // Once the headers are in: whether it is for an address that is there, from somebody who may.
  Admission admit(const Request& head);
  void handle(Request request, Respond respond);  // once the body is in

 private:
  using Clock = std::chrono::steady_clock;
  struct Door;
  Door door_of(const Request& request) const;
  Door model_door(const Request& request, const std::string& name, const std::string& rest) const;
  Door challenger_door(const Request& request, const std::string& name, const std::string& challenger) const;
  Door personalizer_door(const Request& request) const;
  void count(const std::string& method, const std::string& path, const Response& response, Clock::time_point start);

  Host& host_;
  Access& access_;
  RoutesSetting setting_;
};

}  // namespace tarry::service
