#include "tarry/store/disk/real_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tarry/base/error.h"
#include "tarry/store/disk/descriptor_reserve.h"
#include "tarry/store/disk/held_folders.h"

namespace tarry::store {
namespace {

constexpr std::size_t kZeros = 1 << 20;

// EFBIG: a file may not grow further (`ulimit -f`), which is a lack of room, too.
[[noreturn]] void fail(const std::string& path, const char* what, int error = errno) {
  const std::string message = fmt::format("{}: {} ({})", path, what, std::strerror(error));
  if (lacks_descriptors(error)) throw OutOfDescriptors(message);
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw Error(full ? Code::kFull : Code::kIo, message);
}

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
  RealFile(const std::string& path, const Place& place, Open how) : path_(path), file_(place, flags_of(how)) {
    if (file_.number() < 0) fail(path_, "cannot be opened");
  }

  int number() const { return file_.number(); }

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

class FileLock final : public Lock {
 public:
  FileLock(const std::string& path, const Place& place) : file_(place, O_RDWR | O_CREAT) {
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
    return std::make_unique<RealFile>(path, held_.place(path), how);
  }

  bool exists(const std::string& path) const override {
    const Place at = held_.place(path);
    struct stat about {};
    if (::fstatat(at.folder(), at.name(), &about, 0) == 0) return true;
    if (errno != ENOENT && errno != ENOTDIR) fail(path, "cannot be read");
    return false;
  }

  std::vector<std::string> list(const std::string& folder) const override {
    const Place at = held_.place(folder);
    const int opened = ::openat(at.folder(), at.name(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* names_in = opened < 0 ? nullptr : ::fdopendir(opened);  // closes it in the end
    if (names_in == nullptr) {
      const int error = errno;
      if (opened >= 0) ::close(opened);
      fail(folder, "cannot be listed", error);
    }
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* each = ::readdir(names_in)) {
      const std::string name = each->d_name;
      if (name != "." && name != "..") names.push_back(name);
      errno = 0;
    }
    const int error = errno;
    ::closedir(names_in);
    if (error != 0) fail(folder, "cannot be listed", error);
    std::sort(names.begin(), names.end());
    return names;
  }

  void make_folder(const std::string& path) override {
    const Place at = held_.place(path);
    if (::mkdirat(at.folder(), at.name(), 0700) != 0 && errno != EEXIST) fail(path, "cannot be made");
  }

  void rename(const std::string& from, const std::string& to) override {
    const Place source = held_.place(from), target = held_.place(to);
    if (::renameat(source.folder(), source.name(), target.folder(), target.name()) != 0)
      fail(to, "cannot be renamed to");
  }

  void remove(const std::string& path) override {
    const Place at = held_.place(path);
    if (::unlinkat(at.folder(), at.name(), 0) != 0 && errno != ENOENT) fail(path, "cannot be removed");
  }

  void sync_folder(const std::string& path) override {
    const Descriptor folder(held_.place(path), O_RDONLY | O_DIRECTORY);
    if (folder.number() < 0) fail(path, "cannot be opened");
    if (::fsync(folder.number()) != 0) fail(path, "cannot be synced");
  }

  std::uint64_t free_bytes(const std::string& path) const override {
    const Descriptor opened(held_.place(path), O_RDONLY);
    struct statvfs about {};
    if (opened.number() < 0 || ::fstatvfs(opened.number(), &about) != 0) fail(path, "cannot be read");
    return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
  }

  std::unique_ptr<Lock> lock(const std::string& path) override {
    return std::make_unique<FileLock>(path, held_.place(path));
  }

  std::unique_ptr<Lock> hold(const std::string& folder) override { return held_.hold(folder); }

  void check_held() const override { held_.check(); }

  void check_named(const std::string& path, const File& file) const override {
    const Place at = held_.place(path);
    struct stat open {
    }, named{};
    if (::fstat(static_cast<const RealFile&>(file).number(), &open) != 0) fail(path, "cannot be read");
    if (::fstatat(at.folder(), at.name(), &named, 0) != 0 || !same_file(open, named))
      throw Error(Code::kIo, path + ": was removed or replaced while it was in use");
  }

 private:
  HeldFolders held_;
};

}  // namespace

std::unique_ptr<Disk> real_disk() { return std::make_unique<RealDisk>(); }

}  // namespace tarry::store
