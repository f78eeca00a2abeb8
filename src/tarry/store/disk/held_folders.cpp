#include "tarry/store/disk/held_folders.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tarry/base/error.h"
#include "tarry/store/disk/descriptor_reserve.h"

namespace tarry::store {

class HeldFolder {
 public:
  HeldFolder(std::string path, const Place& place) : path_(std::move(path)), opened_(place, O_RDONLY | O_DIRECTORY) {
    if (opened_.number() < 0 || ::fstat(opened_.number(), &about_) != 0)
      throw Error(Code::kIo, fmt::format("{}: cannot be opened ({})", path_, std::strerror(errno)));
    if (::flock(opened_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw Error(Code::kConflict, path_ + ": another process uses this store");
    // Some file systems lock files only: there the store's file `lock` is what keeps others away.
  }

  int number() const { return opened_.number(); }
  const std::string& path() const { return path_; }

  // What a path names below this folder; null: it is not below it.
  const char* below(const std::string& path) const {
    if (!path.starts_with(path_)) return nullptr;
    const char* rest = path.c_str() + path_.size();
    if (*rest == '\0') return ".";
    if (*rest != '/') return nullptr;
    while (*rest == '/') ++rest;
    return *rest == '\0' ? "." : rest;
  }

  void check() const {
    struct stat named {};
    if (::stat(path_.c_str(), &named) != 0 || !same_file(about_, named))
      throw Error(Code::kIo, path_ + ": was moved, removed or replaced while it was in use");
  }

 private:
  std::string path_;
  Descriptor opened_;
  struct stat about_ {};
};

namespace {

class FolderLock final : public Lock {
 public:
  explicit FolderLock(std::shared_ptr<const HeldFolder> held) : held_(std::move(held)) {}

 private:
  std::shared_ptr<const HeldFolder> held_;
};

}  // namespace

int Place::folder() const { return held_ ? held_->number() : AT_FDCWD; }

Descriptor::Descriptor(const Place& place, int flags) {
  constexpr mode_t kOwnerOnly = 0600;  // features and keys are nobody else's
  number_ = open_from_reserve([&] { return ::openat(place.folder(), place.name(), flags | O_CLOEXEC, kOwnerOnly); });
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close_into_reserve(number_);
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

Place HeldFolders::place(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const HeldFolder> nearest;
  for (const auto& each : all_)
    if (auto held = each.lock(); held && held->below(path) != nullptr)
      if (!nearest || held->path().size() > nearest->path().size()) nearest = std::move(held);
  std::string name = nearest ? nearest->below(path) : path;
  return {std::move(nearest), std::move(name)};
}

std::unique_ptr<Lock> HeldFolders::hold(const std::string& path) {
  std::string name = path;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  const Place at = place(name);
  auto held = std::make_shared<const HeldFolder>(std::move(name), at);
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [](const auto& each) { return each.expired(); });
  all_.push_back(held);
  return std::make_unique<FolderLock>(std::move(held));
}

void HeldFolders::check() const {
  std::vector<std::shared_ptr<const HeldFolder>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& each : all_)
      if (auto held = each.lock()) all.push_back(std::move(held));
  }
  for (const auto& held : all) held->check();
}

}  // namespace tarry::store
