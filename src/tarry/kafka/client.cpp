#include "tarry/kafka/client.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <exception>

#include "tarry/base/error.h"
#include "tarry/kafka/handles.h"

// RD_KAFKA_V_… are written as GNU's statement expressions.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-statement-expression-from-macro-expansion"
#endif

namespace tarry::kafka {
namespace {

constexpr int kAnswerMs = 10'000;

[[noreturn]] void fail(const std::string& why) { throw Error(Code::kIo, "kafka: " + why); }

template <auto Destroy>
struct Destroyer {
  template <class T>
  void operator()(T* it) const {
    Destroy(it);
  }
};
template <class T, auto Destroy>
using Owned = std::unique_ptr<T, Destroyer<Destroy>>;

// Without a word to a group: it is in none, or must not be asked any more.
void destroy_handle(rd_kafka_t* handle) { rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE); }

using Handle = Owned<rd_kafka_t, destroy_handle>;
using Message = Owned<rd_kafka_message_t, rd_kafka_message_destroy>;
using Partitions = Owned<rd_kafka_topic_partition_list_t, rd_kafka_topic_partition_list_destroy>;
using ErrorPointer = Owned<rd_kafka_error_t, rd_kafka_error_destroy>;
using Queue = Owned<rd_kafka_queue_t, rd_kafka_queue_destroy>;
using KafkaEvent = Owned<rd_kafka_event_t, rd_kafka_event_destroy>;

void be_quiet(const rd_kafka_t*, int, const char*, const char*) {}

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
  for (const auto& [key, value] : ours) set(key, value);  // last: promises rest on them
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

Record record_of(const rd_kafka_message_t& m) {
  Record record{.partition = m.partition, .offset = m.offset, .at_ms = rd_kafka_message_timestamp(&m, nullptr)};
  if (m.key != nullptr) record.key = {static_cast<const char*>(m.key), m.key_len};
  if (m.payload != nullptr) record.value = std::string_view{static_cast<const char*>(m.payload), m.len};
  return record;
}

using Metadata = Owned<const rd_kafka_metadata_t, rd_kafka_metadata_destroy>;

Metadata metadata_of(rd_kafka_t* handle, const std::string& topic) {
  const Owned<rd_kafka_topic_t, rd_kafka_topic_destroy> named(rd_kafka_topic_new(handle, topic.c_str(), nullptr));
  const rd_kafka_metadata_t* metadata = nullptr;
  if (const auto error = rd_kafka_metadata(handle, 0, named.get(), &metadata, kAnswerMs))
    fail(fmt::format("no broker answers about {}: {}", topic, rd_kafka_err2str(error)));
  return Metadata(metadata);
}

}  // namespace

std::string client_version() { return rd_kafka_version_str(); }

// ---- what the other files on the client need

rd_kafka_conf_s* make_configuration(const Brokers& brokers, const Settings& ours) {
  return configuration(brokers, ours);
}
rd_kafka_s* open_producer(rd_kafka_conf_s* configuration) { return open(RD_KAFKA_PRODUCER, configuration); }
rd_kafka_s* open_consumer(rd_kafka_conf_s* configuration) { return open(RD_KAFKA_CONSUMER, configuration); }
Record record_in(const rd_kafka_message_s& message) { return record_of(message); }

Settings producer_settings() {
  return {{"acks", "all"},
          {"enable.idempotence", "false"},
          {"max.in.flight.requests.per.connection", "1"},
          {"retries", "2147483647"},
          {"message.timeout.ms", "0"},
          {"linger.ms", "1"},
          {"partitioner", "murmur2_random"},
          {"queue.buffering.max.messages", "200000"},
          {"queue.buffering.max.kbytes", "262144"}};
}

// ---- producer

struct Producer::State {
  Handle handle;
  std::string failure;  // of the first record that was not delivered

  static void delivered(rd_kafka_t*, const rd_kafka_message_t* m, void* opaque) {
    auto& state = *static_cast<State*>(opaque);
    if (m->err != RD_KAFKA_RESP_ERR_NO_ERROR && state.failure.empty())
      state.failure =
          fmt::format("a record for {} was not delivered: {}", rd_kafka_topic_name(m->rkt), rd_kafka_err2str(m->err));
  }
};

