// CRC-32C by tables: for processors that have no instruction for it. bytes.h has the one to call.
#pragma once

#include <cstdint>
#include <string_view>

namespace tarry {

std::uint32_t crc32c_by_tables(std::string_view bytes, std::uint32_t before = 0);

}  // namespace tarry
