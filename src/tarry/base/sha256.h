// SHA-256 (FIPS 180-4): what names a state or a specification.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tarry {

class Sha256 {
 public:
  void add(std::string_view bytes);
  std::string hex();  // of all that was added, 64 digits; nothing may be added after

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{};
  std::uint64_t size_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace tarry
