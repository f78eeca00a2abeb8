#include "tarry/kafka/sender.h"

#include <fmt/format.h>

#include "tarry/kafka/handle.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-statement-expression-from-macro-expansion"
#endif

namespace tarry::kafka {

int partition_of(std::string_view key, int partitions) {
  return rd_kafka_msg_partitioner_murmur2(nullptr, key.data(), key.size(), partitions, nullptr, nullptr);
}

struct Sender::State {
  rd_kafka_t* handle = nullptr;
  std::function<void(const Delivery&)> delivered;

  ~State() {
    if (handle == nullptr) return;
    rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    delivered = {};
    rd_kafka_poll(handle, 0);
    rd_kafka_destroy(handle);
  }

  static Delivery refused(std::uint64_t id, rd_kafka_resp_err_t error) {
    return {.id = id, .refused = rd_kafka_err2str(error), .too_large = error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE};
  }

  static void on_delivery(rd_kafka_t*, const rd_kafka_message_t* m, void* opaque) {
    auto& state = *static_cast<State*>(opaque);
    if (!state.delivered) return;
    const auto id = reinterpret_cast<std::uintptr_t>(m->_private);
    state.delivered(m->err ? refused(id, m->err) : Delivery{.id = id, .offset = m->offset});
  }
};

Sender::Sender(const Brokers& brokers, std::function<void(const Delivery&)> delivered)
    : state_(std::make_unique<State>()) {
  state_->delivered = std::move(delivered);
  Settings settings = producer_settings();
  settings.emplace_back("linger.ms", "0");  // somebody waits; what comes while one request is on its way goes together
  rd_kafka_conf_t* conf = configuration(brokers, settings);
  rd_kafka_conf_set_dr_msg_cb(conf, State::on_delivery);
  rd_kafka_conf_set_opaque(conf, state_.get());
  state_->handle = open(RD_KAFKA_PRODUCER, conf);
}

Sender::~Sender() = default;

std::optional<Delivery> Sender::send(const std::string& topic, int partition, std::string_view key,
                                     std::string_view value, std::uint64_t id) {
  const rd_kafka_resp_err_t error = rd_kafka_producev(
      state_->handle, RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(partition),
      RD_KAFKA_V_KEY(key.data(), key.size()), RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()),
      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE(reinterpret_cast<void*>(std::uintptr_t{id})),
      RD_KAFKA_V_END);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return std::nullopt;
  return State::refused(id, error);
}

void Sender::poll(int wait_ms) { rd_kafka_poll(state_->handle, wait_ms); }

}  // namespace tarry::kafka
