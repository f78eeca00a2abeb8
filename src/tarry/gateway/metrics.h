// The text of a gateway's /metrics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/gateway/partitions.h"
#include "tarry/service/host/counters.h"
#include "tarry/service/http/http_server.h"

namespace tarry::gateway {

struct GatewayFacts {
  const service::Counters& counters;
  const service::HttpServer& http;
  std::vector<PartitionFacts> partitions;
  Waiting::Counts waiting;
  bool brokers_answer = false;
  bool ready = false;
};

std::string metrics_text(const GatewayFacts& facts);

}  // namespace tarry::gateway