Producer::Producer(const Brokers& brokers) : state_(std::make_unique<State>()) {
  rd_kafka_conf_t* conf = configuration(brokers, producer_settings());
  rd_kafka_conf_set_dr_msg_cb(conf, State::delivered);
  rd_kafka_conf_set_opaque(conf, state_.get());
  state_->handle.reset(open(RD_KAFKA_PRODUCER, conf));
}

Producer::~Producer() {
  rd_kafka_purge(state_->handle.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  rd_kafka_poll(state_->handle.get(), 0);
}

void Producer::poll() {
  rd_kafka_poll(state_->handle.get(), 0);
  if (!state_->failure.empty()) fail(state_->failure);
}

void Producer::send(const std::string& topic, int partition, std::string_view key,
                    std::optional<std::string_view> value) {
  void* bytes = value ? const_cast<char*>(value->data()) : nullptr;  // they are copied
  const std::size_t size = value ? value->size() : 0;
  for (;;) {
    const rd_kafka_resp_err_t error =
        rd_kafka_producev(state_->handle.get(), RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(partition),
                          RD_KAFKA_V_KEY(key.data(), key.size()), RD_KAFKA_V_VALUE(bytes, size),
                          RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_END);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL)
      fail(fmt::format("a record for {} cannot be sent: {}", topic, rd_kafka_err2str(error)));
    rd_kafka_poll(state_->handle.get(), 50);
    if (!state_->failure.empty()) fail(state_->failure);
  }
}

void Producer::flush(const std::function<bool()>& stop) {
  while (rd_kafka_flush(state_->handle.get(), 200) == RD_KAFKA_RESP_ERR__TIMED_OUT) {
    if (!state_->failure.empty() || (stop && stop())) break;
  }
  if (!state_->failure.empty()) fail(state_->failure);
}

// ---- reader of one partition

Offset read_to_end(const Brokers& brokers, const std::string& topic, int partition, Offset from,
                   const std::function<void(const Record&)>& visit) {
  const Handle consumer(open(RD_KAFKA_CONSUMER, configuration(brokers, {{"group.id", "tarry-reads-alone"},
                                                                        {"enable.auto.commit", "false"},
                                                                        {"enable.partition.eof", "true"},
                                                                        {"fetch.wait.max.ms", "5"},
                                                                        {"auto.offset.reset", "earliest"}})));
  rd_kafka_poll_set_consumer(consumer.get());
  metadata_of(consumer.get(),
              topic);  // who leads must be known, or the client waits half a second before it asks again
  const Partitions list(rd_kafka_topic_partition_list_new(1));
  rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset = from;
  if (const auto error = rd_kafka_assign(consumer.get(), list.get())) fail(rd_kafka_err2str(error));
  for (;;) {
    const Message m(rd_kafka_consumer_poll(consumer.get(), kAnswerMs));
    const auto error = m ? m->err : RD_KAFKA_RESP_ERR__TIMED_OUT;
    if (error == RD_KAFKA_RESP_ERR__PARTITION_EOF) return m->offset;
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR)
      visit(record_of(*m));
    else if (error != RD_KAFKA_RESP_ERR__TRANSPORT && error != RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION)
      fail(fmt::format("{} of {} cannot be read: {}", partition, topic, rd_kafka_err2str(error)));
  }
}

// ---- member of a group

struct GroupConsumer::State {
  rd_kafka_t* handle = nullptr;
  GroupSetting setting;
  std::exception_ptr thrown;  // by a callback: it must not cross the client's frames
  bool closed = false;

