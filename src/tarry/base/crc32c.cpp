#include "tarry/base/crc32c.h"

#include <array>
#include <cstring>

#include "tarry/base/bytes.h"

namespace tarry {
namespace {

// Eight tables: [k][b] is the checksum's change by byte b, k bytes before the end of a group of eight.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables crc_tables() {
  CrcTables table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t x = i;
    for (int bit = 0; bit < 8; ++bit) x = (x >> 1) ^ ((x & 1) ? 0x82F63B78u : 0);
    table[0][i] = x;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t i = 0; i < 256; ++i) table[k][i] = (table[k - 1][i] >> 8) ^ table[0][table[k - 1][i] & 0xFF];
  return table;
}

constexpr CrcTables kCrc = crc_tables();

#if defined(__x86_64__)
// Processors have had an instruction for it since 2008.
__attribute__((target("sse4.2"))) std::uint32_t crc_by_processor(std::string_view bytes, std::uint32_t crc) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t wide = crc;
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t group;
    std::memcpy(&group, at, 8);
    wide = __builtin_ia32_crc32di(wide, group);
  }
  crc = static_cast<std::uint32_t>(wide);
  for (; left > 0; --left, ++at) crc = __builtin_ia32_crc32qi(crc, static_cast<unsigned char>(*at));
  return crc;
}

bool has_crc() {
  static const bool has = __builtin_cpu_supports("sse4.2");
  return has;
}
#else
std::uint32_t crc_by_processor(std::string_view, std::uint32_t) { return 0; }
bool has_crc() { return false; }
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  if (has_crc()) return ~crc_by_processor(bytes, ~before);
  return crc32c_by_tables(bytes, before);
}

std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t group;
    std::memcpy(&group, at, 8);
    group ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= kCrc[7 - k][(group >> (8 * k)) & 0xFF];
  }
  for (; left > 0; --left, ++at) crc = (crc >> 8) ^ kCrc[0][(crc ^ static_cast<unsigned char>(*at)) & 0xFF];
  return ~crc;
}

}  // namespace tarry
