#include "tarry/lines.h"

#include <algorithm>

#include "tarry/error.h"

namespace tarry {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

bool LineReader::refill() {
  if (at_end_) return false;
  buffer_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  const std::size_t have = buffer_.size();
  const std::size_t block = std::max(kBlock, have);  // doubling: long lines are copied a few times, not many
  buffer_.resize(have + block);
  const std::size_t got = source_(buffer_.data() + have, block);
  buffer_.resize(have + got);
  at_end_ = got == 0;
  return true;
}

bool LineReader::next(std::string_view& line) {
  while (true) {
    const std::size_t newline = buffer_.find('\n', searched_);
    const std::size_t end = newline == std::string::npos ? buffer_.size() : newline;
    if (end - begin_ > max_line_)
      throw Error(Code::kBadInput,
                  "line " + std::to_string(number_ + 1) + ": longer than " + std::to_string(max_line_) + " bytes");
    if (newline != std::string::npos) {
      line = std::string_view(buffer_).substr(begin_, newline - begin_);
      begin_ = searched_ = newline + 1;
      ++number_;
      return true;
    }
    searched_ = buffer_.size();
    if (refill()) continue;
    if (begin_ == buffer_.size()) return false;
    line = std::string_view(buffer_).substr(begin_);
    begin_ = searched_ = buffer_.size();
    ++number_;
    return true;
  }
}

}  // namespace tarry
