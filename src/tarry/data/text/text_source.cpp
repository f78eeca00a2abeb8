#include "tarry/data/text/text_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "tarry/base/error.h"
#include "tarry/data/text/read_ahead.h"
#include "tarry/linalg/parallel.h"

namespace tarry::data {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // inflate's way to ask for gzip's header and checksum

constexpr int kMillisecondsBetweenCalls = 100;
constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 18;  // bytes of a packed file; of a pipe none are known

thread_local const std::function<void(const std::string&)>* while_waiting = nullptr;

// The bytes of a file as they lie on the disk, or come through a pipe, a block at a time. Opening a pipe does not wait
// for somebody to write into it: reading does, in steps, so that it can be given up.
class Blocks {
 public:
  Blocks(const std::string& path, std::shared_ptr<Taken> taken)
      : path_(path), taken_(std::move(taken)), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (path.find('\0') != std::string::npos) {  // which would open another file
      if (descriptor_ >= 0) ::close(descriptor_);
      fail(Code::kBadInput, std::strerror(ENOENT));
    }
    if (descriptor_ < 0) fail(Code::kBadInput, std::strerror(errno));
    struct stat about {};
    const bool known = ::fstat(descriptor_, &about) == 0;
    nobody_writes_ = known && S_ISFIFO(about.st_mode);
    if (known && S_ISREG(about.st_mode)) taken_->all = static_cast<std::uint64_t>(about.st_size);
    if (known && S_ISDIR(about.st_mode)) {
      ::close(descriptor_);
      fail(Code::kBadInput, std::strerror(EISDIR));
    }
  }
  ~Blocks() { ::close(descriptor_); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  // Up to `room` bytes; fewer only at the end of the file.
  std::size_t read(char* into, std::size_t room) {
    std::size_t got = 0;
    while (got < room) {
      if (nobody_writes_) wait();
      nobody_writes_ = false;
      const ssize_t n = ::read(descriptor_, into + got, room - got);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) {
        wait();
        continue;
      }
      if (n < 0) fail(Code::kIo, std::strerror(errno));
      if (n == 0) break;
      got += static_cast<std::size_t>(n);
    }
    taken_->bytes += got;
    return got;
  }

  [[noreturn]] void fail(Code code, const std::string& message) const {
    throw Error(code, fmt::format("{}: {}", path_, message));
  }

 private:
  // Until there is something to read, or nobody left to write it.
  void wait() const {
    pollfd waiting{descriptor_, POLLIN, 0};
    while (::poll(&waiting, 1, kMillisecondsBetweenCalls) <= 0)
      if (while_waiting != nullptr) (*while_waiting)(path_);
  }

  std::string path_;
  std::shared_ptr<Taken> taken_;
  int descriptor_;
  bool nobody_writes_ = false;  // as far as is known: to read from a pipe before somebody does would end at once
};

class TextFile {
 public:
  TextFile(const std::string& path, std::shared_ptr<Taken> taken) : blocks_(path, std::move(taken)) {
    refill();
    compressed_ = left_ >= 2 && at_[0] == '\x1f' && at_[1] == '\x8b';
    if (compressed_ && inflateInit2(&inflate_, kGzipOnly) != Z_OK)
      blocks_.fail(Code::kOutOfMemory, "no memory to unpack gzip");
  }
  ~TextFile() {
    if (compressed_) inflateEnd(&inflate_);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  bool is_compressed() const { return compressed_; }
  std::size_t read(char* into, std::size_t room) { return compressed_ ? unpack(into, room) : copy(into, room); }

 private:
  void refill() {
    at_ = block_.data();
    left_ = blocks_.read(block_.data(), block_.size());
  }

  std::size_t copy(char* into, std::size_t room) {
    if (left_ == 0) return blocks_.read(into, std::min(room, kBlock));  // not by way of the block
    const std::size_t count = std::min(room, left_);
    std::memcpy(into, at_, count);
    at_ += count;
    left_ -= count;
    return count;
  }

  std::size_t unpack(char* into, std::size_t room) {
    const auto most = static_cast<uInt>(std::min(room, kBlock));
    inflate_.next_out = reinterpret_cast<Bytef*>(into);
    inflate_.avail_out = most;
    while (inflate_.avail_out == most) {
      if (left_ == 0) refill();
      if (left_ == 0 && between_members_) return 0;
      if (left_ == 0) blocks_.fail(Code::kCorrupt, "the gzip data ends early");
      step();
    }
    return most - inflate_.avail_out;
  }

  void step() {
    inflate_.next_in = reinterpret_cast<Bytef*>(at_);
    inflate_.avail_in = static_cast<uInt>(left_);
    const int status = inflate(&inflate_, Z_NO_FLUSH);
    at_ += left_ - inflate_.avail_in;
    left_ = inflate_.avail_in;
    const bool was_between = between_members_;
    between_members_ = status == Z_STREAM_END;
    if (between_members_) {
      inflateReset(&inflate_);  // leaves next_out and avail_out alone
    } else if (status == Z_MEM_ERROR) {
      blocks_.fail(Code::kOutOfMemory, "no memory to unpack gzip");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      const char* why = inflate_.msg != nullptr ? inflate_.msg : "not valid";
      blocks_.fail(Code::kCorrupt, was_between ? "something else follows the gzip data"
                                               : fmt::format("the gzip data is corrupt ({})", why));
    }
  }

  Blocks blocks_;
  std::vector<char> block_ = std::vector<char>(kBlock);
  char* at_ = nullptr;  // what of the block is not used yet
  std::size_t left_ = 0;
  bool compressed_ = false;
  z_stream inflate_{};
  bool between_members_ = false;  // one has ended: the file may end here, or another begin
};

}  // namespace

WhileWaiting::WhileWaiting(std::function<void(const std::string& path)> waiting)
    : waiting_(std::move(waiting)), outer_(while_waiting) {
  while_waiting = &waiting_;
}

WhileWaiting::~WhileWaiting() { while_waiting = outer_; }

ByteSource open_text(const std::string& path, std::shared_ptr<Taken> taken) {
  auto behind = std::make_shared<Taken>();
  auto file = std::make_shared<TextFile>(path, behind);
  taken->all = behind->all;
  ByteSource source = [file](char* into, std::size_t room) { return file->read(into, room); };
  if (file->is_compressed() && behind->all > kWorthAThread && thread_count() > 1)
    return read_ahead(std::move(source), std::move(behind), std::move(taken));
  return
      [source = std::move(source), behind = std::move(behind), taken = std::move(taken)](char* into, std::size_t room) {
        const std::size_t got = source(into, room);
        taken->bytes = behind->bytes;
        return got;
      };
}

}  // namespace tarry::data
