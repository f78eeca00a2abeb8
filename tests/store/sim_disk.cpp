#include "store/sim_disk.h"

#include <algorithm>

#include "tarry/base/error.h"

namespace tarry::store {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

class SimFile final : public File {
 public:
  SimFile(SimDisk& disk, std::shared_ptr<SimDisk::Inode> inode)
      : disk_(disk), inode_(std::move(inode)), life_(disk.life_) {}

  std::uint64_t size() const override { return inode_->now.size(); }
  std::string read(std::uint64_t offset, std::size_t count) const override {
    check();
    return offset < inode_->now.size() ? inode_->now.substr(offset, count) : std::string();
  }
  void write(std::uint64_t offset, std::string_view bytes) override {
    check();
    disk_.write(*inode_, offset, bytes);
  }
  void fill(std::uint64_t size) override {
    check();
    disk_.step();
    if (size <= inode_->now.size()) return;
    if (disk_.used() + size - inode_->now.size() > disk_.capacity_) throw Error(Code::kFull, "sim: no room");
    inode_->now.resize(size);
    inode_->resized = true;
  }
  void sync() override {
    check();
    disk_.sync(*inode_);
  }
  const std::shared_ptr<SimDisk::Inode>& inode() const { return inode_; }

 private:
  void check() const {
    if (life_ != disk_.life_) throw Error(Code::kIo, "sim: the process is gone");
  }
  SimDisk& disk_;
  std::shared_ptr<SimDisk::Inode> inode_;
  std::uint64_t life_;
};

class SimLock final : public Lock {
 public:
  SimLock(SimDisk& disk, std::string path) : disk_(disk), path_(std::move(path)), life_(disk.life_) {
    disk_.locked_.insert(path_);
  }
  ~SimLock() override {
    if (life_ == disk_.life_) disk_.locked_.erase(path_);
  }

