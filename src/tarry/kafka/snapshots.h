// Snapshots of partitions as records of a compacted topic: chunks, each with a checksum, under a key that names the
// position, the engine, its arithmetic and the chunk. One that is not whole does not count, so a writer may die at any
// moment; a late one only writes what is there already.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

struct SnapshotName {
  Offset next = 0;               // of the first event that is not in it
  std::string engine;            // the version that wrote it
  std::uint64_t arithmetic = 0;  // the number that it was folded with; 0: written before there were numbers

  auto operator<=>(const SnapshotName&) const = default;
};

struct Chunk {
  std::string key, value;
};

std::string chunk_key(const SnapshotName& name, std::uint64_t index);
std::vector<Chunk> chunks_of(const SnapshotName& name, std::string_view bytes,
                             std::size_t chunk_size = std::size_t{900} << 10);

// Takes the records of one partition of the topic, in their order.
class SnapshotShelf {
 public:
  void take(std::string_view key, std::optional<std::string_view> value);

  std::vector<SnapshotName> whole() const;  // the latest first
  std::optional<std::string> bytes(const SnapshotName& name) const;
  // Keys of everything before a snapshot, whole or not: they may go once it is durable.
  std::vector<std::string> keys_before(Offset next) const;

 private:
  struct Part {
    std::uint64_t count = 0, size = 0;
    std::uint32_t checksum = 0;  // of the whole
    std::string bytes;
    bool sound = false;
  };
  std::map<SnapshotName, std::map<std::uint64_t, Part>> parts_;
};

}  // namespace tarry::kafka
