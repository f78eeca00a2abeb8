// Erases deleted models' data from a store: their entries, and their part of the snapshots.
#pragma once

#include <string>
#include <vector>

#include "tarry/hosting/log.h"
#include "tarry/store/disk/disk.h"
#include "tarry/store/disk/folder.h"

namespace tarry::store {

using hosting::Position;

struct Compacted {
  std::vector<Position> models;      // incarnations that were deleted
  std::uint64_t entries = 0;         // that were emptied
  std::vector<Position> snapshots;   // that were rewritten
  std::vector<std::string> removed;  // files with torn ends of the log
};

// Positions stay as they are, and so does the state of every other model. After a crash in the middle it can be done
// again. `epoch`: drawn at random, as for an opening.
Compacted compact(Disk& disk, const Folder& folder, std::uint64_t epoch);

}  // namespace tarry::store
