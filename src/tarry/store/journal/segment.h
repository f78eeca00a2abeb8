// One file of the journal: a head, then records, then zeros up to the size that the head states. The file has its full
// size on the disk before it gets its name, so a shorter one has lost something.
//
//   "TARRYLOG" · u64 format · u64 first position · u64 size · u64 salt · u64 synced · u64 epoch before · u64 CRC-32C
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/store/journal/record.h"

namespace tarry::store {

inline constexpr std::uint64_t kJournalFormat = 2;  // 1 is read as well
inline constexpr std::size_t kSegmentHead = 64;
// At the end of a segment there is room for two seals: one when the log is idle, one when the next segment is durable.
inline constexpr std::size_t kSegmentTail = 2 * kRecordHead;
inline constexpr std::uint64_t kSmallestSegment = 512;

struct SegmentHead {
  Position first = 0;      // of the first record in it
  std::uint64_t size = 0;  // of the file
  // The checksums of the journal's records begin with it. Clients do not know it, so that bytes of theirs inside a
  // payload are never taken for a record.
  std::uint32_t salt = 0;
  Position synced = 0;
  std::uint64_t epoch_before = 0;  // of the entry before its first; 0: there is none, or format 1
};

std::string segment_head_bytes(const SegmentHead& head);
// Nothing where the head is damaged; throws Error{kCorrupt} where it is whole, but of another format.
std::optional<SegmentHead> read_segment_head(std::string_view bytes);

std::string segment_name(Position first);  // 00000000000000000001.log
std::optional<Position> segment_first(std::string_view name);

// What following the records of a segment came to.
struct Followed {
  std::uint64_t end = 0;                          // the offset behind the last valid record
  Position last = 0;                              // its position
  Position named = 0;                             // the highest `synced` in any of them
  std::vector<std::uint64_t> damaged_seals = {};  // their offsets
};

using Visit = std::function<bool(const Record& record, std::uint64_t offset)>;

// Follows the records from `offset` on, `last` being the position before. Ends at the first that is not valid, or not
// the next, or at which `visit` says false; that one is not counted. Where the next entry is whole behind a few seals
// that are not, nothing is lost: it is followed there.
Followed follow(std::string_view segment, std::uint64_t offset, Position last, std::uint32_t salt,
                const Visit& visit = {});

// Is there, anywhere in the bytes, a valid record that names a synced position above `last`? Gives that position.
std::optional<Position> find_named_above(std::string_view bytes, Position last, std::uint32_t salt);

// The offset behind the last byte that is not zero.
std::uint64_t end_of_content(std::string_view bytes);

}  // namespace tarry::store
