// The text of /metrics, in Prometheus' format.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "tarry/service/http/http_server.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

class MetricsPage {
 public:
  void head(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(out_), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  }
  template <class T>
  void row(std::string_view name, std::string_view labels, T value) {
    if (labels.empty())
      fmt::format_to(std::back_inserter(out_), "{} {}\n", name, value);
    else
      fmt::format_to(std::back_inserter(out_), "{}{{{}}} {}\n", name, labels, value);
  }
  template <class T>
  void one(std::string_view name, std::string_view type, std::string_view help, T value) {
    head(name, type, help);
    row(name, "", value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

inline constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

// What every host has.
void add_requests(MetricsPage& page, const Counters& counters);
void add_events(MetricsPage& page, const Counters& counters);
void add_http(MetricsPage& page, const HttpServer& http);

std::string metrics_text(Service& service, const HttpServer& http);

}  // namespace tarry::service
