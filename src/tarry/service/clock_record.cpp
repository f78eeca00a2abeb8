#include "tarry/service/clock_record.h"

#include "tarry/base/bytes.h"

namespace tarry::service {
namespace {

constexpr std::string_view kMagic = "TARRYCLK";
constexpr std::uint64_t kFormat = 1;
constexpr std::size_t kHead = 8 + 3 * 8, kShift = 3 * 8, kTail = 8;

}  // namespace

std::string clock_record_bytes(const ClockRecord& record) {
  ByteWriter out;
  out.raw(kMagic);
  out.u64(kFormat);
  out.i64(record.at_ms);
  out.u64(record.shifts.size());
  for (const hosting::TimeShift& shift : record.shifts) {
    out.i64(shift.from_ms);
    out.i64(shift.to_ms);
    out.i64(shift.by_ms);
  }
  out.u64(crc32c(out.bytes()));
  return out.take();
}

std::optional<ClockRecord> read_clock_record(std::string_view bytes) {
  if (bytes.size() < kHead + kTail || !bytes.starts_with(kMagic)) return std::nullopt;
  ByteReader tail(bytes.substr(bytes.size() - kTail));
  if (tail.u64() != crc32c(bytes.substr(0, bytes.size() - kTail))) return std::nullopt;
  ByteReader in(bytes.substr(kMagic.size()));
  if (in.u64() != kFormat) return std::nullopt;
  ClockRecord record{.at_ms = in.i64()};
  const std::uint64_t count = in.u64();
  if (bytes.size() != kHead + kTail + count * kShift) return std::nullopt;
  for (std::uint64_t i = 0; i < count; ++i) {
    hosting::TimeShift shift{.from_ms = in.i64()};
    shift.to_ms = in.i64();
    shift.by_ms = in.i64();
    record.shifts.push_back(shift);
  }
  return record;
}

}  // namespace tarry::service
