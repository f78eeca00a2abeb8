#include "tarry/store/folder.h"

#include <filesystem>

#include "tarry/base/error.h"

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

void refuse_unfinished(Disk& disk, const std::string& path) {
  if (disk.exists(path + "/" + std::string(kUnfinishedCopy)))
    throw Error(Code::kCorrupt, path + ": is a copy that was not finished; remove it and copy again");
}

}  // namespace

Folder::Folder(Disk& disk, const std::string& path) : path_(without_slash(path)) {
  disk.make_folder(path_);
  disk.sync_folder(parent_of(path_));
  lock_ = disk.lock(path_ + "/lock");
  refuse_unfinished(disk, path_);
  disk.make_folder(journal());
  disk.make_folder(snapshots());
  disk.sync_folder(path_);
}

}  // namespace tarry::store
