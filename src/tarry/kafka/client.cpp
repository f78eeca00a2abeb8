#include "tarry/kafka/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "tarry/base/error.h"
#include "tarry/kafka/handle.h"
#include "tarry/kafka/sending_order.h"

namespace tarry::kafka {
// ---- producer

struct Producer::State {
  struct Topic {
    Owned<rd_kafka_topic_t, rd_kafka_topic_destroy> named;
    int partitions = 0;  // 0: not asked yet
    std::map<int, SendingOrder> orders;
  };

  Handle handle;
  std::map<std::string, Topic, std::less<>> topics;  // goes before the handle
  std::size_t held = 0;                              // records held back
  std::string failure;                               // of the first record that was not delivered

  static void delivered(rd_kafka_t*, const rd_kafka_message_t* m, void* opaque) {
    auto& state = *static_cast<State*>(opaque);
    static_cast<SendingOrder*>(m->_private)->acknowledged();
    if (m->err != RD_KAFKA_RESP_ERR_NO_ERROR && state.failure.empty())
      state.failure =
          fmt::format("a record for {} was not delivered: {}", rd_kafka_topic_name(m->rkt), rd_kafka_err2str(m->err));
  }

  Topic& topic(const std::string& name) {
    const auto found = topics.find(name);
    if (found != topics.end()) return found->second;
    Topic& made = topics[name];
    made.named.reset(rd_kafka_topic_new(handle.get(), name.c_str(), nullptr));
    return made;
  }

  // The partition that Java's clients choose.
  int partition_of(Topic& topic, const std::string& name, std::string_view key) {
    if (topic.partitions == 0) {
      const Metadata metadata = metadata_of(handle.get(), name);
      if (metadata->topic_cnt == 0 || metadata->topics[0].partition_cnt == 0) fail("there is no topic " + name);
      topic.partitions = metadata->topics[0].partition_cnt;
    }
    return rd_kafka_msg_partitioner_murmur2_random(topic.named.get(), key.data(), key.size(), topic.partitions, nullptr,
                                                   nullptr);
  }

  // False: the client has no room.
  bool hand_over(const Topic& topic, int partition, SendingOrder& order, std::string_view key,
                 std::optional<std::string_view> value) {
    void* bytes = value ? const_cast<char*>(value->data()) : nullptr;  // they are copied
    if (rd_kafka_produce(topic.named.get(), partition, RD_KAFKA_MSG_F_COPY, bytes, value ? value->size() : 0,
                         key.data(), key.size(), &order) == 0) {
      order.gone();
      return true;
    }
    const rd_kafka_resp_err_t error = rd_kafka_last_error();
    if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL) return false;
    fail(fmt::format("a record for {} cannot be sent: {}", rd_kafka_topic_name(topic.named.get()),
                     rd_kafka_err2str(error)));
  }

  void release_held() {
    if (held == 0) return;
    for (auto& [name, topic] : topics)
      for (auto& [partition, order] : topic.orders)
        while (const SendingOrder::Held* next = order.next()) {
          if (!hand_over(topic, partition, order, next->key, next->value)) return;
          order.release();
          --held;
        }
  }

  void poll(int wait_ms) {
    rd_kafka_poll(handle.get(), wait_ms);
    if (!failure.empty()) fail(failure);
    release_held();
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

void Producer::poll() { state_->poll(0); }

void Producer::send(const std::string& topic, int partition, std::string_view key,
                    std::optional<std::string_view> value) {
  constexpr std::size_t kMostHeld = 100'000;
  State::Topic& to = state_->topic(topic);
  if (partition == kByKey) partition = state_->partition_of(to, topic, key);
  SendingOrder& order = to.orders[partition];
  while (state_->held >= kMostHeld) state_->poll(50);
  if (order.may_go() && state_->hand_over(to, partition, order, key, value)) return;
  order.hold(key, value);
  ++state_->held;
}

void Producer::flush(const std::function<bool()>& stop) {
  while (rd_kafka_flush(state_->handle.get(), 200) == RD_KAFKA_RESP_ERR__TIMED_OUT || state_->held > 0) {
    state_->poll(0);
    if (stop && stop()) return;
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
  bool closed = false, fenced = false;

  // One that was not closed is left behind: to destroy it may wait for ever, for an assignment that nobody takes any
  // more, while the group takes this member for alive. The process is about to end. One that was fenced has left the
  // group already; it goes on a thread of its own, so that nobody waits for it either.
  ~State() {
    if (handle == nullptr) return;
    if (closed) rd_kafka_destroy(handle);
    if (!closed && fenced)
      std::thread([handle = handle] { rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE); }).detach();
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
      if (code == RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID) {
        state_->fenced = true;
        throw Fenced(fmt::format("kafka: {}: {}", rd_kafka_err2name(code), why));
      }
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

}  // namespace tarry::kafka
