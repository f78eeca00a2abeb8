// A disk in memory that loses power. What was not synced is then there or not, sector by sector and name by name, in
// any order. A sync that fails drops what it was to write, and the system believes it written.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/draw.h"
#include "tarry/store/disk/disk.h"

namespace tarry::store {

class SimDisk final : public Disk {
 public:
  explicit SimDisk(std::uint64_t seed, std::size_t sector = 512) : draw_(seed), sector_(sector) {}

  // Faults. After a crash every operation throws until restart().
  void crash_after(std::uint64_t operations) { crash_in_ = operations + 1; }
  void fail_sync_after(std::uint64_t syncs) { fail_in_ = syncs + 1; }
  void set_capacity(std::uint64_t bytes) { capacity_ = bytes; }
  bool crashed() const { return crashed_; }
  bool failed_a_sync() const { return failed_; }
  // All processes are gone; what they had written is lost as it may be when the power fails.
  void lose_power();
  // The process is gone; what it had written is still in the system's memory.
  void kill();
  void restart();
  std::uint64_t operations() const { return operations_; }

  // Contents, past all faults.
  std::string& contents(const std::string& path) { return names_.at(path)->now; }
  void forget(const std::string& path);  // as if it had never been there
  std::vector<std::string> paths() const;
  std::uint64_t used() const;

  std::unique_ptr<File> open(const std::string& path, Open how) override;
  bool exists(const std::string& path) const override;
  std::vector<std::string> list(const std::string& folder) const override;
  void make_folder(const std::string& path) override;
  void rename(const std::string& from, const std::string& to) override;
  void remove(const std::string& path) override;
  void sync_folder(const std::string& path) override;
  std::uint64_t free_bytes(const std::string& path) const override;
  std::unique_ptr<Lock> lock(const std::string& path) override;
  std::unique_ptr<Lock> hold(const std::string& folder) override { return lock(folder); }
  void check_held() const override {}
  void check_named(const std::string& path, const File& file) const override;

 private:
  friend class SimFile;
  friend class SimLock;

  struct Inode {
    std::string now;      // what processes read
    std::string durable;  // what the disk has
    std::vector<bool> dirty;
    bool resized = false;
    bool folder = false;
  };
  struct Change {  // of names, not yet durable
    enum Kind : std::uint8_t { kMake, kRename, kRemove } kind;
    std::string folder, path, to;
    std::shared_ptr<Inode> inode;
  };
  using Names = std::map<std::string, std::shared_ptr<Inode>>;

  void step() const;
  void write(Inode& inode, std::uint64_t offset, std::string_view bytes);
  void write_back(Inode& inode, std::uint64_t percent);
  void sync(Inode& inode);
  bool sync_fails();
  static void apply(const Change& change, Names& names);
  static void move_inner(Names& names, const std::string& from, const std::string& to);
  const std::shared_ptr<Inode>& find(const std::string& path) const;

  mutable Draw draw_;
  std::size_t sector_;
  Names names_, durable_;
  std::vector<Change> changes_;
  mutable std::uint64_t operations_ = 0;
  mutable std::uint64_t crash_in_ = 0;  // 0: never
  mutable bool crashed_ = false;
  std::uint64_t fail_in_ = 0;
  bool failed_ = false;
  std::set<std::string> locked_;
  std::uint64_t life_ = 0;  // counts processes
  std::uint64_t capacity_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace tarry::store
