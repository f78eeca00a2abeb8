// Whether two short texts are the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tarry {

// As ==, without a call: most texts are short.
[[gnu::always_inline]] inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto differs = [&]<class Word>(std::size_t i, Word) {
    Word x, y;
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    return x != y;
  };
  const std::size_t size = a.size();
  if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= 8) return !differs(0, std::uint64_t{}) && !differs(size - 8, std::uint64_t{});
  if (size >= 4) return !differs(0, std::uint32_t{}) && !differs(size - 4, std::uint32_t{});
  return size == 0 || (a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1]);
}

}  // namespace tarry
