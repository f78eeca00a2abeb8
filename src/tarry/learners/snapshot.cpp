#include "tarry/learners/snapshot.h"

#include <fmt/format.h>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::string_view kMagic = "TARRYSNP";

}  // namespace

std::string seal_snapshot(std::string_view payload) {
  ByteWriter head, tail;
  head.u64(kSnapshotVersion);
  head.u64(payload.size());
  std::string sealed;  // filled in place: a snapshot may be large
  sealed.reserve(kMagic.size() + head.bytes().size() + payload.size() + sizeof(std::uint64_t));
  sealed.append(kMagic).append(head.bytes()).append(payload);
  tail.u64(crc32c(sealed));
  return sealed.append(tail.bytes());
}

std::string_view open_snapshot(std::string_view snapshot) {
  constexpr std::size_t kHead = 8 + 8 + 8, kTail = 8;  // magic, version, length; checksum
  if (!snapshot.starts_with(kMagic)) throw Error(Code::kCorrupt, "snapshot: does not begin with TARRYSNP");
  if (snapshot.size() < kHead + kTail) throw Error(Code::kCorrupt, "snapshot: ends early");
  ByteReader head(snapshot.substr(kMagic.size()));
  if (const std::uint64_t version = head.u64(); version != kSnapshotVersion)
    throw Error(Code::kCorrupt,
                fmt::format("snapshot: version {} is not one this program reads ({})", version, kSnapshotVersion));
  if (const std::uint64_t length = head.u64(); length != snapshot.size() - kHead - kTail)
    throw Error(Code::kCorrupt,
                fmt::format("snapshot: says {} bytes, has {}", length, snapshot.size() - kHead - kTail));
  ByteReader tail(snapshot.substr(snapshot.size() - kTail));
  if (tail.u64() != crc32c(snapshot.substr(0, snapshot.size() - kTail)))
    throw Error(Code::kCorrupt, "snapshot: its checksum does not match");
  return snapshot.substr(kHead, snapshot.size() - kHead - kTail);
}

}  // namespace tarry
