#include "tarry/kafka/handle.h"

#include <fmt/format.h>

#include "tarry/base/error.h"

namespace tarry::kafka {
namespace {

void be_quiet(const rd_kafka_t*, int, const char*, const char*) {}

}  // namespace

void fail(const std::string& why) { throw Error(Code::kIo, "kafka: " + why); }

rd_kafka_conf_t* configuration(const Brokers& brokers, const Settings& ours) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const auto set = [&](const std::string& key, const std::string& value) {
    char why[512];
    if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), why, sizeof why) == RD_KAFKA_CONF_OK) return;
    rd_kafka_conf_destroy(conf);
    throw Error(Code::kBadInput, fmt::format("kafka: {}", why));
  };
  rd_kafka_conf_set_log_cb(conf, be_quiet);
  set("bootstrap.servers", brokers.addresses);
  set("socket.nagle.disable", "true");
  set("reconnect.backoff.max.ms", "1000");
  for (const auto& [key, value] : brokers.settings) set(key, value);
  for (const auto& [key, value] : ours) set(key, value);
  return conf;
}

rd_kafka_t* open(rd_kafka_type_t type, rd_kafka_conf_t* conf) {
  char why[512];
  rd_kafka_t* handle = rd_kafka_new(type, conf, why, sizeof why);
  if (handle == nullptr) {
    rd_kafka_conf_destroy(conf);
    throw Error(Code::kBadInput, fmt::format("kafka: {}", why));
  }
  return handle;
}

// One request in flight: with more of them Debian's client gives up when all brokers stop at once.
Settings producer_settings() {
  return {{"acks", "all"},
          {"enable.idempotence", "true"},
          {"max.in.flight.requests.per.connection", "1"},
          {"retries", "2147483647"},
          {"message.timeout.ms", "0"},
          {"request.timeout.ms", "10000"},
          {"socket.timeout.ms", "15000"},
          {"linger.ms", "1"},
          {"queue.buffering.max.messages", "200000"},
          {"queue.buffering.max.kbytes", "262144"}};
}

Record record_of(const rd_kafka_message_t& m) {
  Record record{.partition = m.partition, .offset = m.offset, .at_ms = rd_kafka_message_timestamp(&m, nullptr)};
  if (m.key != nullptr) record.key = {static_cast<const char*>(m.key), m.key_len};
  if (m.payload != nullptr) record.value = std::string_view{static_cast<const char*>(m.payload), m.len};
  return record;
}

Metadata metadata_of(rd_kafka_t* handle, const std::string& topic) {
  const Owned<rd_kafka_topic_t, rd_kafka_topic_destroy> named(rd_kafka_topic_new(handle, topic.c_str(), nullptr));
  const rd_kafka_metadata_t* metadata = nullptr;
  if (const auto error = rd_kafka_metadata(handle, 0, named.get(), &metadata, kAnswerMs))
    fail(fmt::format("no broker answers about {}: {}", topic, rd_kafka_err2str(error)));
  return Metadata(metadata);
}

std::string client_version() { return rd_kafka_version_str(); }

}  // namespace tarry::kafka
