// A store's directory that is moved, replaced, removed or written over while it is in use: nothing more is said to be
// durable, and nothing is written elsewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/snapshots.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

namespace fs = std::filesystem;

class HeldTest : public ::testing::Test {
 protected:
  HeldTest() : disk_(real_disk()) {
    char name[] = "/tmp/tarry-held-XXXXXX";
    base_ = ::mkdtemp(name);
    path_ = base_ + "/data";
    folder_.emplace(*disk_, path_);
    JournalOptions options;
    options.epoch = 7;
    options.salt = 11;
    options.segment_bytes = 4096;
    options.background = false;
    journal_.emplace(*disk_, folder_->journal(), options);
    put("one");
    journal_->sync();
  }
  ~HeldTest() override {
    journal_.reset();
    folder_.reset();
    fs::remove_all(base_);
  }

  void put(const std::string& payload) {
    const std::vector<std::string_view> views = {payload};
    journal_->append(views);
  }

  void expect_end(const std::string& why) {
    EXPECT_ERROR(journal_->check_in_place(), Code::kIo, why);
    EXPECT_ERROR(journal_->sync(), Code::kIo, "journal: must not be used any more: " + why);
  }

  std::vector<std::string> everything_below(const std::string& path) const {
    std::vector<std::string> found;
    for (const auto& each : fs::recursive_directory_iterator(path)) found.push_back(each.path().filename());
    return found;
  }

  std::unique_ptr<Disk> disk_;
  std::string base_, path_;
  std::optional<Folder> folder_;
  std::optional<Journal> journal_;
};

TEST_F(HeldTest, ItsLockOutlivesTheLockFile) {
  fs::remove(path_ + "/lock");
  const std::unique_ptr<Disk> other = real_disk();
  EXPECT_ERROR(Folder(*other, path_), Code::kConflict, path_ + ": another process uses this store");
  EXPECT_ERROR(lock_store(*other, path_ + "/"), Code::kConflict, path_ + ": another process uses this store");
  journal_.reset();
  folder_.reset();
  EXPECT_NO_THROW(Folder(*other, path_));
}

TEST_F(HeldTest, AMovedDirectoryEndsIt) {
  fs::rename(path_, base_ + "/elsewhere");
  put("two");
  EXPECT_ERROR(journal_->sync(), Code::kIo, path_ + ": was moved, removed or replaced while it was in use");
  EXPECT_EQ(journal_->synced(), 1u);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(HeldTest, NothingIsWrittenToAnotherDirectoryAtItsPath) {
  fs::rename(path_, base_ + "/elsewhere");
  for (const char* name : {"", "/journal", "/snapshots"}) fs::create_directory(path_ + name);
  for (int i = 0; i < 200; ++i) put(std::string(100, 'x'));  // several segments
  Snapshots(*disk_, folder_->snapshots()).save([](const Snapshots::Sink&) { return SavedHead{1}; });
  EXPECT_EQ(everything_below(path_).size(), 2u);
  EXPECT_TRUE(fs::exists(base_ + "/elsewhere/snapshots/00000000000000000001.snapshot"));
  expect_end(path_ + ": was moved, removed or replaced while it was in use");
}

TEST_F(HeldTest, AReplacedJournalEndsIt) {
  fs::rename(path_ + "/journal", path_ + "/old");
  fs::copy(path_ + "/old", path_ + "/journal", fs::copy_options::recursive);
  put("two");
  EXPECT_ERROR(journal_->sync(), Code::kIo, path_ + "/journal: was moved, removed or replaced while it was in use");
}

TEST_F(HeldTest, AReplacedSegmentEndsIt) {
  const std::string segment = path_ + "/journal/" + segment_name(1);
  fs::copy(segment, base_ + "/copy");
  fs::rename(base_ + "/copy", segment);
  expect_end(segment + ": was removed or replaced while it was in use");
}

TEST_F(HeldTest, ARemovedSegmentEndsIt) {
  const std::string segment = path_ + "/journal/" + segment_name(1);
  fs::remove(segment);
  put("two");
  EXPECT_ERROR(journal_->sync(), Code::kIo, segment + ": was removed or replaced while it was in use");
}

TEST_F(HeldTest, ASegmentThatIsWrittenOverEndsIt) {
  const std::string segment = path_ + "/journal/" + segment_name(1);
  fs::copy(segment, base_ + "/backup");
  put("two");
  journal_->sync();
  {
    std::ifstream from(base_ + "/backup", std::ios::binary);
    std::ofstream(segment, std::ios::binary | std::ios::trunc) << from.rdbuf();
  }
  EXPECT_ERROR(put("three"), Code::kIo, segment + ": was written over while it was in use");
  EXPECT_ERROR(journal_->sync(), Code::kIo,
               "journal: must not be used any more: " + segment + ": was written over while it was in use");
}

}  // namespace
}  // namespace tarry::store
