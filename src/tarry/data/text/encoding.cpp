#include "tarry/data/text/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry::data {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

// What Windows-1252 has between 0x80 and 0x9F; the five that it leaves out are as in Latin-1.
constexpr std::array<std::uint16_t, 32> kWindows = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void append_utf8(std::string& out, std::uint32_t c) {
  const auto byte = [&](std::uint32_t x) { out += static_cast<char>(x); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

// The bytes of the character that begins with this one; 0: none does.
std::size_t utf8_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

// The first byte from `at` on that is above 0x7F, eight at a time; or the end.
std::size_t end_of_ascii(std::string_view text, std::size_t at) {
  for (std::uint64_t eight = 0; at + 8 <= text.size(); at += 8) {
    std::memcpy(&eight, text.data() + at, 8);
    if ((eight & 0x8080808080808080u) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

class Decoder {
 public:
  Decoder(std::string name, ByteSource source, std::shared_ptr<SeenEncoding> seen)
      : name_(std::move(name)), source_(std::move(source)), seen_(std::move(seen)) {}

  std::size_t read(char* into, std::size_t room) {
    if (at_ == out_.size() && !ended_ && passes_on()) return pass_on(into, room);
    while (at_ == out_.size() && !ended_) refill();
    const std::size_t count = std::min(room, out_.size() - at_);
    std::memcpy(into, out_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  enum class Width : std::uint8_t { kBytes, kLittle, kBig };

  // Whether ASCII stays as it is, and nothing of a character waits for the rest of it.
  bool passes_on() const { return width_ == Width::kBytes && line_ends_ && !only_returns_ && raw_.empty(); }

  // Text without any other character, as most is, needs no way through the buffers.
  std::size_t pass_on(char* into, std::size_t room) {
    const std::size_t got = source_(into, room);
    ended_ = got == 0;
    const std::string_view text(into, got);
    if (end_of_ascii(text, 0) == got) return got;
    raw_ = text;
    out_.clear();
    at_ = 0;
    raw_.erase(0, take_bytes());
    return read(into, room);
  }

  void refill() {
    out_.clear();
    at_ = 0;
    const std::size_t had = raw_.size();
    raw_.resize(had + kBlock);
    const std::size_t got = source_(raw_.data() + had, kBlock);
    raw_.resize(had + got);
    ended_ = got == 0;
    if (!begun_) begin();
    const std::size_t used = width_ == Width::kBytes ? take_bytes() : take_pairs();
    raw_.erase(0, used);
    if (!line_ends_) {  // of the first text that has any
      const bool returns = out_.find('\r') != std::string::npos && out_.find('\n') == std::string::npos;
      line_ends_ = returns || out_.find('\n') != std::string::npos;
      only_returns_ = returns && out_.find('\r') + 1 < out_.size();
    }
    if (only_returns_) std::replace(out_.begin(), out_.end(), '\r', '\n');
  }

  void begin() {
    begun_ = true;
    if (const std::string what = not_text(raw_, name_); !what.empty())
      throw Error(Code::kBadInput, name_ + ": " + what);
    std::size_t zeros[2] = {0, 0};
    const std::size_t looked = std::min<std::size_t>(raw_.size(), 4096);
    for (std::size_t i = 0; i < looked; ++i) zeros[i % 2] += raw_[i] == 0 ? 1 : 0;
    const auto most = [&](std::size_t which) { return 5 * zeros[which] > looked && 20 * zeros[1 - which] < looked; };
    if (raw_.starts_with("\xFF\xFE") || most(1))
      width_ = Width::kLittle;
    else if (raw_.starts_with("\xFE\xFF") || most(0))
      width_ = Width::kBig;
    if (width_ != Width::kBytes) seen_->name = width_ == Width::kLittle ? "utf-16le" : "utf-16be";
  }

  std::size_t take_pairs() {
    std::size_t i = 0;
    const auto unit = [&](std::size_t at) {
      const auto a = static_cast<unsigned char>(raw_[at]), b = static_cast<unsigned char>(raw_[at + 1]);
      return static_cast<std::uint32_t>(width_ == Width::kLittle ? a | b << 8 : b | a << 8);
    };
    for (; i + 1 < raw_.size(); i += 2) {
      const std::uint32_t first = unit(i);
      const bool high = first >= 0xD800 && first < 0xDC00;
      if (high && i + 3 >= raw_.size() && !ended_) break;  // its other half is still to come
      const std::uint32_t second = high && i + 3 < raw_.size() ? unit(i + 2) : 0;
      if (second >= 0xDC00 && second < 0xE000) {
        append_utf8(out_, 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00));
        i += 2;
      } else {
        append_utf8(out_, first >= 0xD800 && first < 0xE000 ? 0xFFFD : first);
      }
    }
    return i;
  }

  // What is not UTF-8 becomes it byte by byte.
  std::size_t take_bytes() {
    out_.reserve(raw_.size());
    std::size_t i = 0;
    while (i < raw_.size()) {
      const std::size_t begin = i;
      i = end_of_ascii(raw_, i);
      out_.append(raw_, begin, i - begin);
      if (i == raw_.size()) break;
      const auto first = static_cast<unsigned char>(raw_[i]);
      const std::size_t length = utf8_length(first);
      if (length > 0 && i + length > raw_.size() && !ended_) break;
      if (length > 0 && i + length <= raw_.size() && follows(i, length)) {
        out_.append(raw_, i, length);
        i += length;
        continue;
      }
      append_utf8(out_, first < 0xA0 ? kWindows[first - 0x80] : first);
      seen_->name = "windows-1252";
      ++i;
    }
    return i;
  }

  bool follows(std::size_t at, std::size_t length) const {
    for (std::size_t i = 1; i < length; ++i)
      if ((static_cast<unsigned char>(raw_[at + i]) & 0xC0) != 0x80) return false;
    return true;
  }

  std::string name_;
  ByteSource source_;
  std::shared_ptr<SeenEncoding> seen_;
  std::string raw_, out_;  // what is still to be decoded, and what is to be handed out
  std::size_t at_ = 0;
  Width width_ = Width::kBytes;
  bool begun_ = false, ended_ = false;
  bool line_ends_ = false, only_returns_ = false;  // whether any was seen; lines end as on old Macintoshes
};

}  // namespace

std::string not_text(std::string_view bytes, std::string_view name) {
  constexpr std::string_view kSave = "save it as CSV, or in Python give tarry.late_labels what pandas reads of it";
  struct Kind {
    std::string_view magic, what;
  };
  using namespace std::string_view_literals;
  static constexpr std::array<Kind, 14> kKinds = {{{"PAR1"sv, "a Parquet file"},
                                                   {"ARROW1"sv, "an Arrow (Feather) file"},
                                                   {"ORC"sv, "an ORC file"},
                                                   {"Obj\x01"sv, "an Avro file"},
                                                   {"\xD0\xCF\x11\xE0"sv, "an old Excel workbook (.xls)"},
                                                   {"SQLite format 3"sv, "an SQLite database"},
                                                   {"\x89HDF"sv, "an HDF5 file"},
                                                   {"%PDF"sv, "a PDF document"},
                                                   {"\x80\x04\x95"sv, "a Python pickle"},
                                                   {"\x80\x05\x95"sv, "a Python pickle"},
                                                   {"BZh"sv, "packed by bzip2: unpack it first"},
                                                   {"\xFD"
                                                    "7zXZ"sv,
                                                    "packed by xz: unpack it first"},
                                                   {"7z\xBC\xAF"sv, "packed by 7-Zip: unpack it first"},
                                                   {"\x28\xB5\x2F\xFD"sv, "packed by zstd: unpack it first"}}};
  const auto says = [](std::string_view what, std::string_view then) {
    return "is " + std::string(what) + ", not text: " + std::string(then);
  };
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) {
    const bool sheet =
        bytes.find("xl/") != std::string_view::npos || name.ends_with(".xlsx") || name.ends_with(".xlsm");
    const bool open = name.ends_with(".ods");
    if (sheet) return says("an Excel workbook (.xlsx)", kSave);
    if (open) return says("an OpenDocument spreadsheet (.ods)", kSave);
    return says("a ZIP archive", "unpack it first, and give the table in it");
  }
  for (const Kind& kind : kKinds)
    if (bytes.starts_with(kind.magic)) {
      const std::size_t colon = kind.what.find(": ");
      return colon == std::string_view::npos ? says(kind.what, kSave)
                                             : says(kind.what.substr(0, colon), kind.what.substr(colon + 2));
    }
  if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar")
    return says("a tar archive", "unpack it first, and give the table in it");
  std::string start(bytes.substr(0, 200));
  std::transform(start.begin(), start.end(), start.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  const std::string_view text = std::string_view(start).substr(first);
  if (text.starts_with("<!doctype html") || text.starts_with("<html"))
    return "is a web page (HTML), not a table: save the table itself as CSV";
  if (text.starts_with("<?xml")) return "is XML, not a table: save the table as CSV";
  return "";
}

ByteSource as_utf8(std::string name, ByteSource source, std::shared_ptr<SeenEncoding> seen) {
  auto decoder = std::make_shared<Decoder>(std::move(name), std::move(source), std::move(seen));
  return [decoder](char* into, std::size_t room) { return decoder->read(into, room); };
}

}  // namespace tarry::data
