// The file `key`: the secret that tickets are signed with.
//
//   "TARRYKEY" · u64 format · 32 bytes · u64 CRC-32C
//
// Before there was a checksum it was the 32 bytes alone; that is read as well.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/store/disk/disk.h"

namespace tarry::store {

inline constexpr std::uint64_t kKeyFormat = 1;
inline constexpr std::size_t kKeyBytes = 32;
using KeyBytes = std::array<unsigned char, kKeyBytes>;

std::string key_file_bytes(const KeyBytes& key);

struct KeyFile {
  KeyBytes key{};
  bool checked = false;  // it has a checksum
};

// Nothing where there is none; throws Error{kCorrupt} where it is damaged.
std::optional<KeyFile> read_key(Disk& disk, const std::string& folder);
void write_key(Disk& disk, const std::string& folder, const KeyBytes& key);

}  // namespace tarry::store
