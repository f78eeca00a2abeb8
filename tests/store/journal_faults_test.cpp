// The journal on disks that are full, stuck or lose power at one moment: what is said, and what goes on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <future>

#include "store/sim_disk.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

using hosting::Log;
using hosting::Position;

TEST(JournalOnAFullDisk, TellsBeforeItAppendsAndRecovers) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  JournalOptions options;
  options.segment_bytes = 4096;
  options.background = false;
  Journal journal(disk, folder.journal(), options);
  disk.set_capacity(disk.used());
  disk.set_capacity(0);
  const std::string payload(500, 'x');
  const std::vector<std::string_view> views = {payload};
  Position last = 0;
  try {
    for (;;) {
      journal.reserve(1, payload.size());
      last = journal.append(views);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kFull);
  }
  EXPECT_EQ(last, 7u);  // what a segment of 4096 bytes holds
  EXPECT_EQ(journal.last(), last);
  EXPECT_EQ(journal.sync(), last);
  disk.set_capacity(1 << 20);
  journal.reserve(1, payload.size());
  EXPECT_EQ(journal.append(views), last + 1);
  EXPECT_EQ(journal.sync(), last + 1);
}

// A disk on which nothing can be made any more, as if it had become read-only.
class StuckDisk final : public Disk {
 public:
  explicit StuckDisk(Disk& disk) : disk_(disk) {}
  std::atomic<bool> stuck = false;

  std::unique_ptr<File> open(const std::string& path, Open how) override {
    if (stuck && how == Open::kCreate) throw Error(Code::kIo, path + ": cannot be opened (Read-only file system)");
    return disk_.open(path, how);
  }
  bool exists(const std::string& path) const override { return disk_.exists(path); }
  std::vector<std::string> list(const std::string& folder) const override { return disk_.list(folder); }
  void make_folder(const std::string& path) override { disk_.make_folder(path); }
  void rename(const std::string& from, const std::string& to) override { disk_.rename(from, to); }
  void remove(const std::string& path) override { disk_.remove(path); }
  void sync_folder(const std::string& path) override { disk_.sync_folder(path); }
  std::uint64_t free_bytes(const std::string& path) const override { return disk_.free_bytes(path); }
  std::unique_ptr<Lock> lock(const std::string& path) override { return disk_.lock(path); }
  std::unique_ptr<Lock> hold(const std::string& path) override { return disk_.hold(path); }
  void check_held() const override { disk_.check_held(); }
  void check_named(const std::string& path, const File& file) const override { disk_.check_named(path, file); }

 private:
  Disk& disk_;
};

class JournalOnAStuckDisk : public ::testing::Test {
 protected:
  JournalOnAStuckDisk() : disk_(real_disk()) {
    char name[] = "/tmp/tarry-journal-XXXXXX";
    path_ = ::mkdtemp(name);
    options_.segment_bytes = 4096;
  }
  ~JournalOnAStuckDisk() override { std::filesystem::remove_all(path_); }

  static void put(Log& log, const std::string& payload) {
    const std::vector<std::string_view> views = {payload};
    log.reserve(1, payload.size());
    log.append(views);
  }

  std::unique_ptr<Disk> disk_;
  std::string path_;
  JournalOptions options_;
};

TEST_F(JournalOnAStuckDisk, SaysOnceThatTheNextSegmentCannotBeMade) {
  const Folder folder(*disk_, path_);
  for (const bool background : {false, true}) {
    StuckDisk disk(*disk_);
    std::atomic<int> told = 0;
    options_.background = background;
    options_.broken = [&](const std::string& why) {
      EXPECT_NE(why.find("Read-only"), std::string::npos) << why;
      ++told;
    };
    Journal journal(disk, folder.journal(), options_);
    disk.stuck = true;
    try {
      for (int i = 0; i < 100; ++i) put(journal, std::string(500, 'x'));
      ADD_FAILURE() << "it wrote on";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kIo);
    }
    EXPECT_THROW(put(journal, "more"), Error);
    EXPECT_EQ(told, 1);
  }
}

