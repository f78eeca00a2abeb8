#include "tarry/model/snapshot_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tarry/base/error.h"

namespace tarry {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw Error(Code::kIo, fmt::format("{}: {} ({})", path.string(), what, std::strerror(errno)));
}

// A descriptor that is closed, and a name that is removed unless the file was kept.
struct Unfinished {
  std::filesystem::path path;
  int file = -1;

  ~Unfinished() {
    if (file >= 0) ::close(file);
    if (!path.empty()) ::unlink(path.c_str());
  }
};

void sync_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) fail(folder, "cannot be opened");
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  if (!synced) fail(folder, "cannot be synced");
}

}  // namespace

void save_snapshot(const Model& model, const std::filesystem::path& path, std::uint64_t position) {
  Unfinished part{path.string() + fmt::format(".part-{}", ::getpid())};
  part.file = ::open(part.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (part.file < 0) {
    const int error = errno;
    part.path.clear();
    errno = error;
    fail(path, "cannot be written");
  }
  write_snapshot(model, position, [&](std::string_view piece) {
    while (!piece.empty()) {
      const ssize_t written = ::write(part.file, piece.data(), piece.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path, "cannot be written");
      piece.remove_prefix(static_cast<std::size_t>(written));
    }
  });
  if (::fsync(part.file) != 0) fail(path, "cannot be synced");
  if (::rename(part.path.c_str(), path.c_str()) != 0) fail(path, "cannot be written");
  part.path.clear();
  sync_folder(path);
}

SnapshotFile::SnapshotFile(const std::filesystem::path& path) {
  Unfinished opened;
  opened.file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (opened.file < 0 || ::fstat(opened.file, &about) != 0) fail(path, "cannot be read");
  if (!S_ISREG(about.st_mode)) throw Error(Code::kIo, path.string() + ": is not a file");
  size_ = static_cast<std::size_t>(about.st_size);
  if (size_ == 0) return;
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, opened.file, 0);
  if (mapped == MAP_FAILED) fail(path, "cannot be read");
  data_ = static_cast<const char*>(mapped);
}

SnapshotFile::~SnapshotFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace tarry
