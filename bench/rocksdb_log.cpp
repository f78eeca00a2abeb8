// RocksDB as a log: positions are keys, big-endian so that they are in order.
#include <rocksdb/db.h>

#include <stdexcept>

#include "log_rivals.h"

namespace tarry::bench {
namespace {

void check(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error("rocksdb: " + status.ToString());
}

std::string key_of(std::uint64_t position) {
  std::string key(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<char>(position >> (56 - 8 * i));
  return key;
}

class RocksDbLog : public RivalLog {
 public:
  RocksDbLog(const std::string& folder, rocksdb::WALRecoveryMode recovery) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.paranoid_checks = true;
    options.track_and_verify_wals_in_manifest = true;
    options.wal_recovery_mode = recovery;
    rocksdb::DB* opened = nullptr;
    check(rocksdb::DB::Open(options, folder, &opened));
    db_.reset(opened);
  }

  void append(std::span<const std::string> payloads) override {
    rocksdb::WriteBatch batch;
    for (const auto& payload : payloads) check(batch.Put(key_of(++last_), payload));
    rocksdb::WriteOptions durable;
    durable.sync = true;
    check(db_->Write(durable, &batch));
  }

  std::vector<std::string> read() override {
    std::vector<std::string> found;
    rocksdb::ReadOptions careful;
    careful.verify_checksums = true;
    std::unique_ptr<rocksdb::Iterator> entry(db_->NewIterator(careful));
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) found.push_back(entry->value().ToString());
    check(entry->status());
    return found;
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::uint64_t last_ = 0;
};

}  // namespace

std::unique_ptr<RivalLog> open_rocksdb(const std::string& folder) {
  return std::make_unique<RocksDbLog>(folder, rocksdb::WALRecoveryMode::kPointInTimeRecovery);
}

std::unique_ptr<RivalLog> open_rocksdb_absolute(const std::string& folder) {
  return std::make_unique<RocksDbLog>(folder, rocksdb::WALRecoveryMode::kAbsoluteConsistency);
}

}  // namespace tarry::bench
