// Snapshots as files: whole or not at all.
#pragma once

#include <filesystem>

#include "tarry/model/snapshot.h"

namespace tarry {

// Written to a name of its own beside it, synced, then renamed. Throws Error{kIo}.
void save_snapshot(const Model& model, const std::filesystem::path& path, std::uint64_t position = 0);

// The bytes of a file, as long as it lives.
class SnapshotFile {
 public:
  explicit SnapshotFile(const std::filesystem::path& path);  // throws Error{kIo}
  ~SnapshotFile();
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tarry
