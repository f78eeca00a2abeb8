#include "tarry/store/folder.h"

#include <filesystem>

namespace tarry::store {
namespace {

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string parent_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

Folder::Folder(Disk& disk, const std::string& path) : path_(without_slash(path)) {
  disk.make_folder(path_);
  disk.sync_folder(parent_of(path_));
  lock_ = disk.lock(path_ + "/lock");
  disk.make_folder(journal());
  disk.make_folder(snapshots());
  disk.sync_folder(path_);
}

}  // namespace tarry::store
