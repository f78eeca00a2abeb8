// A store's directory: `journal/`, `snapshots/`, `key` and `lock`. One process at a time has it.
#pragma once

#include "tarry/store/disk.h"

namespace tarry::store {

class Folder {
 public:
  // Makes what is not there, durably, and takes the lock. Throws Error{kConflict} where another process has it.
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
