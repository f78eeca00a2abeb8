#include "tarry/cli/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry::cli {
namespace {

constexpr std::size_t kFlushAbove = std::size_t{1} << 16;

[[noreturn]] void fail(const std::string& what, int error_number, Code code = Code::kIo) {
  throw Error(code, fmt::format("{}: {}", what, std::strerror(error_number)));
}

}  // namespace

bool wants_colour() {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (none == nullptr || *none == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int output_width() {
  constexpr int kUsual = 80;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsual;
}

std::size_t table_width() { return ::isatty(STDOUT_FILENO) == 1 ? static_cast<std::size_t>(output_width()) : 0; }

void Output::written() {
  if (buffer_.size() > kFlushAbove) flush();
}

void Output::print(std::string_view text) {
  buffer_ += text;
  written();
}

void Output::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error_number = errno;
      buffer_.clear();
      fail("standard output", error_number);
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

void print_error(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

Input::Input(const std::string& path, std::function<void()> before_wait)
    : path_(path == "-" ? "standard input" : path),
      before_wait_(std::move(before_wait)),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(path_, errno, Code::kBadInput);
  struct stat about {};
  if (::fstat(descriptor_, &about) == 0 && S_ISDIR(about.st_mode)) fail(path_, EISDIR, Code::kBadInput);
  lines_ = std::make_unique<LineReader>([this](char* into, std::size_t room) { return read(into, room); });
}

Input::~Input() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t Input::read(char* into, std::size_t room) {
  if (before_wait_) before_wait_();
  while (true) {
    const ssize_t n = ::read(descriptor_, into, room);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail(path_, errno);
  }
}

std::string Input::all() {
  std::string text;
  char block[1 << 16];
  while (const std::size_t n = read(block, sizeof block)) {
    text.append(block, n);
    if (text.size() > kMaxLine) throw Error(Code::kBadInput, fmt::format("{}: longer than {} bytes", path_, kMaxLine));
  }
  return text;
}

}  // namespace tarry::cli
