// A store's directory: `journal/`, `snapshots/`, `key` and `lock`. One process at a time has it.
#pragma once

#include "tarry/store/disk.h"

namespace tarry::store {

// A file of this name stands in a copy until it is finished.
inline constexpr std::string_view kUnfinishedCopy = "unfinished";

class Folder {
 public:
  // Makes what is not there, durably, and takes the lock. Throws Error{kConflict} where another process has it, and
  // Error{kCorrupt} for a copy that was not finished.
  Folder(Disk& disk, const std::string& path);

  const std::string& path() const { return path_; }
  std::string journal() const { return path_ + "/journal"; }
  std::string snapshots() const { return path_ + "/snapshots"; }
  std::string key() const { return path_ + "/key"; }

 private:
  std::string path_;
  std::unique_ptr<Lock> lock_;
};

}  // namespace tarry::store
