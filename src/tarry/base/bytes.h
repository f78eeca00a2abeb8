// Little-endian bytes, as snapshots and journals store them, and the checksum (CRC-32C) that guards them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

std::uint32_t crc32c(std::string_view bytes);

class ByteWriter {
 public:
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

  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  void append(std::string_view raw);

  bool keeps_ = true;
  std::size_t size_ = 0;
  std::string bytes_;
};

// Reads what a ByteWriter wrote; throws Error{kCorrupt} rather than read past the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t u64();
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  double f64();
  std::string text();
  std::vector<double> reals();
  std::vector<std::int64_t> integers();
  void expect_end() const;

 private:
  std::string_view take(std::uint64_t count);
  std::uint64_t length(std::uint64_t unit);

  std::string_view rest_;
};

}  // namespace tarry
