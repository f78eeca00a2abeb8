// A store's directory: `journal/`, `snapshots/`, `key` and `lock`. One process at a time has it: it holds the directory
// itself and those in it, so that nothing is written elsewhere when they are moved or replaced.
#pragma once

#include "tarry/store/disk/disk.h"

namespace tarry::store {

// A file of this name is in a copy from its first moment until it is finished.
inline constexpr std::string_view kUnfinishedCopy = "unfinished";

class Folder {
 public:
  // Makes what is not there, durably, and takes the locks. Throws Error{kConflict} where another process has them, and
  // Error{kCorrupt} for a copy that was not finished or a store that is half there.
  Folder(Disk& disk, const std::string& path);

  const std::string& path() const { return path_; }
  std::string journal() const { return path_ + "/journal"; }
  std::string snapshots() const { return path_ + "/snapshots"; }
  std::string key() const { return path_ + "/key"; }
  std::string watch() const { return path_ + "/watch"; }  // what dashboards remember (kept_file.h)

 private:
  std::string path_;
  std::vector<std::unique_ptr<Lock>> locks_;
};

std::string without_slash(std::string path);  // at its end

// Throws Error{kBadInput} where there is no store, Error{kCorrupt} for a copy that was not finished, or half of one.
void check_is_store(const Disk& disk, const std::string& path);

// Makes the directory of a copy, which must be empty, not there, or a copy that was begun before, and locks it:
// whenever anything is there, the mark is. Throws Error{kConflict} where there is anything else.
std::vector<std::unique_ptr<Lock>> begin_copy(Disk& disk, const std::string& path);
void finish_copy(Disk& disk, const std::string& path);

// Of a store's directory. The file `lock` is what versions before this one look at: the directory's own lock does not
// go when that file is removed.
std::vector<std::unique_ptr<Lock>> lock_store(Disk& disk, const std::string& path);

}  // namespace tarry::store