  ~State() {
    if (handle != nullptr) rd_kafka_destroy_flags(handle, closed ? 0 : RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  }

  static void rebalanced(rd_kafka_t* handle, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t* list,
                         void* opaque) {
    auto& state = *static_cast<State*>(opaque);
    std::vector<int> partitions;
    for (int i = 0; i < list->cnt; ++i) partitions.push_back(list->elems[i].partition);
    const bool lost = rd_kafka_assignment_lost(handle) != 0;
    try {
      if (what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        const std::vector<Offset> from = state.setting.assigned(partitions);
        for (int i = 0; i < list->cnt; ++i) list->elems[i].offset = from.at(static_cast<std::size_t>(i));
        ErrorPointer error(rd_kafka_incremental_assign(handle, list));
        if (error) fail(rd_kafka_error_string(error.get()));
      } else {
        state.setting.revoked(partitions, lost);
        ErrorPointer error(rd_kafka_incremental_unassign(handle, list));
      }
    } catch (...) {
      state.thrown = std::current_exception();
    }
  }
};

GroupConsumer::GroupConsumer(const Brokers& brokers, GroupSetting setting) : state_(std::make_unique<State>()) {
  Settings ours{{"group.id", setting.group},
                {"partition.assignment.strategy", "cooperative-sticky"},
                {"enable.auto.commit", "false"},
                {"session.timeout.ms", std::to_string(setting.session_ms)},
                {"heartbeat.interval.ms", std::to_string(std::min(3000, setting.session_ms / 6))},
                {"auto.offset.reset", "error"},  // what is gone must not be stepped over in silence
                {"fetch.wait.max.ms", "100"}};
  if (!setting.instance.empty()) ours.emplace_back("group.instance.id", setting.instance);
  state_->setting = std::move(setting);
  rd_kafka_conf_t* conf = configuration(brokers, ours);
  rd_kafka_conf_set_rebalance_cb(conf, State::rebalanced);
  rd_kafka_conf_set_opaque(conf, state_.get());
  state_->handle = open(RD_KAFKA_CONSUMER, conf);
  rd_kafka_poll_set_consumer(state_->handle);
  const Partitions list(rd_kafka_topic_partition_list_new(1));
  rd_kafka_topic_partition_list_add(list.get(), state_->setting.topic.c_str(), RD_KAFKA_PARTITION_UA);
  if (const auto error = rd_kafka_subscribe(state_->handle, list.get())) fail(rd_kafka_err2str(error));
}

GroupConsumer::~GroupConsumer() = default;

bool GroupConsumer::poll(int wait_ms, const std::function<void(const Record&)>& visit) {
  const Message m(rd_kafka_consumer_poll(state_->handle, wait_ms));
  if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
  if (!m) return false;
  if (m->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    visit(record_of(*m));
    return true;
  }
  switch (m->err) {
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
      fail(fmt::format("partition {} of {} no longer has the events that its models go on from: {}", m->partition,
                       state_->setting.topic, rd_kafka_message_errstr(m.get())));
    case RD_KAFKA_RESP_ERR__FATAL: {
      char why[512];
      const auto code = rd_kafka_fatal_error(state_->handle, why, sizeof why);
      fail(fmt::format("{}: {}", rd_kafka_err2name(code), why));
    }
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
      fail(rd_kafka_message_errstr(m.get()));
    default:
      return false;  // it goes away, or a rebalance follows
  }
}

Offset GroupConsumer::end(int partition) const {
  std::int64_t low = -1, high = -1;
  const auto error =
      rd_kafka_get_watermark_offsets(state_->handle, state_->setting.topic.c_str(), partition, &low, &high);
  return error ? -1 : std::max<Offset>(high, -1);
}

void GroupConsumer::commit(const std::map<int, Offset>& next) {
  if (next.empty()) return;
  const Partitions list(rd_kafka_topic_partition_list_new(static_cast<int>(next.size())));
  for (const auto& [partition, offset] : next)
    rd_kafka_topic_partition_list_add(list.get(), state_->setting.topic.c_str(), partition)->offset = offset;
  rd_kafka_commit(state_->handle, list.get(), 1);
}

void GroupConsumer::close() {
  rd_kafka_consumer_close(state_->handle);
  state_->closed = true;
  if (state_->thrown) std::rethrow_exception(std::exchange(state_->thrown, nullptr));
}

// ---- topics

namespace {

KafkaEvent ask_config(rd_kafka_t* handle, const std::string& topic) {
  const Queue queue(rd_kafka_queue_new(handle));
  rd_kafka_ConfigResource_t* resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str());
  rd_kafka_DescribeConfigs(handle, &resource, 1, nullptr, queue.get());
  rd_kafka_ConfigResource_destroy(resource);
  return KafkaEvent(rd_kafka_queue_poll(queue.get(), kAnswerMs));
}

std::map<std::string, std::string> config_of(rd_kafka_t* handle, const std::string& topic) {
  constexpr int kTries = 3;  // one may go to a broker that has just died
  KafkaEvent event;
  const rd_kafka_DescribeConfigs_result_t* result = nullptr;
  for (int i = 0; i < kTries && result == nullptr; ++i) {
    event = ask_config(handle, topic);
    if (event && !rd_kafka_event_error(event.get())) result = rd_kafka_event_DescribeConfigs_result(event.get());
  }
  if (result == nullptr)
    fail(fmt::format("how {} is configured is not known: {}", topic,
                     event ? rd_kafka_event_error_string(event.get()) : "no broker answers"));
  std::size_t count = 0;
  const rd_kafka_ConfigResource_t** found = rd_kafka_DescribeConfigs_result_resources(result, &count);
  std::map<std::string, std::string> config;
  if (count == 0) return config;
  const rd_kafka_ConfigEntry_t** entries = rd_kafka_ConfigResource_configs(found[0], &count);
  for (std::size_t i = 0; i < count; ++i)
    if (const char* value = rd_kafka_ConfigEntry_value(entries[i]))
      config.emplace(rd_kafka_ConfigEntry_name(entries[i]), value);
  return config;
}

}  // namespace

