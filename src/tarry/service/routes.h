// Addresses to calls: every route with its method, its scope and its body.
#pragma once

#include <functional>
#include <string>

#include "tarry/service/access.h"
#include "tarry/service/service.h"

namespace tarry::service {

struct RoutesSetting {
  std::function<std::string()> metrics;  // the text of /metrics
  std::function<bool()> ready;           // for /readyz
  // After each answer, where it is set.
  std::function<void(const std::string& method, const std::string& path, int status, double seconds)> seen;
};

class Routes {
 public:
  Routes(Service& service, Access& access, RoutesSetting setting);

  void handle(Request request, Reply reply);

 private:
  void route(const Request& request, const Reply& reply);
  void route_model(const Request& request, const std::string& name, const std::string& rest, const Reply& reply);
  void check_json(const Request& request) const;

  Service& service_;
  Access& access_;
  RoutesSetting setting_;
};

}  // namespace tarry::service
