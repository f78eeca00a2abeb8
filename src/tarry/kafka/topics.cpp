#include "tarry/kafka/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tarry/base/error.h"

namespace tarry::kafka {
namespace {

constexpr long kSmallestMessage = 1'000'000;  // what an outcome or a part of a snapshot may need

std::string setting(const TopicFacts& facts, const std::string& key) {
  const auto found = facts.config.find(key);
  return found == facts.config.end() ? "" : found->second;
}

long number(const TopicFacts& facts, const std::string& key) {
  const std::string text = setting(facts, key);
  return text.empty() ? 0 : std::strtol(text.c_str(), nullptr, 10);
}

bool is_compacted(const TopicFacts& facts) {
  return setting(facts, "cleanup.policy").find("compact") != std::string::npos;
}

bool deletes(const TopicFacts& facts) {
  return setting(facts, "cleanup.policy").find("delete") != std::string::npos &&
         (number(facts, "retention.ms") >= 0 || number(facts, "retention.bytes") >= 0);
}

// A topic is created before every broker has heard of it.
void wait_until_known(const Brokers& brokers, const Topics& topics) {
  constexpr int kTries = 300;
  for (int i = 0; i < kTries; ++i) {
    if (describe_topic(brokers, topics.events) && describe_topic(brokers, topics.decisions) &&
        describe_topic(brokers, topics.snapshots))
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw Error(Code::kIo, fmt::format("kafka: {} was created, but no broker knows it yet", topics.events));
}

}  // namespace

void check_shape(const Topics& topics, const Found& found) {
  const auto refuse = [](const std::string& why) { throw Error(Code::kBadInput, "kafka: " + why); };
  const auto same = [&](const std::string& name, const TopicFacts& facts) {
    if (facts.partitions != found.events.partitions)
      refuse(fmt::format("{} has {} partitions and {} has {}: they must have the same number", topics.events,
                         found.events.partitions, name, facts.partitions));
    if (number(facts, "max.message.bytes") < kSmallestMessage)
      refuse(fmt::format("{} must have max.message.bytes of at least {} ({} came)", name, kSmallestMessage,
                         setting(facts, "max.message.bytes")));
  };
  same(topics.decisions, found.decisions);
  same(topics.snapshots, found.snapshots);
  if (is_compacted(found.decisions))
    refuse(fmt::format("{} must not be compacted: it would keep one outcome of each model", topics.decisions));
}

std::vector<std::string> dangers(const Topics& topics, const Found& found) {
  std::vector<std::string> all;
  const auto check = [&](const std::string& name, const TopicFacts& facts) {
    if (facts.replication < 3) all.push_back(fmt::format("{} has {} replicas, fewer than 3", name, facts.replication));
    if (number(facts, "min.insync.replicas") < 2)
      all.push_back(
          fmt::format("{} has min.insync.replicas = {}, fewer than 2", name, setting(facts, "min.insync.replicas")));
    if (setting(facts, "unclean.leader.election.enable") == "true")
      all.push_back(fmt::format("{} allows unclean leader election", name));
  };
  check(topics.events, found.events);
  check(topics.decisions, found.decisions);
  check(topics.snapshots, found.snapshots);
  if (is_compacted(found.events)) all.push_back(fmt::format("{} is compacted", topics.events));
  if (deletes(found.events))
    all.push_back(fmt::format("{} deletes old events (retention.ms = {}, retention.bytes = {})", topics.events,
                              setting(found.events, "retention.ms"), setting(found.events, "retention.bytes")));
  if (deletes(found.snapshots)) all.push_back(fmt::format("{} deletes old snapshots", topics.snapshots));
  return all;
}

void refuse_dangers(const Topics& topics, const Found& found, bool allowed,
                    const std::function<void(const std::string&)>& told) {
  for (const std::string& danger : dangers(topics, found)) {
    if (!allowed)
      throw Error(Code::kBadInput, fmt::format("kafka: {}; acknowledged events could be lost (--unsafe-topics works "
                                               "with such topics all the same)",
                                               danger));
    told(danger);
  }
}

Found find_topics(const Brokers& brokers, const Topics& topics) {
  const auto find = [&](const std::string& name) {
    auto facts = describe_topic(brokers, name);
    if (!facts)
      throw Error(Code::kBadInput, fmt::format("kafka: there is no topic {} at {} (tarry queue create makes it)", name,
                                               brokers.addresses));
    return *std::move(facts);
  };
  return {find(topics.events), find(topics.decisions), find(topics.snapshots)};
}

void create_topics(const Brokers& brokers, const Topics& topics, int partitions, int replication) {
  const std::string in_sync = std::to_string(std::max(1, replication - 1));
  // Times by the broker's clock: those of producers may differ, rounds that wait are given up by them, and what is
  // stamped too far ahead is refused.
  const Settings safe{{"min.insync.replicas", in_sync},
                      {"unclean.leader.election.enable", "false"},
                      {"message.timestamp.type", "LogAppendTime"}};
  const auto create = [&](const std::string& name, const Settings& more) {
    Settings config = safe;
    config.insert(config.end(), more.begin(), more.end());
    create_topic(brokers, name, partitions, replication, config);
  };
  create(topics.events, {{"retention.ms", "-1"}, {"retention.bytes", "-1"}});
  create(topics.decisions, {{"retention.ms", "-1"}, {"retention.bytes", "-1"}});
  create(topics.snapshots, {{"cleanup.policy", "compact"},
                            {"min.cleanable.dirty.ratio", "0.1"},
                            {"segment.bytes", "67108864"},
                            {"segment.ms", "3600000"}});
  wait_until_known(brokers, topics);
}

}  // namespace tarry::kafka
