#include "tarry/base/bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr std::size_t kPiece = 1 << 16;  // bytes that a writer hands on at once

static_assert(std::endian::native == std::endian::little, "snapshots are written in native little-endian order");

}  // namespace

void ByteWriter::append(std::string_view raw) {
  size_ += raw.size();
  if (!keeps_) return;
  if (sink_ && bytes_.size() + raw.size() > kPiece) {
    flush();
    if (raw.size() > kPiece) return sink_(raw);
  }
  bytes_.append(raw);
}

void ByteWriter::flush() {
  if (!sink_) return;
  sink_(bytes_);
  bytes_.clear();
}

void ByteWriter::u64(std::uint64_t x) {
  char raw[8];
  std::memcpy(raw, &x, 8);
  append({raw, 8});
}

void ByteWriter::f64(double x) { u64(std::bit_cast<std::uint64_t>(x)); }

void ByteWriter::text(std::string_view x) {
  u64(x.size());
  append(x);
}

void ByteWriter::reals(std::span<const double> x) {
  u64(x.size());
  append({reinterpret_cast<const char*>(x.data()), x.size_bytes()});
}

void ByteWriter::integers(std::span<const std::int64_t> x) {
  u64(x.size());
  append({reinterpret_cast<const char*>(x.data()), x.size_bytes()});
}

std::string_view ByteReader::take(std::uint64_t count) {
  if (count > rest_.size())
    throw Error(Code::kCorrupt, "snapshot: ends early (wanted " + std::to_string(count) + " more bytes, found " +
                                    std::to_string(rest_.size()) + ")");
  std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

// A count of items of `unit` bytes, checked against what is left before anything is allocated.
std::uint64_t ByteReader::length(std::uint64_t unit) {
  const std::uint64_t count = u64();
  if (count > rest_.size() / unit)
    throw Error(Code::kCorrupt, "snapshot: ends early (a list of " + std::to_string(count) + " items does not fit in " +
                                    std::to_string(rest_.size()) + " bytes)");
  return count;
}

std::uint64_t ByteReader::u64() {
  std::uint64_t x;
  std::memcpy(&x, take(8).data(), 8);
  return x;
}

// No state has such a number, and no reply may.
double ByteReader::f64() {
  const double x = std::bit_cast<double>(u64());
  if (!std::isfinite(x))
    throw Error(Code::kCorrupt, "snapshot: a number must be finite (" + std::to_string(x) + " came)");
  return x;
}

std::string_view ByteReader::view() { return take(length(1)); }

std::vector<double> ByteReader::reals() {
  std::vector<double> x(length(8));
  const std::string_view raw = take(x.size() * 8);
  if (!x.empty()) std::memcpy(x.data(), raw.data(), raw.size());
  if (!std::all_of(x.begin(), x.end(), [](double each) { return std::isfinite(each); }))
    throw Error(Code::kCorrupt, "snapshot: a list has a number that is not finite");
  return x;
}

std::vector<std::int64_t> ByteReader::integers() {
  std::vector<std::int64_t> x(length(8));
  const std::string_view raw = take(x.size() * 8);
  if (!x.empty()) std::memcpy(x.data(), raw.data(), raw.size());
  return x;
}

void ByteReader::expect_end() const {
  if (!rest_.empty())
    throw Error(Code::kCorrupt, "snapshot: " + std::to_string(rest_.size()) + " bytes are left over at its end");
}

bool ByteReader::flag() {
  const std::uint64_t x = u64();
  if (x > 1) throw Error(Code::kCorrupt, "snapshot: a flag must be 0 or 1 (" + std::to_string(x) + " came)");
  return x == 1;
}

double ByteReader::finite() { return f64(); }

double ByteReader::size() {
  const double x = f64();
  if (x < 0) throw Error(Code::kCorrupt, "snapshot: a size must not be negative (" + std::to_string(x) + " came)");
  return x;
}

std::vector<double> ByteReader::reals(std::size_t count) {
  std::vector<double> x = reals();
  if (x.size() != count)
    throw Error(Code::kCorrupt, "snapshot: a list has " + std::to_string(x.size()) + " numbers where " +
                                    std::to_string(count) + " are wanted");
  return x;
}

std::vector<double> ByteReader::finites(std::size_t count) { return reals(count); }

}  // namespace tarry
