// Copies of a store, also while it runs, and its journal rewritten.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/store/disk/disk.h"
#include "tarry/store/journal/recovery.h"

namespace tarry::store {

struct Copied {
  Position first = 1;
  Position last = 0;
  std::vector<Position> snapshots;  // newest first
  bool key = false;
};

// Copies the store in the folder `from`, which may be in use, to `to`, which must be empty, not there, or a copy that
// was not finished: snapshots that are whole, the journal up to a position at or above theirs, the key and the tokens.
// Until it is finished, `to` is refused as a store. Throws Error{kCorrupt} where the journal is damaged.
Copied copy_store(Disk& disk, const std::string& from, const std::string& to);

// A record's new payload; nothing: as it is.
using Rewrite = std::function<std::optional<std::string>(Position, std::string_view payload)>;

// Rewrites the segments of a journal that is not in use, one after the other, where a payload changes. None may
// become longer. After a crash in the middle some are new and some old; it can be done again. Gives the number of
// records that changed.
std::uint64_t rewrite_journal(Disk& disk, const std::string& folder, const Rewrite& rewrite);

}  // namespace tarry::store
