#include "tarry/store/real_disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/store/descriptor_reserve.h"

namespace tarry::store {
namespace {

constexpr mode_t kOwnerOnly = 0600;  // features and keys are nobody else's
constexpr std::size_t kZeros = 1 << 20;

// EFBIG: a file may not grow further (`ulimit -f`), which is a lack of room, too.
[[noreturn]] void fail(const std::string& path, const char* what, int error = errno) {
  const std::string message = fmt::format("{}: {} ({})", path, what, std::strerror(error));
  if (lacks_descriptors(error)) throw OutOfDescriptors(message);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw Error(full ? Code::kFull : Code::kIo, message);
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : number_(open_from_reserve([&] { return ::open(path.c_str(), flags | O_CLOEXEC, kOwnerOnly); })) {}
  ~Descriptor() {
    if (number_ >= 0) close_into_reserve(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

int flags_of(Open how) {
  switch (how) {
    case Open::kRead:
      return O_RDONLY;
    case Open::kWrite:
      return O_RDWR;
    case Open::kCreate:
      return O_RDWR | O_CREAT | O_TRUNC;
  }
  return O_RDONLY;
}

class RealFile final : public File {
 public:
  RealFile(const std::string& path, Open how) : path_(path), file_(path, flags_of(how)) {
    if (file_.number() < 0) fail(path_, "cannot be opened");
  }

  std::uint64_t size() const override {
    struct stat about {};
    if (::fstat(file_.number(), &about) != 0) fail(path_, "cannot be read");
    return static_cast<std::uint64_t>(about.st_size);
  }

  std::string read(std::uint64_t offset, std::size_t count) const override {
    const std::uint64_t all = size();
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, all - std::min(all, offset))), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t got =
          ::pread(file_.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(path_, "cannot be read");
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

  void write(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail(path_, "cannot be written");
      bytes.remove_prefix(static_cast<std::size_t>(put));
      offset += static_cast<std::uint64_t>(put);
    }
  }

  // Room first, all or nothing; then real zeros, so that a later write changes no extent and its sync is short.
  void fill(std::uint64_t size) override {
    const std::uint64_t old = this->size();
    if (size <= old) return;
    const int refused = ::posix_fallocate(file_.number(), static_cast<off_t>(old), static_cast<off_t>(size - old));
    if (refused != 0 && refused != EOPNOTSUPP && refused != EINVAL) fail(path_, "cannot get room", refused);
    const std::string zeros(static_cast<std::size_t>(std::min<std::uint64_t>(kZeros, size - old)), '\0');
    for (std::uint64_t at = old; at < size; at += zeros.size())
      write(at, std::string_view(zeros).substr(
                    0, static_cast<std::size_t>(std::min<std::uint64_t>(zeros.size(), size - at))));
  }

  void sync() override {
    if (::fdatasync(file_.number()) != 0) fail(path_, "cannot be synced");
  }

 private:
  std::string path_;
  Descriptor file_;
};

class RealLock final : public Lock {
 public:
  explicit RealLock(const std::string& path) : file_(path, O_RDWR | O_CREAT) {
    if (file_.number() < 0) fail(path, "cannot be opened");
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK) fail(path, "cannot be locked");
    throw Error(Code::kConflict, path + ": another process uses this store");
  }

 private:
  Descriptor file_;
};

class RealDisk final : public Disk {
 public:
  std::unique_ptr<File> open(const std::string& path, Open how) override {
    return std::make_unique<RealFile>(path, how);
  }

  bool exists(const std::string& path) const override {
    struct stat about {};
    if (::stat(path.c_str(), &about) == 0) return true;
    if (errno != ENOENT && errno != ENOTDIR) fail(path, "cannot be read");
    return false;
  }

  std::vector<std::string> list(const std::string& folder) const override {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator at(folder, error);
    for (; !error && at != std::filesystem::directory_iterator(); at.increment(error))
      names.push_back(at->path().filename().string());
    if (error) fail(folder, "cannot be listed", error.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  void make_folder(const std::string& path) override {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail(path, "cannot be made");
  }

  void rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be renamed to");
  }

  void remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail(path, "cannot be removed");
  }

  void sync_folder(const std::string& path) override {
    const Descriptor folder(path, O_RDONLY | O_DIRECTORY);
    if (folder.number() < 0) fail(path, "cannot be opened");
    if (::fsync(folder.number()) != 0) fail(path, "cannot be synced");
  }

  std::uint64_t free_bytes(const std::string& path) const override {
    struct statvfs about {};
    if (::statvfs(path.c_str(), &about) != 0) fail(path, "cannot be read");
    return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
  }

  std::unique_ptr<Lock> lock(const std::string& path) override { return std::make_unique<RealLock>(path); }
};

}  // namespace

std::unique_ptr<Disk> real_disk() { return std::make_unique<RealDisk>(); }

}  // namespace tarry::store
