#include "tarry/service/access/token_watch.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry::service {

TokenWatch::State TokenWatch::state() const {
  struct stat file {};
  if (::stat(path_.c_str(), &file) != 0) return {.error = errno};
  return {.device = file.st_dev,
          .inode = file.st_ino,
          .size = file.st_size,
          .changed_s = file.st_ctim.tv_sec,
          .changed_ns = file.st_ctim.tv_nsec,
          .written_s = file.st_mtim.tv_sec,
          .written_ns = file.st_mtim.tv_nsec};
}

std::optional<FoundTokens> TokenWatch::look() {
  const State now = state();  // before it is read: a file that comes in between is another one at the next look
  if (seen_ == now) return std::nullopt;
  seen_ = now;
  FoundTokens found;
  if (now.error != 0) {
    found.why_none = now.error == ENOENT ? "is missing" : fmt::format("cannot be read: {}", std::strerror(now.error));
    return found;
  }
  try {
    found.tokens = Tokens::parse(store::read_whole(disk_, path_));
    if (found.tokens.all().empty()) found.why_none = "is empty";
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) seen_.reset();  // it may be readable the next time, as it is
    found.why_none = fmt::format("cannot be read: {}", error.what());
  }
  return found;
}

}  // namespace tarry::service
