// Little-endian bytes, as snapshots and journals store them, and the checksum (CRC-32C) that guards them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

// Of bytes that follow others, `before` being the checksum of those.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

// Collects bytes, hands them on piece by piece, or only counts them.
class ByteWriter {
 public:
  ByteWriter() = default;
  // Hands them on in pieces, so that a large state needs no second copy; call flush() at the end. A piece is good for
  // the length of the call.
  explicit ByteWriter(std::function<void(std::string_view piece)> sink) : sink_(std::move(sink)) {}

  void u8(std::uint8_t x) { append({reinterpret_cast<const char*>(&x), 1}); }
  void u64(std::uint64_t x);
  void i64(std::int64_t x) { u64(static_cast<std::uint64_t>(x)); }
  void f64(double x);
  void text(std::string_view x);
  void reals(std::span<const double> x);
  void integers(std::span<const std::int64_t> x);

  // One that counts what is written and keeps none of it.
  static ByteWriter counting() {
    ByteWriter writer;
    writer.keeps_ = false;
    return writer;
  }
  std::size_t size() const { return size_; }
  void flush();

  void raw(std::string_view bytes) { append(bytes); }  // without a length in front

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void append(std::string_view raw);

  bool keeps_ = true;
  std::function<void(std::string_view)> sink_;
  std::size_t size_ = 0;
  std::string bytes_;
};

// Reads what a ByteWriter wrote; throws Error{kCorrupt} rather than read past the end. It only looks: the bytes are the
// caller's and must outlive it and every view that it gives.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint64_t u64();
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  double f64();  // neither infinite nor NaN: no state has such a number
  std::string text() { return std::string(view()); }
  std::string_view view();      // a text, in place
  std::vector<double> reals();  // each as f64()
  std::vector<std::int64_t> integers();
  // How many items of at least `unit` bytes follow: checked against what is left before anything is allocated.
  std::uint64_t count(std::uint64_t unit = 8) { return length(unit); }
  std::size_t left() const { return rest_.size(); }
  std::string_view rest() const { return rest_; }  // in place
  void expect_end() const;

  // The same with what must hold of them.
  bool flag();                                   // of eight bytes: 0 or 1
  double finite();                               // as f64()
  double size();                                 // not negative
  std::vector<double> reals(std::size_t count);  // so many
  std::vector<double> finites(std::size_t count);

 private:
  std::string_view take(std::uint64_t count);
  std::uint64_t length(std::uint64_t unit);

  std::string_view rest_;
};

}  // namespace tarry
