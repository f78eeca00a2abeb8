// Saved states of a store, one file each, so that the log need not be folded from its beginning. A file is there whole
// or not at all; one that is damaged is told, and the one before it is used.
//
//   "TARRYSNP" · u64 format · state · u64 position · text engine · text hash · text extra · u64 the state's length ·
//   u64 CRC-32C
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/store/disk.h"
#include "tarry/store/log.h"

namespace tarry::store {

inline constexpr std::uint64_t kSavedFormat = 1;
inline constexpr std::size_t kFewestKept = 2;

struct SavedHead {
  Position position = 0;    // every entry up to here is in the state
  std::string engine = {};  // the version that wrote it
  std::string hash = {};    // of the state, in the caller's words
  std::string extra = {};   // what else the caller wants to find again
};

struct Saved {
  SavedHead head;
  std::string state;
};

// Throws Error{kCorrupt} that says what is wrong.
Saved read_saved(std::string_view file);

class Snapshots {
 public:
  // In a folder that exists. The disk must outlive it.
  Snapshots(Disk& disk, std::string folder);

  using Sink = std::function<void(std::string_view piece)>;
  // Durable when it returns; what was there at this position is replaced. `write` gives the state piece by piece, then
  // says what it was. Throws Error{kFull}: nothing has changed then. One thread at a time.
  SavedHead save(const std::function<SavedHead(const Sink& sink)>& write);

  std::vector<Position> positions() const;  // of what is there, whole or not; newest first
  std::string path(Position position) const;
  Saved read(Position position) const;  // throws Error{kCorrupt} with the file's name

  // The newest that is whole, for a log that holds `first` … `last`. What is damaged is passed over, and told. Throws
  // Error{kCorrupt} where the log does not go on from there, or ends before it.
  std::optional<Saved> newest(Position first, Position last, std::vector<std::string>& told) const;

  // Removes all but the newest `keep` whole ones (at least two). Gives the position up to which the log may be pruned:
  // that of the oldest that is kept, 0 while there are not so many.
  Position keep(std::size_t count);
  void remove(Position position);

 private:
  Disk& disk_;
  std::string folder_;
};

}  // namespace tarry::store
