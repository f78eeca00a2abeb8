// Folds the log of a store that nobody writes to, and holds its snapshots against the fold, model by model, to the bit.
// Only a snapshot of this program's arithmetic is compared, and with a fold that began where its own did: with the
// first entry, or with the snapshot of another number that it went on from.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tarry/store/journal/recovery.h"
#include "tarry/store/snapshots/snapshots.h"

namespace tarry::store {

struct FoldedSnapshot {
  Position position = 0;
  bool compared = false;
  std::string why_not = {};  // where it was not compared
};

struct FoldCheck {
  std::vector<FoldedSnapshot> snapshots;  // ascending
  std::vector<std::string> damage;        // what differs, and entries that cannot be folded
};

// `log`: what examine() found; `deleted`: incarnations, which compaction takes out of earlier snapshots. Snapshots that
// are damaged are passed over: inspect.h reports them.
FoldCheck check_folds(Disk& disk, const std::string& path, const Findings& log, const std::set<Position>& deleted);

}  // namespace tarry::store
