#include "tarry/gateway/partitions.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/spec/value.h"

namespace tarry::gateway {

void Partitions::end_at(const std::vector<Offset>& ends) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < facts_.size() && i < ends.size(); ++i)
    if (ends[i] >= 0) facts_[i].events = ends[i];
}

void Partitions::are_owned(const std::map<int, kafka::Owner>& owners) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    PartitionFacts& facts = facts_[i];
    const int partition = static_cast<int>(i);
    const auto found = owners.find(partition);
    facts.owner = found == owners.end() ? kafka::Owner{} : found->second;
    if (facts.owner.name.empty()) continue;
    std::string& last = last_owner_[partition];
    if (!last.empty() && last != facts.owner.name) ++facts.takeovers;
    last = facts.owner.name;
  }
}

std::vector<PartitionFacts> Partitions::all(const Waiting& waiting) const {
  const std::lock_guard lock(mutex_);
  std::vector<PartitionFacts> all = facts_;
  for (std::size_t i = 0; i < all.size(); ++i) {
    PartitionFacts& facts = all[i];
    facts.partition = static_cast<int>(i);
    facts.answered = waiting.answered(facts.partition);
    if (facts.events < 0) continue;
    facts.events = std::max(facts.events, facts.answered + 1);  // the end may have been looked at before
    facts.lag = facts.events - facts.answered - 1;
  }
  return all;
}

std::string partitions_json(const std::vector<PartitionFacts>& all, const Waiting::Counts& counts,
                            bool brokers_answer) {
  const auto or_null = [](Offset x) { return x < 0 ? "null" : std::to_string(x); };
  std::string rows;
  for (const PartitionFacts& facts : all) {
    std::string owner = "null", host = "null";
    if (!facts.owner.name.empty()) {
      owner = spec::to_json({facts.owner.name});
      host = spec::to_json({facts.owner.host});
    }
    rows += fmt::format(
        "{}{{\"partition\": {}, \"events\": {}, \"answered\": {}, \"lag\": {}, \"owner\": {}, \"host\": {}, "
        "\"takeovers\": {}}}",
        rows.empty() ? "" : ", ", facts.partition, or_null(facts.events), facts.answered + 1, or_null(facts.lag), owner,
        host, facts.takeovers);
  }
  return fmt::format("{{\"brokers_answer\": {}, \"waiting\": {}, \"unacknowledged\": {}, \"partitions\": [{}]}}",
                     brokers_answer, counts.waiting, counts.unacknowledged, rows);
}

}  // namespace tarry::gateway
