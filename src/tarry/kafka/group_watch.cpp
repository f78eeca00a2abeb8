#include "tarry/kafka/group_watch.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/kafka/handle.h"

namespace tarry::kafka {
namespace {

using AdminOptions = Owned<rd_kafka_AdminOptions_t, rd_kafka_AdminOptions_destroy>;

std::string or_empty(const char* text) { return text == nullptr ? "" : text; }

Owner owner_of(const rd_kafka_MemberDescription_t* member) {
  Owner owner{.name = or_empty(rd_kafka_MemberDescription_group_instance_id(member)),
              .host = or_empty(rd_kafka_MemberDescription_host(member))};
  if (owner.name.empty()) owner.name = or_empty(rd_kafka_MemberDescription_consumer_id(member));
  if (owner.host.starts_with('/')) owner.host.erase(0, 1);
  return owner;
}

}  // namespace

struct GroupWatch::State {
  rd_kafka_t* handle = nullptr;
  std::string group, topic;
  int partitions = 0;

  ~State() {
    if (handle != nullptr) rd_kafka_destroy_flags(handle, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  }
};

GroupWatch::GroupWatch(const Brokers& brokers, std::string group, std::string topic, int partitions)
    : state_(std::make_unique<State>()) {
  state_->group = std::move(group);
  state_->topic = std::move(topic);
  state_->partitions = partitions;
  state_->handle = open(RD_KAFKA_CONSUMER, configuration(brokers, {{"group.id", "tarry-looks-on"}}));
}

GroupWatch::~GroupWatch() = default;

std::map<int, Owner> GroupWatch::owners(int wait_ms) {
  const auto fail = [&](const char* why) {
    throw Error(Code::kIo, fmt::format("kafka: who is in the group {} is not known: {}", state_->group, why));
  };
  const Queue queue(rd_kafka_queue_new(state_->handle));
  const AdminOptions options(rd_kafka_AdminOptions_new(state_->handle, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS));
  char why[256];
  rd_kafka_AdminOptions_set_request_timeout(options.get(), wait_ms, why, sizeof why);
  const char* group = state_->group.c_str();
  rd_kafka_DescribeConsumerGroups(state_->handle, &group, 1, options.get(), queue.get());
  const KafkaEvent event(rd_kafka_queue_poll(queue.get(), wait_ms + 1000));
  if (!event) fail("no broker answers");
  if (rd_kafka_event_error(event.get())) fail(rd_kafka_event_error_string(event.get()));
  const auto* result = rd_kafka_event_DescribeConsumerGroups_result(event.get());
  std::size_t count = 0;
  const rd_kafka_ConsumerGroupDescription_t** groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count);
  std::map<int, Owner> owners;
  if (count == 0) return owners;
  if (const auto* error = rd_kafka_ConsumerGroupDescription_error(groups[0])) {
    if (rd_kafka_error_code(error) == RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND) return owners;
    fail(rd_kafka_error_string(error));
  }
  for (std::size_t i = 0; i < rd_kafka_ConsumerGroupDescription_member_count(groups[0]); ++i) {
    const auto* member = rd_kafka_ConsumerGroupDescription_member(groups[0], i);
    const auto* assignment = rd_kafka_MemberDescription_assignment(member);
    const auto* held = assignment == nullptr ? nullptr : rd_kafka_MemberAssignment_partitions(assignment);
    for (int k = 0; held != nullptr && k < held->cnt; ++k)
      if (state_->topic == held->elems[k].topic) owners.emplace(held->elems[k].partition, owner_of(member));
  }
  return owners;
}

std::vector<Offset> GroupWatch::ends(int wait_ms) {
  constexpr Offset kLatest = -1;  // Kafka's time for the end
  const Partitions list(rd_kafka_topic_partition_list_new(state_->partitions));
  for (int partition = 0; partition < state_->partitions; ++partition)
    rd_kafka_topic_partition_list_add(list.get(), state_->topic.c_str(), partition)->offset = kLatest;
  const auto error = rd_kafka_offsets_for_times(state_->handle, list.get(), wait_ms);
  std::vector<Offset> ends(static_cast<std::size_t>(state_->partitions), -1);
  bool any = false;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& one = list->elems[i];
    if (error || one.err || one.offset < 0) continue;
    ends[static_cast<std::size_t>(one.partition)] = one.offset;
    any = true;
  }
  if (!any)
    throw Error(Code::kIo, fmt::format("kafka: where {} ends is not known: {}", state_->topic,
                                       error ? rd_kafka_err2str(error) : "no broker answers"));
  return ends;
}

}  // namespace tarry::kafka
