#include "tarry/kafka/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/features/hash.h"
#include "tarry/kafka/outcome_head.h"
#include "tarry/kafka/takeover.h"

namespace tarry::kafka {
namespace {

// The latest whole snapshot that this version wrote with this arithmetic: another's state has other bytes.
std::optional<std::pair<SnapshotName, std::string>> latest_snapshot(const Brokers& brokers, const Topics& topics,
                                                                    int partition) {
  SnapshotShelf shelf;
  read_to_end(brokers, topics.snapshots, partition, kBeginning,
              [&](const Record& record) { shelf.take(record.key, record.value); });
  for (const SnapshotName& name : shelf.whole())
    if (this_engine().wrote(name)) return std::pair{name, *shelf.bytes(name)};
  return std::nullopt;
}

}  // namespace

Audit audit(const Brokers& brokers, const Topics& topics, int partition, Partition& state) {
  Audit found;
  const auto wrong = [&](const std::string& what) {
    if (found.first.empty()) found.first = fmt::format("partition {}: {}", partition, what);
  };
  const auto snapshot = latest_snapshot(brokers, topics, partition);
  const auto compare_snapshot = [&] {
    if (!snapshot || snapshot->first.next != state.next()) return;
    found.snapshot = state.next();
    found.snapshot_differs = state.save() != snapshot->second;
    if (found.snapshot_differs) wrong(fmt::format("the snapshot of the first {} events differs", state.next()));
  };
  std::vector<std::uint64_t> wanted;  // the outcomes' hashes, without their heads
  compare_snapshot();
  read_to_end(brokers, topics.events, partition, 0, [&](const Record& record) {
    if (record.offset != static_cast<Offset>(wanted.size()))
      throw Error(Code::kBadInput,
                  fmt::format("kafka: partition {} of {} goes on with {} after {} events: it must have "
                              "all of them from the first on",
                              partition, topics.events, record.offset, wanted.size()));
    const OutcomeBytes outcome = record_of(state.apply(record));
    if (outcome.rejected) ++found.errors;
    wanted.push_back(hash_text(outcome_head(outcome.json)->rest));
    compare_snapshot();
  });
  found.events = wanted.size();

  std::vector<bool> seen(wanted.size());
  Offset highest = -1;
  read_to_end(brokers, topics.decisions, partition, kBeginning, [&](const Record& record) {
    ++found.outcomes;
    const auto head = record.value ? outcome_head(*record.value) : std::nullopt;
    const auto event = head ? std::optional(head->offset) : std::nullopt;
    if (!event || *event >= static_cast<Offset>(wanted.size())) {
      if (!event) wrong(fmt::format("record {} of the decisions is not an outcome", record.offset));
      if (event)
        --found.outcomes;  // of an event that came after the events were read
      else
        ++found.different;
      return;
    }
    const auto at = static_cast<std::size_t>(*event);
    const Compared compared = compare(*head, wanted[at]);
    found.not_compared += compared == Compared::kNotCompared;
    if (compared == Compared::kDifferent) {
      ++found.different;
      wrong(fmt::format("event {} must not be answered with {}", *event, record.value->substr(0, 300)));
    }
    if (seen[at])
      ++found.repeated;
    else if (*event < highest)
      ++found.overtaken;
    seen[at] = true;
    highest = std::max(highest, *event);
  });
  for (std::size_t at = 0; at < seen.size(); ++at) {
    if (seen[at]) continue;
    ++found.missing;
    wrong(fmt::format("event {} has no outcome", at));
  }
  return found;
}

}  // namespace tarry::kafka
