#include "tarry/store/disk/folder.h"

#include <filesystem>

#include "tarry/base/error.h"

namespace tarry::store {
namespace {

std::string parent_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string lock_in(const std::string& path) { return path + "/lock"; }
std::string mark_in(const std::string& path) { return path + "/" + std::string(kUnfinishedCopy); }

// A store gets its key when its log is there.
void refuse_half(const Disk& disk, const std::string& path) {
  if (disk.exists(mark_in(path))) throw Error(Code::kCorrupt, path + ": is a copy that was not finished: copy again");
  const std::string journal = path + "/journal";
  const bool has_log = disk.exists(journal) && !disk.list(journal).empty();
  if (!has_log && disk.exists(path + "/key"))
    throw Error(Code::kCorrupt, path + ": is half a store: it has a key and no log: restore a backup");
}

// An empty file is there or not: it needs no other name first.
void write_mark(Disk& disk, const std::string& folder) {
  disk.open(mark_in(folder), Open::kCreate)->sync();
  disk.sync_folder(folder);
}

}  // namespace

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

Folder::Folder(Disk& disk, const std::string& path) : path_(without_slash(path)) {
  disk.make_folder(path_);
  disk.sync_folder(parent_of(path_));
  locks_ = lock_store(disk, path_);
  refuse_half(disk, path_);
  disk.make_folder(journal());
  disk.make_folder(snapshots());
  disk.sync_folder(path_);
  for (const std::string& inner : {journal(), snapshots()}) locks_.push_back(disk.hold(inner));
}

void check_is_store(const Disk& disk, const std::string& path) {
  if (!disk.exists(path + "/journal")) throw Error(Code::kBadInput, path + ": not a store (it has no folder journal)");
  refuse_half(disk, path);
}

std::vector<std::unique_ptr<Lock>> begin_copy(Disk& disk, const std::string& path) {
  if (!disk.exists(path)) {
    // Beside its place, where nobody looks for a store.
    const std::string part = path + std::string(kUnfinished);
    disk.make_folder(part);
    for (const std::string& name : disk.list(part))
      if (name != kUnfinishedCopy) throw Error(Code::kConflict, part + ": is not empty");
    write_mark(disk, part);
    disk.rename(part, path);
  }
  std::vector<std::unique_ptr<Lock>> locks;
  locks.push_back(disk.hold(path));
  if (!disk.exists(mark_in(path)) && !disk.list(path).empty()) throw Error(Code::kConflict, path + ": is not empty");
  write_mark(disk, path);  // one that was killed may have left it in memory only
  disk.sync_folder(parent_of(path));
  locks.push_back(disk.lock(lock_in(path)));
  return locks;
}

void finish_copy(Disk& disk, const std::string& path) {
  disk.remove(mark_in(path));
  disk.sync_folder(path);
}

std::vector<std::unique_ptr<Lock>> lock_store(Disk& disk, const std::string& path) {
  std::vector<std::unique_ptr<Lock>> locks;
  locks.push_back(disk.hold(path));
  locks.push_back(disk.lock(lock_in(path)));
  return locks;
}

}  // namespace tarry::store
