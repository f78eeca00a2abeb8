// Does the work again and compares: folds a partition's events from the first one on, and holds every outcome that is
// there, and the latest snapshot, against it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/kafka/client.h"
#include "tarry/kafka/partition.h"
#include "tarry/kafka/topics.h"

namespace tarry::kafka {

struct Audit {
  std::uint64_t events = 0;
  std::uint64_t outcomes = 0;      // records, repeats among them
  std::uint64_t missing = 0;       // events without an outcome
  std::uint64_t repeated = 0;      // outcomes that stand there once more
  std::uint64_t different = 0;     // outcomes that are not the fold's, to the bit
  std::uint64_t not_compared = 0;  // of other arithmetic; or of a number that is not known, and not the fold's
  std::uint64_t overtaken = 0;     // first seen after a later one: dropping by the highest number would lose them
  std::uint64_t errors = 0;        // events that were refused
  Offset snapshot = -1;            // events in the latest whole snapshot that was compared; -1: none
  bool snapshot_differs = false;   // from the fold at its place
  std::string first;               // the first thing that is wrong, in words

  bool sound() const { return missing == 0 && different == 0 && overtaken == 0 && !snapshot_differs; }
};

// Leaves the fold in `state`. Throws Error{kIo} when no broker answers.
Audit audit(const Brokers& brokers, const Topics& topics, int partition, Partition& state);

}  // namespace tarry::kafka
