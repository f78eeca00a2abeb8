#include "tarry/base/lines.h"

#include <algorithm>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry {

// Reads once into the free end of the buffer. Only a full buffer grows, to twice its size: a long line that comes in
// many small pieces is copied a few times, and never takes more than its limit and one block.
bool LineReader::refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  searched_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    std::vector<char> larger(std::min(2 * buffer_.size(), max_line_ + kBlock));
    std::memcpy(larger.data(), buffer_.data(), end_);
    buffer_ = std::move(larger);
  }
  const std::size_t got = source_(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
  return true;
}

bool LineReader::next(std::string_view& line) {
  while (true) {
    const std::string_view text(buffer_.data(), end_);
    const std::size_t newline = text.find('\n', searched_);
    const std::size_t stop = newline == std::string_view::npos ? end_ : newline;
    if (stop - begin_ > max_line_)
      throw Error(Code::kBadInput,
                  "line " + std::to_string(number_ + 1) + ": longer than " + std::to_string(max_line_) + " bytes");
    if (newline == std::string_view::npos) {
      searched_ = end_;
      if (refill()) continue;
      if (begin_ == end_) return false;
    }
    line = text.substr(begin_, stop - begin_);
    begin_ = searched_ = std::min(stop + 1, end_);
    if (++number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    return true;
  }
}

}  // namespace tarry
