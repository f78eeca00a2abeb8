// The text of a file, whether or not it is compressed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tarry/base/lines.h"

namespace tarry::data {

// Reads the file from its beginning; gzip is recognised by its first bytes and unpacked, all members of it. Throws
// Error{kBadInput} for a file that cannot be opened; the source throws Error{kCorrupt} where gzip ends early, fails its
// checksum or is followed by something else. Every message begins with the path.
// `taken` counts the bytes of the file that were read.
struct Taken {
  std::uint64_t bytes = 0, all = 0;  // all: 0 where that is not known, as of a pipe
};
ByteSource open_text(const std::string& path, std::shared_ptr<Taken> taken = std::make_shared<Taken>());

// While one lives, whatever its thread reads calls `waiting` about ten times a second as long as a pipe gives nothing;
// it may throw, to give up. Without one, reading waits in silence.
class WhileWaiting {
 public:
  explicit WhileWaiting(std::function<void(const std::string& path)> waiting);
  ~WhileWaiting();
  WhileWaiting(const WhileWaiting&) = delete;
  WhileWaiting& operator=(const WhileWaiting&) = delete;

 private:
  std::function<void(const std::string& path)> waiting_;
  const std::function<void(const std::string& path)>* outer_;
};

}  // namespace tarry::data
