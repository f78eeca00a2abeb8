// Saved states of a store, one file each, so that the log need not be folded from its beginning. A file is there whole
// or not at all; one that is damaged is reported, and the one before it is used.
//
//   "TARRYSNP" · u64 format · state · u64 position · text engine · text hash · text extra · u64 arithmetic ·
//   u64 folded from · u8 has an origin · if 1: u64 salt, u64 epoch · u64 the state's length · u64 CRC-32C
//
// It also says which log it was folded from: one of another log is refused by name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/base/arithmetic.h"
#include "tarry/store/disk/disk.h"
#include "tarry/store/journal/log_identity.h"

namespace tarry::store {

inline constexpr std::uint64_t kSavedFormat = 2;  // 1 is read as well: it ends with `extra`
inline constexpr std::size_t kFewestKept = 2;

struct SavedHead {
  Position position = 0;                          // every entry up to here is in the state
  std::string engine = {};                        // the version that wrote it
  std::string hash = {};                          // of the state, in the caller's words
  std::string extra = {};                         // what else the caller wants to find again
  std::uint64_t arithmetic = kArithmeticUnknown;  // the number it was folded with
  Position folded_from = 0;  // with that number, from a snapshot of another; 0: from the first entry
  std::optional<LogOrigin> origin = std::nullopt;
};

struct Saved {
  SavedHead head;
  std::string state;
};

// Throws Error{kCorrupt} that says what is wrong.
Saved read_saved(std::string_view file);

class Snapshots {
 public:
  // In a folder that exists. The disk must outlive it. With a log, those of another one are refused.
  Snapshots(Disk& disk, std::string folder, std::optional<LogIdentity> log = std::nullopt);

  using Sink = std::function<void(std::string_view piece)>;
  // Durable when it returns; what was there at this position is replaced. `write` gives the state piece by piece, then
  // says what it was. Throws Error{kFull}: nothing has changed then. One thread at a time.
  SavedHead save(const std::function<SavedHead(const Sink& sink)>& write);

  // What a process left that ended while it saved. It is gone for good once the folder is synced.
  void remove_unfinished();

  std::vector<Position> positions() const;  // of what is there, whole or not; newest first
  std::string path(Position position) const;
  // Throws Error{kCorrupt} with the file's name, and Error{kConflict} for one of another log.
  Saved read(Position position) const;
  // Throw Error{kConflict} where it is another log's, or another epoch wrote the entry at its position.
  void check_origin(const SavedHead& head) const;
  void check_epoch(Position position, std::uint64_t epoch) const;

  // The newest that is whole, for a log that holds `first` … `last`. What is damaged is passed over, and told; so is
  // what `accept` throws Error{kCorrupt} for. Throws Error{kCorrupt} where the log does not go on from there, or ends
  // before it.
  std::optional<Saved> newest(Position first, Position last, std::vector<std::string>& told,
                              const std::function<void(const Saved&)>& accept = {}) const;

  // Removes all but the newest `keep` whole ones (at least two). Gives the position up to which the log may be pruned:
  // that of the oldest that is kept, 0 while there are not so many.
  Position keep(std::size_t count);
  void remove(Position position);

 private:
  Disk& disk_;
  std::string folder_;
  std::optional<LogIdentity> log_;
};

}  // namespace tarry::store