std::optional<TopicFacts> describe_topic(const Brokers& brokers, const std::string& topic) {
  const Handle handle(open(RD_KAFKA_PRODUCER, configuration(brokers, {})));
  const Metadata metadata = metadata_of(handle.get(), topic);
  if (metadata->topic_cnt == 0 || metadata->topics[0].partition_cnt == 0) return std::nullopt;
  const rd_kafka_metadata_topic_t& about = metadata->topics[0];
  TopicFacts facts{.partitions = about.partition_cnt, .replication = about.partitions[0].replica_cnt, .config = {}};
  for (int i = 1; i < about.partition_cnt; ++i)
    facts.replication = std::min(facts.replication, about.partitions[i].replica_cnt);
  facts.config = config_of(handle.get(), topic);
  return facts;
}

void create_topic(const Brokers& brokers, const std::string& topic, int partitions, int replication,
                  const Settings& config) {
  const Handle handle(open(RD_KAFKA_PRODUCER, configuration(brokers, {})));
  char why[512];
  rd_kafka_NewTopic_t* wanted = rd_kafka_NewTopic_new(topic.c_str(), partitions, replication, why, sizeof why);
  if (wanted == nullptr) throw Error(Code::kBadInput, fmt::format("kafka: {}: {}", topic, why));
  for (const auto& [key, value] : config) rd_kafka_NewTopic_set_config(wanted, key.c_str(), value.c_str());
  const Queue queue(rd_kafka_queue_new(handle.get()));
  rd_kafka_CreateTopics(handle.get(), &wanted, 1, nullptr, queue.get());
  rd_kafka_NewTopic_destroy(wanted);
  const KafkaEvent event(rd_kafka_queue_poll(queue.get(), 2 * kAnswerMs));
  const auto* result = event ? rd_kafka_event_CreateTopics_result(event.get()) : nullptr;
  if (result == nullptr || rd_kafka_event_error(event.get()))
    fail(fmt::format("{} was not created: {}", topic,
                     event ? rd_kafka_event_error_string(event.get()) : "no broker answers"));
  std::size_t count = 0;
  const rd_kafka_topic_result_t** topics = rd_kafka_CreateTopics_result_topics(result, &count);
  if (count == 0) return;
  const auto error = rd_kafka_topic_result_error(topics[0]);
  if (error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
    throw Error(Code::kConflict, fmt::format("kafka: the topic {} exists already", topic));
  if (error) {
    const char* text = rd_kafka_topic_result_error_string(topics[0]);
    fail(fmt::format("{} was not created: {}", topic, text != nullptr ? text : rd_kafka_err2str(error)));
  }
}

}  // namespace tarry::kafka
