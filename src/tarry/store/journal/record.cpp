#include "tarry/store/journal/record.h"

#include <cstring>

#include "tarry/base/bytes.h"

namespace tarry::store {
namespace {

constexpr std::size_t kChecked = 4;  // the checksum is of all that follows it

template <class Number>
void put(char* at, Number x) {
  std::memcpy(at, &x, sizeof x);
}

template <class Number>
Number get(std::string_view bytes, std::size_t offset) {
  Number x;
  std::memcpy(&x, bytes.data() + offset, sizeof x);
  return x;
}

}  // namespace

void add_record(std::string& out, const Record& record, std::uint32_t salt) {
  const std::size_t begin = out.size();
  out.resize(begin + record_bytes(record.payload.size()));
  char* at = out.data() + begin;
  put(at + 4, static_cast<std::uint32_t>(record.kind));
  put(at + 8, static_cast<std::uint64_t>(record.payload.size()));
  put(at + 16, record.position);
  put(at + 24, record.epoch);
  put(at + 32, record.synced);
  if (!record.payload.empty()) std::memcpy(at + kRecordHead, record.payload.data(), record.payload.size());
  put(at, crc32c(std::string_view(out).substr(begin + kChecked), salt));
}

std::optional<Record> read_record(std::string_view bytes, std::uint32_t salt) {
  if (bytes.size() < kRecordHead) return std::nullopt;
  const auto kind = get<std::uint32_t>(bytes, 4);
  const auto length = get<std::uint64_t>(bytes, 8);
  if (kind != static_cast<std::uint32_t>(RecordKind::kData) && kind != static_cast<std::uint32_t>(RecordKind::kSeal))
    return std::nullopt;
  if (length > kLongestPayload || record_bytes(length) > bytes.size()) return std::nullopt;
  const std::string_view checked = bytes.substr(kChecked, record_bytes(length) - kChecked);
  if (crc32c(checked, salt) != get<std::uint32_t>(bytes, 0)) return std::nullopt;
  return Record{static_cast<RecordKind>(kind), get<Position>(bytes, 16), get<std::uint64_t>(bytes, 24),
                get<Position>(bytes, 32), bytes.substr(kRecordHead, length)};
}

}  // namespace tarry::store
