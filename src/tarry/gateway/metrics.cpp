#include "tarry/gateway/metrics.h"

#include "tarry/service/dashboard/metrics.h"

namespace tarry::gateway {
namespace {

template <class F>
void add(service::MetricsPage& page, const GatewayFacts& facts, const char* name, const char* type, const char* help,
         F value) {
  page.head(name, type, help);
  for (const PartitionFacts& one : facts.partitions)
    if (const Offset x = value(one); x >= 0) page.row(name, fmt::format("partition=\"{}\"", one.partition), x);
}

// Names of members come from outside: what a label must not hold is left out.
std::string label(std::string text) {
  std::erase_if(text, [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; });
  return text;
}

}  // namespace

std::string metrics_text(const GatewayFacts& facts) {
  service::MetricsPage page;
  add_requests(page, facts.counters);
  add_events(page, facts.counters);
  page.one("tarry_overloaded_total", "counter", "Requests refused because too many waited for Kafka.",
           facts.counters.overloaded.load());
  add_http(page, facts.http);
  page.one("tarry_gateway_ready", "gauge", "1 while outcomes are read and brokers answer.", facts.ready ? 1 : 0);
  page.one("tarry_gateway_brokers_answer", "gauge", "1 while brokers answer.", facts.brokers_answer ? 1 : 0);
  page.one("tarry_gateway_waiting", "gauge", "Events whose outcome a client is waiting for.", facts.waiting.waiting);
  page.one("tarry_gateway_unacknowledged", "gauge", "Events that Kafka has not acknowledged yet.",
           facts.waiting.unacknowledged);
  add(page, facts, "tarry_partition_events", "gauge", "The end of a partition's events.",
      [](const PartitionFacts& one) { return one.events; });
  add(page, facts, "tarry_partition_answered", "gauge", "Events up to the latest one with an outcome.",
      [](const PartitionFacts& one) { return one.answered + 1; });
  add(page, facts, "tarry_partition_lag", "gauge", "Events without an outcome.",
      [](const PartitionFacts& one) { return one.lag; });
  add(page, facts, "tarry_partition_takeovers_total", "counter", "Changes of owner that this gateway saw.",
      [](const PartitionFacts& one) { return static_cast<Offset>(one.takeovers); });
  page.head("tarry_partition_owner", "gauge", "1 for the worker that owns a partition.");
  for (const PartitionFacts& one : facts.partitions)
    if (!one.owner.name.empty())
      page.row("tarry_partition_owner",
               fmt::format("partition=\"{}\",owner=\"{}\",host=\"{}\"", one.partition, label(one.owner.name),
                           label(one.owner.host)),
               1);
  return page.take();
}

}  // namespace tarry::gateway
