// The one error type of Tarry, and the one table that says what each code means outside the library.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tarry {

// What went wrong, coarsely enough that a program can act on it.
enum class Code : std::uint8_t {
  kBadSpec,      // a specification has a wrong, missing or unknown key
  kBadInput,     // data (a log line, a gradient, features) is malformed or impossible
  kConflict,     // well formed, but it contradicts what was said before
  kUnsupported,  // well formed, but this set or learner cannot do it
  kCorrupt,      // a snapshot or stored file fails its checksum or ends early
  kIo,           // the operating system refused to read or write
  kFull,         // there is no room on the disk
  kOutOfMemory,  // the decision does not fit
  kInternal,     // a bug in Tarry
};

inline constexpr int kCodeCount = 9;

// How a code appears to the command line, over HTTP and in Python.
struct ErrorRow {
  Code code;
  std::string_view name;
  int exit_status;
  int http_status;
  std::string_view python_exception;
};

std::span<const ErrorRow> error_table();
const ErrorRow& error_row(Code code);

class Error : public std::runtime_error {
 public:
  // What came may be quoted with a NUL inside, where what() would end: it is shown as \u0000.
  Error(Code code, const std::string& message);
  Code code() const { return code_; }

 private:
  Code code_;
};

}  // namespace tarry
