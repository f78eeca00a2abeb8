// Any bytes, and edits of right ones, as a segment of a journal and as a saved state: what is read is what was written,
// or nothing.
#include <cstdlib>
#include <cstring>

#include "edits.h"
#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/store/journal/segment.h"
#include "tarry/store/snapshots/snapshots.h"

namespace {

using namespace tarry;
using namespace tarry::store;

constexpr std::uint32_t kSalt = 77;

void expect(bool holds) {
  if (!holds) std::abort();
}

std::string payload_of(Position position) { return std::string(position % 37, 'a') + std::to_string(position); }

std::string right_segment() {
  std::string out = segment_head_bytes({5, 1024, kSalt, 4});
  for (Position position = 5; position < 15; ++position) {
    add_record(out, {RecordKind::kData, position, 9, position - 2, payload_of(position)}, kSalt);
    if (position % 4 == 0) add_record(out, {RecordKind::kSeal, position, 9, position, {}}, kSalt);
  }
  out.resize(1024);
  return out;
}

std::string right_snapshot() {
  ByteWriter out;
  out.raw("TARRYSNP");
  out.u64(kSavedFormat);
  out.raw("the state");
  out.u64(12);
  out.text("0.1.0");
  out.text("hash");
  out.text("");
  out.u64(9);
  out.u64(crc32c(out.bytes()));
  return out.take();
}

void read_all(std::string_view bytes) {
  try {
    read_segment_head(bytes);
  } catch (const Error& error) {
    expect(error.code() == Code::kCorrupt);
  }
  follow(bytes, kSegmentHead, 4, kSalt, [](const Record& record, std::uint64_t /*offset*/) {
    // No other payload has its checksum, but for one chance in four thousand million.
    expect(record.kind == RecordKind::kSeal || record.payload == payload_of(record.position));
    return true;
  });
  if (const auto named = find_named_above(bytes, 4, kSalt)) expect(*named > 4);
  end_of_content(bytes);
  try {
    read_saved(bytes);
  } catch (const Error& error) {
    expect(error.code() == Code::kCorrupt);
  }
}

// With a checksum that is right again.
std::string resealed(std::string bytes) {
  if (bytes.size() < 8) return bytes;
  const std::uint64_t crc = crc32c(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &crc, 8);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_all(bytes);
  fuzz::Choices segment(data, size), snapshot(data, size);
  read_all(fuzz::edited(right_segment(), segment));
  read_all(resealed(fuzz::edited(right_snapshot(), snapshot)));
  return 0;
}
