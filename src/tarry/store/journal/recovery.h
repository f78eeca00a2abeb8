// What a journal's folder holds when nobody writes to it, and how it is made ready to be written again.
//
// After a loss of power the end of a journal is in any state: sectors that were not synced are there or not, in any
// order. What was synced is there. Each record names a position up to which all was durable when it was written, so:
// damage at or below a position that some valid record names is corruption, and the journal is refused; damage above it
// is a torn tail, which is put aside and cut off.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/store/disk/disk.h"
#include "tarry/store/journal/log_identity.h"
#include "tarry/store/journal/segment.h"

namespace tarry::store {

struct SegmentFile {
  Position first = 0;
  std::uint64_t size = 0;
  std::uint64_t end = 0;  // the offset behind its last record
  Position last = 0;      // of its last record; first − 1: it has none
  Position named = 0;     // the highest position that a record in it says to be durable
};

struct TornTail {
  std::string file;  // where the first damage is
  std::uint64_t offset = 0;
  std::vector<std::string> aside;  // where its bytes are kept (after repair)
};

// The entries before and behind it are whole: nothing is lost with it.
struct DamagedSeal {
  std::string file;
  std::uint64_t offset = 0;
};

struct EpochFrom {
  Position first = 0;  // entry that it wrote
  std::uint64_t epoch = 0;
};

struct Findings {
  Position first = 1;  // of the first record that is kept
  Position last = 0;
  Position named = 0;  // the highest position that some record says to be durable
  std::uint32_t salt = 0;
  std::vector<SegmentFile> segments;  // ascending; none: a new journal
  std::optional<TornTail> torn;
  std::vector<std::string> beyond;     // segments behind the tear
  std::vector<std::string> leftovers;  // files that nothing needs: unfinished, or pruned
  bool marked = false;                 // the file `first` is there
  std::vector<DamagedSeal> damaged_seals;
  std::vector<EpochFrom> epochs;  // ascending

  // The epoch that wrote an entry; nothing where that is not known.
  std::optional<std::uint64_t> epoch_of(Position position) const;
  LogIdentity identity() const;
};

// Reads all of it and changes nothing. Throws Error{kCorrupt} with file and offset.
Findings examine(Disk& disk, const std::string& folder, const Visit& visit = {});

// Puts the torn tail aside, cuts it off, and makes all that is left durable. To be called before the first append;
// after a crash in the middle it can be done again. `epoch` makes the names of what is kept aside unique.
void repair(Disk& disk, const std::string& folder, Findings& found, std::uint64_t epoch);
// Makes what is kept durable, which takes no room, and leaves the rest as it is: enough for reading only.
void make_durable(Disk& disk, const std::string& folder, const Findings& found);

// The position that the journal's records begin with, as its file `first` states it.
void write_first(Disk& disk, const std::string& folder, Position first);

}  // namespace tarry::store
