// Folders that this process holds by their descriptors: a path below one of them is reached from its descriptor, so
// that a folder which was moved, or replaced by another at its path, is never mistaken.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tarry/store/disk/disk.h"

namespace tarry::store {

class HeldFolder;

// Where a path is: a name below a folder that is held, or as it is.
class Place {
 public:
  Place(std::shared_ptr<const HeldFolder> held, std::string name) : held_(std::move(held)), name_(std::move(name)) {}
  int folder() const;  // as openat wants it
  const char* name() const { return name_.c_str(); }

 private:
  std::shared_ptr<const HeldFolder> held_;  // null: the path as it is
  std::string name_;
};

class Descriptor {
 public:
  Descriptor(const Place& place, int flags);
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }  // below 0: errno says why

 private:
  int number_;
};

bool same_file(const struct stat& a, const struct stat& b);

// From any thread.
class HeldFolders {
 public:
  Place place(const std::string& path) const;
  // Throws Error{kConflict} where another process holds it.
  std::unique_ptr<Lock> hold(const std::string& path);
  // Throws Error{kIo} where one of them is no longer what its path names.
  void check() const;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::weak_ptr<const HeldFolder>> all_;
};

}  // namespace tarry::store
