#include "tarry/store/disk/key_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::store {
namespace {

constexpr std::string_view kName = "key";
constexpr std::string_view kKeyMagic = "TARRYKEY";
constexpr std::size_t kBefore = 8 + 8;  // magic, format
constexpr std::size_t kWhole = kBefore + kKeyBytes + 8;

}  // namespace

std::string key_file_bytes(const KeyBytes& key) {
  ByteWriter out;
  out.raw(kKeyMagic);
  out.u64(kKeyFormat);
  out.raw({reinterpret_cast<const char*>(key.data()), key.size()});
  out.u64(crc32c(out.bytes()));
  return out.take();
}

std::optional<KeyFile> read_key(Disk& disk, const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kName);
  if (!disk.exists(path)) return std::nullopt;
  const std::string bytes = read_whole(disk, path);
  KeyFile file;
  if (bytes.starts_with(kKeyMagic) &&
      bytes.size() < kWhole)  // also where 32 bytes of it are left, which are no old key
    throw Error(Code::kCorrupt, fmt::format("{}: ends after {} of {} bytes: restore it", path, bytes.size(), kWhole));
  if (bytes.size() == kKeyBytes) {
    std::copy(bytes.begin(), bytes.end(), file.key.begin());
    return file;
  }
  if (bytes.size() != kWhole)
    throw Error(Code::kCorrupt, fmt::format("{}: must have {} bytes, or {} without a checksum (has {})", path, kWhole,
                                            kKeyBytes, bytes.size()));
  const std::string_view all = bytes;
  if (!all.starts_with(kKeyMagic) || ByteReader(all.substr(kWhole - 8)).u64() != crc32c(all.substr(0, kWhole - 8)))
    throw Error(Code::kCorrupt, path + ": its checksum does not match: restore it");
  if (const std::uint64_t format = ByteReader(all.substr(kKeyMagic.size(), 8)).u64(); format != kKeyFormat)
    throw Error(Code::kCorrupt,
                fmt::format("{}: format {} is not one this program reads ({})", path, format, kKeyFormat));
  std::copy_n(bytes.begin() + kBefore, kKeyBytes, file.key.begin());
  file.checked = true;
  return file;
}

void write_key(Disk& disk, const std::string& folder, const KeyBytes& key) {
  write_whole(disk, folder, std::string(kName), key_file_bytes(key));
}

}  // namespace tarry::store
