#include "tarry/data/text/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tarry/base/error.h"

namespace tarry::data {

void write_file(const std::filesystem::path& path, const std::string& contents) {
  static std::atomic<std::uint64_t> written{0};  // threads may write one path at the same time
  const std::string temporary = fmt::format("{}.{}.{}.tmp", path.string(), ::getpid(), ++written);
  const auto fail = [&](const char* what) {
    const int error_number = errno;
    ::unlink(temporary.c_str());
    throw Error(Code::kIo, fmt::format("{}: {}: {}", path.string(), what, std::strerror(error_number)));
  };
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("cannot be created");
  std::string_view rest = contents;
  while (!rest.empty()) {
    const ssize_t n = ::write(descriptor, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      ::close(descriptor);
      fail("cannot be written");
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::close(descriptor) != 0) fail("cannot be written");
  if (::rename(temporary.c_str(), path.c_str()) != 0) fail("cannot be renamed into place");
}

}  // namespace tarry::data
