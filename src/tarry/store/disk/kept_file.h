// A file that is good to have and can be lost: it is there whole, or counts as missing.
//
//   "TARRYWCH" · u64 format · text payload · u64 CRC-32C of all before it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/store/disk/disk.h"

namespace tarry::store {

inline constexpr std::uint64_t kKeptFormat = 1;

// That of all models together, and that of one, by its incarnation.
inline constexpr const char* kKeptOfAll = "all";
std::string kept_name(std::uint64_t incarnation);

std::string kept_file_bytes(std::string_view payload);
// Nothing for bytes that are torn, damaged, or of another format.
std::optional<std::string> read_kept_bytes(std::string_view bytes);

// Nothing where there is none, too. Throws only what takes the process down anyway.
std::optional<std::string> read_kept(Disk& disk, const std::string& folder, const std::string& name);
void write_kept(Disk& disk, const std::string& folder, const std::string& name, std::string_view payload);

}  // namespace tarry::store
