#include "tarry/kafka/takeover.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tarry/base/arithmetic.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/features/hash.h"
#include "tarry/kafka/outcome_head.h"

namespace tarry::kafka {
namespace {

constexpr std::int64_t kFewOutcomes = 64;

Tail read_tail(const Brokers& brokers, const std::string& decisions, int partition, std::int64_t count) {
  Tail tail;
  Offset first = -1;
  const Offset end = read_to_end(brokers, decisions, partition, last_records(count), [&](const Record& record) {
    if (first < 0) first = record.offset;
    if (record.value) tail.take(record.offset, *record.value);
  });
  if (first < 0) first = end;
  tail.reaches_beginning = end - first < count;
  tail.begins_late = tail.reaches_beginning && first > 0;
  if (first == 0) tail.reaches_beginning = true;
  return tail;
}

std::string in_words(const std::string& version, std::uint64_t arithmetic) {
  return arithmetic == kArithmeticUnknown ? version : fmt::format("{} with arithmetic {}", version, arithmetic);
}

// The latest; among those of one position ours.
std::optional<SnapshotName> best_of(const std::vector<SnapshotName>& whole, const Engine& engine) {
  if (whole.empty()) return std::nullopt;
  for (const SnapshotName& name : whole)
    if (name.next == whole.front().next && engine.wrote(name)) return name;
  return whole.front();
}

// Of events that would have to be folded again.
void check_numbers(const Tail& tail, Offset from, const Engine& engine) {
  for (auto at = tail.outcomes.lower_bound(from); at != tail.outcomes.end(); ++at) {
    const std::uint64_t number = at->second.arithmetic;
    if (number == kArithmeticUnknown || number == engine.arithmetic) continue;
    throw Error(
        Code::kConflict,
        fmt::format("kafka: event {} was answered with arithmetic {}, and this is {} with arithmetic {}: numbers "
                    "do not mix; let a worker of the other version take the partition and stop it with SIGTERM, "
                    "then start this one",
                    at->first, number, engine.version, engine.arithmetic));
  }
}

}  // namespace

void Tail::take(Offset, std::string_view outcome) {
  const auto head = outcome_head(outcome);
  if (!head) return;
  answered = std::max(answered, head->offset);
  outcomes.insert_or_assign(head->offset, Answered{hash_text(head->rest), head->arithmetic});
}

Engine this_engine() { return {kVersion, kArithmetic}; }

Start choose_start(const std::vector<SnapshotName>& whole, const Tail& tail, const Engine& engine) {
  Start start{.snapshot = best_of(whole, engine), .emit_from = tail.answered + 1};
  const Offset next = start.snapshot ? start.snapshot->next : 0;
  if (start.emit_from < next) {
    start.needs_more_tail = !tail.reaches_beginning;
    if (tail.reaches_beginning && !tail.begins_late)
      throw Error(Code::kCorrupt, fmt::format("kafka: a snapshot has the events before {}, but there are outcomes of "
                                              "those before {} only: outcomes were lost",
                                              next, start.emit_from));
    start.emit_from = next;  // the outcomes were durable before the snapshot was written
  }
  if (start.snapshot && !engine.wrote(*start.snapshot) && start.emit_from > next) {
    // Where the version is the same, the number is what differs.
    const bool same = start.snapshot->engine == engine.version;
    const std::string theirs = in_words(start.snapshot->engine, same ? start.snapshot->arithmetic : kArithmeticUnknown);
    const std::string ours = in_words(engine.version, same ? engine.arithmetic : kArithmeticUnknown);
    throw Error(
        Code::kConflict,
        fmt::format("kafka: events {} to {} were answered by tarry {}, and this is {}: versions do not mix; let "
                    "a worker of {} take the partition and stop it with SIGTERM, then upgrade",
                    next, start.emit_from - 1, theirs, ours, theirs));
  }
  check_numbers(tail, next, engine);
  return start;
}

std::optional<Takeover> take_over(const Brokers& brokers, const Topics& topics, int partition, const Engine& engine,
                                  const std::function<bool()>& stop,
                                  const std::function<void(const std::string&)>& waits) {
  // Just after a broker has died the next one may show less than it has, for a moment: what looks like a loss is
  // looked at again.
  constexpr int kDoubts = 30;
  for (int doubts = 0; !stop();) {
    try {
      Takeover found;
      read_to_end(brokers, topics.snapshots, partition, kBeginning,
                  [&](const Record& record) { found.shelf.take(record.key, record.value); });
      const std::vector<SnapshotName> whole = found.shelf.whole();
      for (std::int64_t count = kFewOutcomes;; count *= 8) {
        found.tail = read_tail(brokers, topics.decisions, partition, count);
        found.start = choose_start(whole, found.tail, engine);
        if (!found.start.needs_more_tail) break;
      }
      // The events themselves must reach as far, or these are not the topics that belong together.
      const Offset end = read_to_end(brokers, topics.events, partition, last_records(1), [](const Record&) {});
      if (end < found.start.emit_from)
        throw Error(
            Code::kCorrupt,
            fmt::format("kafka: partition {} of {} ends at {}, but {} events of it were answered: it is not the "
                        "topic that it was",
                        partition, topics.events, end, found.start.emit_from));
      return found;
    } catch (const Error& error) {
      const bool doubtful = error.code() == Code::kCorrupt && ++doubts < kDoubts;
      if (error.code() != Code::kIo && !doubtful) throw;
      waits(error.what());
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  }
  return std::nullopt;
}

}  // namespace tarry::kafka
