// Three homes for the same log of events: our journal, RocksDB and SQLite, each with the settings that its own
// documentation recommends for durability.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::bench {

class RivalLog {
 public:
  virtual ~RivalLog() = default;
  // Returns when all of it is durable.
  virtual void append(std::span<const std::string> payloads) = 0;
  // All payloads, in order. Throws where the log knows that something is wrong, as opening it may.
  virtual std::vector<std::string> read() = 0;
};

using OpenLog = std::function<std::unique_ptr<RivalLog>(const std::string& folder)>;

std::unique_ptr<RivalLog> open_own(const std::string& folder);
// Synced writes; its list of logs in the manifest, checked at opening. Recovery up to the first damage, its default.
std::unique_ptr<RivalLog> open_rocksdb(const std::string& folder);
// The same with kAbsoluteConsistency, which also refuses a log whose last write was cut off by a loss of power.
std::unique_ptr<RivalLog> open_rocksdb_absolute(const std::string& folder);
// A write-ahead log and synchronous = FULL.
std::unique_ptr<RivalLog> open_sqlite(const std::string& folder);

}  // namespace tarry::bench
