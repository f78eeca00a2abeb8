// Saves and loads a type by one list of its fields, so that the two cannot differ:
//
//   template <class F> void fields(F& f) { f(number_, name_, list_); }
//
// Compact: zeros and small whole numbers, which most counts are, take a byte or two. Loading throws Error{kCorrupt}
// rather than read past the end; what else must hold is for the caller to check. Any double may be there, NaN too.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry {

class FieldsOut {
 public:
  explicit FieldsOut(ByteWriter& out) : out_(out) {}
  template <class... T>
  void operator()(const T&... x) {
    (put(x), ...);
  }

 private:
  template <class T>
  void put(const T& x) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      whole(static_cast<std::uint64_t>(x));
    else
      const_cast<T&>(x).fields(*this);  // which only looks at them here
  }
  void put(const float& x) { put(static_cast<double>(x)); }
  void put(const double& x) {
    const bool small = x >= 0 && x < 1e15 && x == std::floor(x) && !std::signbit(x);
    out_.u8(small ? 0 : 1);
    if (small)
      whole(static_cast<std::uint64_t>(x));
    else
      out_.u64(std::bit_cast<std::uint64_t>(x));
  }
  void put(const std::string& x) { out_.text(x); }
  template <class T, std::size_t n>
  void put(const std::array<T, n>& x) {
    for (const T& one : x) put(one);
  }
  template <class T>
  void put(const std::vector<T>& x) {
    list(x);
  }
  template <class T>
  void put(const std::deque<T>& x) {
    list(x);
  }
  template <class List>
  void list(const List& x) {
    whole(x.size());
    for (const auto& one : x) put(one);
  }
  void whole(std::uint64_t x) {  // seven bits a byte, the lowest first
    for (; x >= 128; x >>= 7) out_.u8(static_cast<std::uint8_t>(x | 128));
    out_.u8(static_cast<std::uint8_t>(x));
  }

  ByteWriter& out_;
};

class FieldsIn {
 public:
  explicit FieldsIn(ByteReader& in) : in_(in) {}
  template <class... T>
  void operator()(T&... x) {
    (get(x), ...);
  }

 private:
  template <class T>
  void get(T& x) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      x = static_cast<T>(whole());
    else
      x.fields(*this);
  }
  void get(bool& x) { x = whole() != 0; }
  void get(float& x) {
    double wide = 0;
    get(wide);
    x = static_cast<float>(wide);
  }
  void get(double& x) { x = in_.u8() == 0 ? static_cast<double>(whole()) : std::bit_cast<double>(in_.u64()); }
  void get(std::string& x) { x = in_.text(); }
  template <class T, std::size_t n>
  void get(std::array<T, n>& x) {
    for (T& one : x) get(one);
  }
  template <class T>
  void get(std::vector<T>& x) {
    list(x);
  }
  template <class T>
  void get(std::deque<T>& x) {
    list(x);
  }
  template <class List>
  void list(List& x) {
    const std::uint64_t count = whole();
    if (count > in_.left()) throw Error(Code::kCorrupt, "a list is longer than the bytes that are left");
    x.clear();
    for (std::uint64_t k = 0; k < count; ++k) get(x.emplace_back());
  }
  std::uint64_t whole() {
    std::uint64_t x = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = in_.u8();
      x |= static_cast<std::uint64_t>(part & 127) << shift;
      if (part < 128) return x;
    }
    throw Error(Code::kCorrupt, "a number has too many bytes");
  }

  ByteReader& in_;
};

}  // namespace tarry