// Without anybody asking.
TEST_F(JournalOnAStuckDisk, SaysThatTheNextSegmentCannotBeMadeWhileItRests) {
  const Folder folder(*disk_, path_);
  StuckDisk disk(*disk_);
  std::promise<std::string> told;
  options_.broken = [&](const std::string& why) { told.set_value(why); };
  Journal journal(disk, folder.journal(), options_);
  disk.stuck = true;
  put(journal, std::string(2500, 'x'));  // more than half: time for the next
  journal.sync();
  std::future<std::string> why = told.get_future();
  ASSERT_EQ(why.wait_for(std::chrono::seconds(60)), std::future_status::ready);
  EXPECT_NE(why.get().find("Read-only"), std::string::npos);
}

TEST(JournalOnAFullDisk, CanBeReadAndIsWrittenWhenRoomComes) {
  JournalOptions options;
  options.segment_bytes = 512;
  options.background = false;
  SimDisk disk(3);
  const Folder folder(disk, "data");
  const std::string payload(100, 'x');
  const std::vector<std::string_view> views = {payload};
  {
    Journal journal(disk, folder.journal(), options);
    journal.reserve(1, payload.size());
    journal.append(views);
    journal.sync();
    disk.kill();
  }
  disk.contents(folder.journal() + "/" + segment_name(1)).replace(300, 4, "torn");
  disk.set_capacity(disk.used());
  disk.set_capacity(1);
  const auto count = [&](const Journal& journal) {
    int entries = 0;
    journal.read(0, [&](Position, std::string_view each) {
      EXPECT_EQ(each, payload);
      return ++entries > 0;
    });
    return entries;
  };
  {
    Journal journal(disk, folder.journal(), options);
    EXPECT_TRUE(journal.found().torn);
    EXPECT_EQ(journal.last(), 1u);
    EXPECT_EQ(journal.synced(), 1u);
    EXPECT_EQ(count(journal), 1);
    EXPECT_ERROR(journal.reserve(1, 1), Code::kFull, "data/journal: there is no room for the log");
    EXPECT_EQ(journal.sync(), 1u);
    EXPECT_EQ(disk.contents(folder.journal() + "/" + segment_name(1)).substr(300, 4), "torn");
    disk.set_capacity(1 << 20);
    journal.reserve(1, payload.size());
    EXPECT_EQ(journal.append(views), 2u);
    EXPECT_EQ(journal.sync(), 2u);
    EXPECT_EQ(journal.found().torn->aside.size(), 1u);  // put aside now
    EXPECT_EQ(count(journal), 2);
  }
  const Journal journal(disk, folder.journal(), options);
  EXPECT_FALSE(journal.found().torn);
  EXPECT_EQ(count(journal), 2);
}

// Killed while it prunes, then without power while it clears up: at every pair of operations.
TEST(JournalOnALosingDisk, PrunesSafelyAtEveryMoment) {
  JournalOptions options;
  options.segment_bytes = 512;
  options.background = false;
  const std::string payload(150, 'x');
  const std::vector<std::string_view> views = {payload};
  for (std::uint64_t case_number = 0; case_number < 12 * 16 * 8; ++case_number) {
    SimDisk disk(case_number);
    try {
      const Folder folder(disk, "store");
      Journal journal(disk, folder.journal(), options);
      for (int i = 0; i < 8; ++i) journal.append(views);
      journal.sync();
      disk.crash_after(case_number % 12);
      journal.prune(6);
    } catch (const Error&) {
    }
    disk.kill();
    disk.crash_after(8 + case_number / 12 % 16);
    try {
      const Folder folder(disk, "store");
      const Journal journal(disk, folder.journal(), options);
    } catch (const Error&) {
    }
    disk.lose_power();
    const Folder folder(disk, "store");
    const Thrown thrown = thrown_by([&] { EXPECT_EQ(Journal(disk, folder.journal(), options).last(), 8u); });
    EXPECT_EQ(thrown.message, "nothing was thrown") << case_number;
  }
}

}  // namespace
}  // namespace tarry::store
