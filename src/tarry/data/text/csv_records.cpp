#include "tarry/data/text/csv_records.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace tarry::data {
namespace {

static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

// One character eight times, to look for it in eight bytes at once.
class Eight {
 public:
  explicit Eight(char c) : pattern_(0x0101010101010101u * static_cast<unsigned char>(c)) {}

  // The highest bit of each byte that is this character.
  std::uint64_t in(std::uint64_t bytes) const {
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7Fu;
    const std::uint64_t x = bytes ^ pattern_;  // 0 where it is
    return ~(((x & kLow) + kLow) | x | kLow);
  }

 private:
  std::uint64_t pattern_;
};

}  // namespace

bool CsvRecords::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  do {
    if (!lines_->next(line)) return false;
  } while (line.empty());
  place_ = lines_->place();
  cells.clear();
  if (split(line, cells)) return true;
  cells.clear();
  join_lines(line);
  split_quoted(cells);
  return true;
}

// A line without quotes; false: it has some. Cells are short: one pass over the line, eight bytes at a time, finds the
// end of each and the quotes.
bool CsvRecords::split(std::string_view line, std::vector<std::string_view>& cells) const {
  const Eight delimiters(delimiter_), quotes('"');
  const char* begin = line.data();
  const auto end_cell = [&](const char* at) {
    cells.emplace_back(begin, static_cast<std::size_t>(at - begin));
    begin = at + 1;
  };
  const char *at = begin, *const end = begin + line.size();
  for (; end - at >= 8; at += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, 8);
    if (quotes.in(bytes) != 0) return false;
    for (std::uint64_t found = delimiters.in(bytes); found != 0; found &= found - 1)
      end_cell(at + std::countr_zero(found) / 8);
  }
  for (; at != end; ++at) {
    if (*at == '"') return false;
    if (*at == delimiter_) end_cell(at);
  }
  end_cell(end);
  return true;
}

// A quote is still open where the number of quotes so far is odd: doubled ones do not change that.
void CsvRecords::join_lines(std::string_view first) {
  const auto odd_quotes = [](std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; };
  record_ = first;
  bool open = odd_quotes(first);
  for (std::string_view line; open;) {
    if (!lines_->next(line)) place_.fail("a quote is never closed");
    record_ += '\n';
    record_ += line;
    if (record_.size() > kMaxLine) place_.fail("a cell in quotes is too long");
    open ^= odd_quotes(line);
  }
}

void CsvRecords::split_quoted(std::vector<std::string_view>& cells) {
  const std::string_view text = record_;
  unquoted_.clear();
  unquoted_.reserve(text.size());  // cells look into it: it must not move
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = unquoted_.size();
    if (text.substr(at).starts_with("=\"")) ++at;  // ="00001", as spreadsheets keep the zeros
    if (at < text.size() && text[at] == '"') {
      for (++at; !(text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')); ++at) {
        if (text[at] == '"') ++at;
        unquoted_ += text[at];
      }
      ++at;
      if (at < text.size() && text[at] != delimiter_) place_.fail("a cell goes on after its closing quote");
    } else {
      const std::size_t stop = std::min(text.find(delimiter_, at), text.size());
      unquoted_ += text.substr(at, stop - at);
      at = stop;
      if (unquoted_.find('"', begin) != std::string::npos)
        place_.fail("there is a quote inside a cell that is not quoted");
    }
    cells.push_back(std::string_view(unquoted_).substr(begin));
    if (at == text.size()) return;
    ++at;
  }
}

}  // namespace tarry::data
