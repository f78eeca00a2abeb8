// The three topics: how they are made, and which settings of them could lose what was promised.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

struct Topics {
  explicit Topics(const std::string& prefix)
      : events(prefix + ".events"), decisions(prefix + ".decisions"), snapshots(prefix + ".snapshots") {}

  std::string events, decisions, snapshots;
};

struct Found {
  TopicFacts events, decisions, snapshots;
};

// What makes it impossible to work with these topics: an Error{kBadInput} says it.
void check_shape(const Topics& topics, const Found& found);
// What could lose acknowledged events, one sentence each.
std::vector<std::string> dangers(const Topics& topics, const Found& found);

// Throws Error{kBadInput} for the first danger, unless they are `allowed`: then `told` hears of each.
void refuse_dangers(const Topics& topics, const Found& found, bool allowed,
                    const std::function<void(const std::string& danger)>& told);

// Throws Error{kBadInput} where one of them is missing.
Found find_topics(const Brokers& brokers, const Topics& topics);
void create_topics(const Brokers& brokers, const Topics& topics, int partitions, int replication);

}  // namespace tarry::kafka
