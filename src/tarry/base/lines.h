// Lines of a text stream, with a limit on their length.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace tarry {

inline constexpr std::size_t kMaxLine = std::size_t{256} << 20;  // bytes

// Puts up to `room` bytes at `into` and says how many; 0 at the end. May give fewer than asked: then a line is
// handed out as soon as it is complete, and a program can answer line by line.
using ByteSource = std::function<std::size_t(char* into, std::size_t room)>;

class LineReader {
 public:
  explicit LineReader(ByteSource source, std::size_t max_line = kMaxLine)
      : source_(std::move(source)), max_line_(max_line) {}

  // The next line without its newline, and the first without a byte order mark; false at the end. Throws Error for a
  // line that is too long.
  bool next(std::string_view& line);
  std::size_t number() const { return number_; }  // of the last line, from 1

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16;

  bool refill();

  ByteSource source_;
  std::size_t max_line_;
  std::vector<char> buffer_ = std::vector<char>(kBlock);
  std::size_t begin_ = 0;     // of the text not yet handed out
  std::size_t end_ = 0;       // of what was read
  std::size_t searched_ = 0;  // up to where no newline was found
  bool at_end_ = false;
  std::size_t number_ = 0;
};

}  // namespace tarry
