// What a store asks of a file system. There is the real one (real_disk.h) and, in tests, one that loses power.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/hosting/log.h"

namespace tarry::store {

using hosting::OutOfDescriptors;

// An open file; closed when it is destroyed. Every operation throws Error{kIo} with the path in its message, or
// Error{kFull} where there is no room.
class File {
 public:
  virtual ~File() = default;
  virtual std::uint64_t size() const = 0;
  virtual std::string read(std::uint64_t offset, std::size_t count) const = 0;  // fewer bytes only at the end
  virtual void write(std::uint64_t offset, std::string_view bytes) = 0;
  // Makes the file so long, with zeros that take room on the disk already.
  virtual void fill(std::uint64_t size) = 0;
  virtual void sync() = 0;  // contents and size
};

// A right that one process at a time has; given back when it is destroyed.
class Lock {
 public:
  virtual ~Lock() = default;
};

enum class Open : std::uint8_t {
  kRead,
  kWrite,   // an existing file, also to be read
  kCreate,  // a new file, or an existing one emptied
};

// Files and locks that it gives are the caller's, and must not outlive the disk.
class Disk {
 public:
  virtual ~Disk() = default;
  virtual std::unique_ptr<File> open(const std::string& path, Open how) = 0;
  virtual bool exists(const std::string& path) const = 0;
  virtual std::vector<std::string> list(const std::string& folder) const = 0;  // names, sorted
  virtual void make_folder(const std::string& path) = 0;                       // or leaves the one that is there
  virtual void rename(const std::string& from, const std::string& to) = 0;     // replaces what is there
  virtual void remove(const std::string& path) = 0;
  virtual void sync_folder(const std::string& path) = 0;  // names: those made, renamed and removed
  virtual std::uint64_t free_bytes(const std::string& path) const = 0;
  // A file as a lock. Throws Error{kConflict} where another process has it.
  virtual std::unique_ptr<Lock> lock(const std::string& path) = 0;
  // The folder itself as a lock, as long as what comes back lives. All that this disk does below the folder's path goes
  // to the folder that was held, wherever it has been moved and whatever is at its path by then.
  virtual std::unique_ptr<Lock> hold(const std::string& folder) = 0;
  // Throws Error{kIo} where a folder that is held, or an open file, is no longer what its path names.
  virtual void check_held() const = 0;
  virtual void check_named(const std::string& path, const File& file) const = 0;
};

// The whole of a file.
std::string read_whole(Disk& disk, const std::string& path);
// A file that is there whole or not at all, also after a loss of power: written beside it, synced, then renamed.
void write_whole(Disk& disk, const std::string& folder, const std::string& name, std::string_view bytes);

inline constexpr std::string_view kUnfinished = ".part";  // how names of files end that are not finished

}  // namespace tarry::store