 private:
  SimDisk& disk_;
  std::string path_;
  std::uint64_t life_;
};

void SimDisk::step() const {
  ++operations_;
  if (crash_in_ > 0 && --crash_in_ == 0) crashed_ = true;
  if (crashed_) throw Error(Code::kIo, "sim: crashed");
}

void SimDisk::write(Inode& inode, std::uint64_t offset, std::string_view bytes) {
  const bool before = crash_in_ == 1 && draw_.one_in(2);  // the last thing that happens, or does not
  if (before || crashed_) step();
  if (offset + bytes.size() > inode.now.size()) {
    if (used() + offset + bytes.size() - inode.now.size() > capacity_) throw Error(Code::kFull, "sim: no room");
    inode.now.resize(offset + bytes.size());
    inode.resized = true;
  }
  inode.now.replace(offset, bytes.size(), bytes);
  inode.dirty.resize(inode.now.size() / sector_ + 1);
  if (!bytes.empty())
    for (std::size_t i = offset / sector_; i <= (offset + bytes.size() - 1) / sector_; ++i) inode.dirty[i] = true;
  if (draw_.one_in(8)) write_back(inode, 50);
  step();
}

// Some of what is dirty reaches the disk.
void SimDisk::write_back(Inode& inode, std::uint64_t percent) {
  if (inode.resized && draw_.percent(percent)) {
    // A file grows in steps.
    const std::size_t size = inode.durable.size(), wanted = inode.now.size();
    inode.durable.resize(percent < 100 && size < wanted ? draw_.between(size, wanted) : wanted);
    inode.resized = inode.durable.size() != wanted;
  }
  const std::size_t size = std::min(inode.now.size(), inode.durable.size());
  for (std::size_t i = 0; i < inode.dirty.size(); ++i) {
    if (!inode.dirty[i] || !draw_.percent(percent)) continue;
    const std::size_t at = i * sector_;
    if (at < size) inode.durable.replace(at, std::min(sector_, size - at), inode.now, at, std::min(sector_, size - at));
    inode.dirty[i] = inode.resized;  // beyond the size that the disk knows, it is still to be written
  }
}

void SimDisk::sync(Inode& inode) {
  step();
  if (sync_fails()) {
    write_back(inode, 50);
    inode.dirty.clear();
    throw Error(Code::kIo, "sim: cannot be synced");
  }
  write_back(inode, 100);
}

bool SimDisk::sync_fails() {
  if (fail_in_ == 0 || --fail_in_ > 0) return false;
  failed_ = true;
  return true;
}

void SimDisk::apply(const Change& change, Names& names) {
  if (change.kind == Change::kRename && change.inode->folder) move_inner(names, change.path, change.to);
  if (change.kind != Change::kMake) names.erase(change.path);
  if (change.kind != Change::kRemove) names[change.kind == Change::kMake ? change.path : change.to] = change.inode;
}

void SimDisk::sync_folder(const std::string& path) {
  step();
  if (sync_fails()) throw Error(Code::kIo, "sim: folder cannot be synced");
  for (const Change& change : changes_)
    if (change.folder == path) apply(change, durable_);
  std::erase_if(changes_, [&](const Change& change) { return change.folder == path; });
}

void SimDisk::lose_power() {
  const std::uint64_t kept = 50 * draw_.below(3);  // percent: all is lost, some, or nothing
  for (const Change& change : changes_)
    if (draw_.percent(kept)) apply(change, durable_);
  changes_.clear();
  // What lies in a folder that is not there is not there either.
  std::erase_if(durable_, [&](const auto& each) {
    for (std::string up = folder_of(each.first); up != "."; up = folder_of(up))
      if (!durable_.contains(up)) return true;
    return false;
  });
  names_ = durable_;
  const std::uint64_t sectors = 50 * draw_.below(3);
  for (const auto& [path, inode] : names_) {
    write_back(*inode, sectors);
    inode->now = inode->durable;
    inode->dirty.clear();
    inode->resized = false;
  }
  restart();
}

void SimDisk::kill() { restart(); }

void SimDisk::restart() {
  ++life_;
  crashed_ = failed_ = false;
  locked_.clear();
  crash_in_ = fail_in_ = 0;
}

void SimDisk::forget(const std::string& path) {
  names_.erase(path);
  durable_.erase(path);
}

std::vector<std::string> SimDisk::paths() const {
  std::vector<std::string> all;
  for (const auto& [path, inode] : names_)
    if (!inode->folder) all.push_back(path);
  return all;
}

std::uint64_t SimDisk::used() const {
  std::uint64_t bytes = 0;
  if (capacity_ == std::numeric_limits<std::uint64_t>::max()) return 0;
  for (const auto& [path, inode] : names_) bytes += inode->now.size();
  return bytes;
}

const std::shared_ptr<SimDisk::Inode>& SimDisk::find(const std::string& path) const {
  const auto at = names_.find(path);
  if (at == names_.end()) throw Error(Code::kIo, path + ": is not there");
  return at->second;
}

std::unique_ptr<File> SimDisk::open(const std::string& path, Open how) {
  step();
  if (how != Open::kCreate) return std::make_unique<SimFile>(*this, find(path));
  auto inode = std::make_shared<Inode>();
  names_[path] = inode;
  changes_.push_back({Change::kMake, folder_of(path), path, {}, inode});
  return std::make_unique<SimFile>(*this, std::move(inode));
}

bool SimDisk::exists(const std::string& path) const {
  step();
  return names_.contains(path);
}

std::vector<std::string> SimDisk::list(const std::string& folder) const {
  step();
  std::vector<std::string> all;
  const std::string prefix = folder + "/";
  for (auto at = names_.lower_bound(prefix); at != names_.end() && at->first.starts_with(prefix); ++at)
    if (at->first.find('/', prefix.size()) == std::string::npos) all.push_back(at->first.substr(prefix.size()));
  return all;
}

void SimDisk::make_folder(const std::string& path) {
  step();
  if (names_.contains(path)) return;
  auto inode = std::make_shared<Inode>();
  inode->folder = true;
  names_[path] = inode;
  changes_.push_back({Change::kMake, folder_of(path), path, {}, inode});
}

// What lies in a folder goes with it.
void SimDisk::move_inner(Names& names, const std::string& from, const std::string& to) {
  const std::string prefix = from + "/";
  Names moved;
  for (const auto& [path, inode] : names)
    if (path.starts_with(prefix)) moved.emplace(to + "/" + path.substr(prefix.size()), inode);
  std::erase_if(names, [&](const auto& each) { return each.first.starts_with(prefix); });
  names.merge(moved);
}

void SimDisk::rename(const std::string& from, const std::string& to) {
  step();
  std::shared_ptr<Inode> inode = find(from);
  if (inode->folder) {
    move_inner(names_, from, to);
    for (Change& change : changes_)  // they happen in the folder, whatever its name is
      for (std::string* path : {&change.folder, &change.path, &change.to})
        if (*path == from ? path == &change.folder : path->starts_with(from + "/")) path->replace(0, from.size(), to);
  }
  names_.erase(from);
  names_[to] = inode;
  changes_.push_back({Change::kRename, folder_of(to), from, to, std::move(inode)});
}

void SimDisk::remove(const std::string& path) {
  step();
  if (names_.erase(path) > 0) changes_.push_back({Change::kRemove, folder_of(path), path, {}, nullptr});
}

std::uint64_t SimDisk::free_bytes(const std::string& /*path*/) const {
  const std::uint64_t taken = used();
  return capacity_ > taken ? capacity_ - taken : 0;
}

void SimDisk::check_named(const std::string& path, const File& file) const {
  if (find(path) != static_cast<const SimFile&>(file).inode()) throw Error(Code::kIo, path + ": was replaced");
}

std::unique_ptr<Lock> SimDisk::lock(const std::string& path) {
  step();
  if (locked_.contains(path)) throw Error(Code::kConflict, path + ": another process uses this store");
  return std::make_unique<SimLock>(*this, path);
}

}  // namespace tarry::store
