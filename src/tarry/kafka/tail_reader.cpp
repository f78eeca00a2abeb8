#include "tarry/kafka/tail_reader.h"

#include <fmt/format.h>

#include <atomic>
#include <set>

#include "tarry/base/error.h"
#include "tarry/kafka/handle.h"

namespace tarry::kafka {

struct TailReader::State {
  rd_kafka_t* handle = nullptr;
  std::string topic;
  std::set<int> not_begun;
  std::atomic<bool> began = false;

  ~State() {
    if (handle != nullptr) rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  }
};

TailReader::TailReader(const Brokers& brokers, const std::string& topic, int partitions)
    : state_(std::make_unique<State>()) {
  state_->topic = topic;
  state_->handle = open(RD_KAFKA_CONSUMER, configuration(brokers, {{"group.id", "tarry-reads-alone"},
                                                                   {"enable.auto.commit", "false"},
                                                                   {"enable.partition.eof", "true"},
                                                                   {"fetch.wait.max.ms", "100"},
                                                                   {"auto.offset.reset", "latest"}}));
  rd_kafka_poll_set_consumer(state_->handle);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(partitions);
  for (int partition = 0; partition < partitions; ++partition) {
    rd_kafka_topic_partition_list_add(list, topic.c_str(), partition)->offset = last_records(1);
    state_->not_begun.insert(partition);
  }
  const auto error = rd_kafka_assign(state_->handle, list);
  rd_kafka_topic_partition_list_destroy(list);
  if (error) throw Error(Code::kIo, fmt::format("kafka: {} cannot be read: {}", topic, rd_kafka_err2str(error)));
}

TailReader::~TailReader() = default;

bool TailReader::began() const { return state_->began; }

bool TailReader::poll(int wait_ms, const std::function<void(const Record&)>& visit) {
  const std::unique_ptr<rd_kafka_message_t, decltype(&rd_kafka_message_destroy)> m(
      rd_kafka_consumer_poll(state_->handle, wait_ms), rd_kafka_message_destroy);
  if (!m) return false;
  switch (m->err) {
    case RD_KAFKA_RESP_ERR_NO_ERROR:
      visit(record_of(*m));
      return true;
    case RD_KAFKA_RESP_ERR__PARTITION_EOF:
      state_->not_begun.erase(m->partition);
      if (state_->not_begun.empty()) state_->began = true;
      return true;
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
    case RD_KAFKA_RESP_ERR__FATAL:
      throw Error(Code::kIo,
                  fmt::format("kafka: {} cannot be read: {}", state_->topic, rd_kafka_message_errstr(m.get())));
    default:
      return false;  // it goes away
  }
}

}  // namespace tarry::kafka
