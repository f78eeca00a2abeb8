// One record of the journal, as bytes (docs/store_format.md):
//
//   u32 CRC-32C · u32 kind · u64 length · u64 position · u64 epoch · u64 synced · payload · zeros to a multiple of 8
//
// `synced` is the highest position that was known to be durable when the record was written: a reader that finds a
// damaged record at or below it knows that the disk has lost what it had promised to keep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/log.h"

namespace tarry::store {

using hosting::Position;

enum class RecordKind : std::uint32_t {
  kEnd = 0,   // what zeros read as
  kData = 1,  // an entry of the log
  kSeal = 2,  // no entry: says what is durable, at the position of the entry before it
};

inline constexpr std::size_t kRecordHead = 40;
inline constexpr std::size_t kRecordUnit = 8;  // records begin at multiples of it
inline constexpr std::uint64_t kLongestPayload = std::uint64_t{1} << 30;

struct Record {
  RecordKind kind = RecordKind::kData;
  Position position = 0;
  std::uint64_t epoch = 0;
  Position synced = 0;
  std::string_view payload = {};
};

// Bytes of a record with so long a payload.
constexpr std::uint64_t record_bytes(std::uint64_t payload) {
  return kRecordHead + (payload + kRecordUnit - 1) / kRecordUnit * kRecordUnit;
}

// `salt`: what the journal's checksums begin with (segment.h).
void add_record(std::string& out, const Record& record, std::uint32_t salt);

// The record at the beginning of `bytes`, its payload in place; nothing where there is no valid one.
std::optional<Record> read_record(std::string_view bytes, std::uint32_t salt);

}  // namespace tarry::store
