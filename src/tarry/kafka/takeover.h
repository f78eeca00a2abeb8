// Where a new owner of a partition begins: from which snapshot, and from which event on it writes outcomes.
// The latter follows from the last outcomes that are there, never from committed offsets of the group.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarry/kafka/client.h"
#include "tarry/kafka/snapshots.h"
#include "tarry/kafka/topics.h"

namespace tarry::kafka {

struct Answered {
  std::uint64_t hash = 0;        // of the outcome, without its head
  std::uint64_t arithmetic = 0;  // 0: not known
};

// The last outcomes of a partition.
struct Tail {
  Offset answered = -1;                 // the latest event that has an outcome; -1: none
  std::map<Offset, Answered> outcomes;  // by event
  bool reaches_beginning = true;        // there is nothing before these
  bool begins_late = false;             // what was before them has been deleted

  void take(Offset output_offset, std::string_view outcome);
};

struct Start {
  std::optional<SnapshotName> snapshot;  // nothing: from the first event
  Offset emit_from = 0;                  // events before it have their outcomes already
  bool needs_more_tail = false;          // these outcomes do not reach back to the snapshot: read more of them
};

// The version that folds, and the number of its arithmetic.
struct Engine {
  std::string version;
  std::uint64_t arithmetic = 0;

  bool wrote(const SnapshotName& name) const { return name.engine == version && name.arithmetic == arithmetic; }
};
Engine this_engine();

// `whole`: snapshots, the latest first. Throws Error{kCorrupt} where outcomes are missing, and Error{kConflict} where
// events would have to be folded again that another version of the engine, or other arithmetic, answered.
Start choose_start(const std::vector<SnapshotName>& whole, const Tail& tail, const Engine& engine);

struct Takeover {
  Start start;
  Tail tail;
  SnapshotShelf shelf;
};

// Reads what is there. Where no broker answers it tries again, without end: nothing is guessed. Nothing comes back
// once `stop` says so.
std::optional<Takeover> take_over(const Brokers& brokers, const Topics& topics, int partition, const Engine& engine,
                                  const std::function<bool()>& stop,
                                  const std::function<void(const std::string& why)>& waits);

}  // namespace tarry::kafka
