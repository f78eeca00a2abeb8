#include "tarry/store/journal/segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::store {
namespace {

constexpr std::string_view kSegmentMagic = "TARRYLOG";
constexpr std::string_view kEnding = ".log";
constexpr std::size_t kDigits = 20;
constexpr std::size_t kSealsInARow = 4;

// Where the entry after `last` begins, if only seals lie before it; else `offset`. It is the journal's own: what was
// torn is overwritten with zeros before anything is appended.
std::uint64_t behind_damaged_seals(std::string_view segment, std::uint64_t offset, Position last, std::uint32_t salt) {
  for (std::size_t seals = 1; seals <= kSealsInARow; ++seals) {
    const std::uint64_t at = offset + seals * kRecordHead;
    if (at >= segment.size()) break;
    const std::optional<Record> record = read_record(segment.substr(at), salt);
    if (record && record->kind == RecordKind::kData && record->position == last + 1) return at;
  }
  return offset;
}

}  // namespace

std::string segment_head_bytes(const SegmentHead& head) {
  ByteWriter out;
  out.raw(kSegmentMagic);
  out.u64(kJournalFormat);
  out.u64(head.first);
  out.u64(head.size);
  out.u64(head.salt);
  out.u64(head.synced);
  out.u64(head.epoch_before);
  out.u64(crc32c(out.bytes()));
  return out.take();
}

std::optional<SegmentHead> read_segment_head(std::string_view bytes) {
  if (bytes.size() < kSegmentHead || !bytes.starts_with(kSegmentMagic)) return std::nullopt;
  ByteReader in(bytes.substr(kSegmentMagic.size(), kSegmentHead - kSegmentMagic.size()));
  const std::uint64_t format = in.u64();
  SegmentHead head;
  head.first = in.u64();
  head.size = in.u64();
  const std::uint64_t salt = in.u64();
  head.salt = static_cast<std::uint32_t>(salt);
  head.synced = in.u64();
  head.epoch_before = in.u64();
  if (in.u64() != crc32c(bytes.substr(0, kSegmentHead - 8))) return std::nullopt;
  if (format == 0 || format > kJournalFormat)
    throw Error(Code::kCorrupt,
                fmt::format("journal: format {} is not one this program reads (1 to {})", format, kJournalFormat));
  return head;
}

std::string segment_name(Position first) { return fmt::format("{:020}{}", first, kEnding); }

std::optional<Position> segment_first(std::string_view name) {
  if (name.size() != kDigits + kEnding.size() || !name.ends_with(kEnding)) return std::nullopt;
  Position first = 0;
  const char* end = name.data() + kDigits;
  const auto [stop, error] = std::from_chars(name.data(), end, first);
  if (stop != end || error != std::errc() || first == 0) return std::nullopt;
  return first;
}

Followed follow(std::string_view segment, std::uint64_t offset, Position last, std::uint32_t salt, const Visit& visit) {
  Followed done{offset, last, 0};
  while (done.end < segment.size()) {
    const std::optional<Record> record = read_record(segment.substr(done.end), salt);
    if (!record) {
      const std::uint64_t entry = behind_damaged_seals(segment, done.end, done.last, salt);
      if (entry == done.end) break;
      for (; done.end < entry; done.end += kRecordHead) done.damaged_seals.push_back(done.end);
      continue;
    }
    const bool data = record->kind == RecordKind::kData;
    if (record->position != (data ? done.last + 1 : done.last)) break;
    if (visit && !visit(*record, done.end)) break;
    done.end += record_bytes(record->payload.size());
    done.last = record->position;
    done.named = std::max(done.named, record->synced);
  }
  return done;
}

std::optional<Position> find_named_above(std::string_view bytes, Position last, std::uint32_t salt) {
  for (std::size_t at = 0; at + kRecordHead <= bytes.size(); at += kRecordUnit) {
    const std::string_view rest = bytes.substr(at);
    ByteReader synced(rest.substr(kRecordHead - 8, 8));
    if (synced.u64() <= last) continue;  // zeros, and records that cannot tell more: no checksum is computed
    if (const std::optional<Record> record = read_record(rest, salt)) return record->synced;
  }
  return std::nullopt;
}

std::uint64_t end_of_content(std::string_view bytes) {
  const std::size_t at = bytes.find_last_not_of('\0');
  return at == std::string_view::npos ? 0 : at + 1;
}

}  // namespace tarry::store
