// A fuzz input as choices, and as edits of bytes that are right: a reader meets far more of its checks that way than
// from bytes that are wrong from the start.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace tarry::fuzz {

// The input as numbers, from its front; zeros once it has ended.
class Choices {
 public:
  Choices(const unsigned char* data, std::size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  bool any() const { return !rest_.empty(); }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t x = 0;
    const std::size_t count = std::min(bytes, rest_.size());
    std::memcpy(&x, rest_.data(), count);
    rest_.remove_prefix(count);
    return x;
  }
  std::size_t below(std::size_t end) { return end == 0 ? 0 : number(2) % end; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// What a number of eight bytes is replaced by: edges of counts and of doubles.
inline std::uint64_t awkward(std::uint64_t which) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array kReals = {kNaN, kInfinity, -kInfinity, 1e308, -1e308, 5e-324, -0.0, 1.0, -1.0, 0.5, 1e9, 0x1p53};
  constexpr std::array<std::uint64_t, 10> kCounts = {0,
                                                     1,
                                                     2,
                                                     3,
                                                     7,
                                                     1u << 24,
                                                     std::uint64_t{1} << 31,
                                                     std::uint64_t{1} << 40,
                                                     std::uint64_t{1} << 63,
                                                     ~std::uint64_t{0}};
  which %= kReals.size() + kCounts.size();
  return which < kReals.size() ? std::bit_cast<std::uint64_t>(kReals[which]) : kCounts[which - kReals.size()];
}

// Up to eight edits, from `first` on: of a byte, of a number, of what is there.
inline std::string edited(std::string bytes, Choices& choices, std::size_t first = 0) {
  for (int left = 8; left > 0 && choices.any() && bytes.size() > first; --left) {
    const std::uint64_t kind = choices.number(1);
    std::size_t at = choices.below(bytes.size() - first);
    at = first + (kind % 8 != 0 ? at - at % 8 : at);
    const std::size_t size = std::min<std::size_t>(8, bytes.size() - at);
    std::uint64_t x = 0;
    std::memcpy(&x, bytes.data() + at, size);
    switch (kind % 8) {
      case 0:
        x ^= choices.number(1);
        break;
      case 1:
      case 2:
        x = awkward(choices.number(1));
        break;
      case 3:
        x = choices.number(8);
        break;
      case 4:
        x += choices.number(1) - 128;
        break;
      case 5:
        bytes.erase(at, size);
        continue;
      case 6:
        bytes.insert(at, reinterpret_cast<const char*>(&x), size);
        continue;
      case 7:  // a number from elsewhere
        std::memcpy(&x, bytes.data() + choices.below(bytes.size() - size + 1), size);
        break;
    }
    std::memcpy(bytes.data() + at, &x, size);
  }
  return bytes;
}

}  // namespace tarry::fuzz
