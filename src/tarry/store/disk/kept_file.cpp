#include "tarry/store/disk/kept_file.h"

#include "tarry/base/bytes.h"

namespace tarry::store {
namespace {

constexpr std::string_view kKeptMark = "TARRYWCH";

}  // namespace

std::string kept_name(std::uint64_t incarnation) { return std::to_string(incarnation) + ".watch"; }

std::string kept_file_bytes(std::string_view payload) {
  ByteWriter out;
  out.raw(kKeptMark);
  out.u64(kKeptFormat);
  out.text(payload);
  out.u64(crc32c(out.bytes()));
  return out.take();
}

std::optional<std::string> read_kept_bytes(std::string_view bytes) {
  constexpr std::size_t kSum = 8;
  if (!bytes.starts_with(kKeptMark) || bytes.size() < kKeptMark.size() + kSum) return std::nullopt;
  try {
    ByteReader sum(bytes.substr(bytes.size() - kSum));
    if (sum.u64() != crc32c(bytes.substr(0, bytes.size() - kSum))) return std::nullopt;
    ByteReader in(bytes.substr(kKeptMark.size(), bytes.size() - kKeptMark.size() - kSum));
    if (in.u64() != kKeptFormat) return std::nullopt;
    std::string payload = in.text();
    in.expect_end();
    return payload;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> read_kept(Disk& disk, const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name;
  try {
    if (!disk.exists(path)) return std::nullopt;
    return read_kept_bytes(read_whole(disk, path));
  } catch (const Error&) {
    return std::nullopt;
  }
}

void write_kept(Disk& disk, const std::string& folder, const std::string& name, std::string_view payload) {
  write_whole(disk, folder, name, kept_file_bytes(payload));
}

}  // namespace tarry::store
