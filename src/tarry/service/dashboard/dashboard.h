// The dashboard's side of the service: its page, the stream that feeds it, and what it hears of requests.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tarry/base/embedded_page.h"
#include "tarry/service/http/http.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

// A page that loads nothing, as an answer.
Response page_response(const EmbeddedPage& page, const Request& request);

class Dashboard {
 public:
  // `store_bytes`: what the store takes on the disk.
  Dashboard(Service& service, std::function<double()> store_bytes);

  static Response page(const Request& request);
  // ?range=10m|3h|24h&model=NAME. Throws Refusal.
  Response live(const Request& request);
  // After each answer.
  void answered(const std::string& path, const Response& response);
  // Once a second: what waits, and how the disk does.
  void tick();

 private:
  Service& service_;
  std::function<double()> store_bytes_;
  std::int64_t started_ms_;
  std::shared_ptr<std::atomic<int>> streams_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace tarry::service
