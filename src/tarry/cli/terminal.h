// Where the program meets the operating system: files in, standard output out.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tarry/base/lines.h"

namespace tarry::cli {

// Buffered standard output whose failures (a full disk) are errors, not silence.
class Output {
 public:
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  std::string& buffer() { return buffer_; }  // append here, then call written()
  void written();                            // hands over what is complete once there is enough of it
  void print(std::string_view text);
  void flush();

 private:
  std::string buffer_;
};

// To standard error, at once. A failure there (nobody reads it, a full disk) is no reason to stop: the results matter.
void print_error(std::string_view text);

// Whether standard output is a terminal that shows colours, and nobody asked for none (NO_COLOR).
bool wants_colour();
// How many characters the lines of standard output may have: those of the terminal, or 80.
int output_width();
// The same for tables: where they go to a file or another program, as long as they are (0).
std::size_t table_width();

// A file, or standard input for "-".
class Input {
 public:
  // `before_wait` runs before each read that may block: a program that answers line by line flushes there.
  explicit Input(const std::string& path, std::function<void()> before_wait = {});
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  LineReader& lines() { return *lines_; }
  std::string all();

 private:
  std::size_t read(char* into, std::size_t room);

  std::string path_;
  std::function<void()> before_wait_;
  int descriptor_;
  std::unique_ptr<LineReader> lines_;
};

}  // namespace tarry::cli
