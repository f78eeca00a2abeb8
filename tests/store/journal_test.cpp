// The journal on a real disk and with threads: what the simulations do not see.
#include "tarry/store/journal/journal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "store/sim_disk.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

class JournalTest : public ::testing::Test {
 protected:
  JournalTest() : disk_(real_disk()) {
    char name[] = "/tmp/tarry-journal-XXXXXX";
    path_ = ::mkdtemp(name);
    options_.epoch = 7;
    options_.salt = 11;
    options_.segment_bytes = 4096;
  }
  ~JournalTest() override { std::filesystem::remove_all(path_); }

  static Position put(hosting::Log& log, std::vector<std::string> payloads) {
    const std::vector<std::string_view> views(payloads.begin(), payloads.end());
    std::size_t bytes = 0;
    for (const std::string& each : payloads) bytes += each.size();
    log.reserve(views.size(), bytes);
    return log.append(views);
  }

  static std::vector<std::string> all(const hosting::Log& log, Position after = 0) {
    std::vector<std::string> found;
    log.read(after, [&](Position position, std::string_view payload) {
      EXPECT_EQ(position, after + found.size() + 1);
      found.emplace_back(payload);
      return true;
    });
    return found;
  }

  std::unique_ptr<Disk> disk_;
  std::string path_;
  JournalOptions options_;
};

TEST_F(JournalTest, KeepsWhatWasAppended) {
  const Folder folder(*disk_, path_ + "/data");
  {
    Journal journal(*disk_, folder.journal(), options_);
    EXPECT_EQ(journal.last(), 0u);
    EXPECT_EQ(put(journal, {"one", "two"}), 2u);
    EXPECT_EQ(put(journal, {""}), 3u);
    EXPECT_EQ(journal.sync(), 3u);
    EXPECT_EQ(journal.synced(), 3u);
    EXPECT_EQ(all(journal), (std::vector<std::string>{"one", "two", ""}));
  }
  const Journal journal(*disk_, folder.journal(), options_);
  EXPECT_EQ(journal.last(), 3u);
  EXPECT_EQ(journal.found().named, 3u);  // it was sealed when it was closed
  EXPECT_FALSE(journal.found().torn);
  EXPECT_EQ(all(journal, 1), (std::vector<std::string>{"two", ""}));
  EXPECT_EQ(all(journal, 3), std::vector<std::string>());
}

TEST_F(JournalTest, ReadsUntilToldToStop) {
  const Folder folder(*disk_, path_);
  Journal journal(*disk_, folder.journal(), options_);
  put(journal, {"a", "b", "c"});
  int seen = 0;
  journal.read(0, [&](Position, std::string_view) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST_F(JournalTest, GoesOnInTheNextSegment) {
  const Folder folder(*disk_, path_);
  std::vector<std::string> written;
  {
    Journal journal(*disk_, folder.journal(), options_);
    for (int i = 0; i < 200; ++i) {
      written.push_back(std::string(static_cast<std::size_t>(i % 90), 'x') + std::to_string(i));
      put(journal, {written.back()});
      if (i % 5 == 0) journal.sync();
    }
    written.push_back(std::string(20'000, 'y'));  // longer than a segment
    put(journal, {written.back()});
    put(journal, {"last"});
    written.emplace_back("last");
    EXPECT_EQ(all(journal), written);
  }
  Journal journal(*disk_, folder.journal(), options_);
  EXPECT_GT(journal.found().segments.size(), 4u);
  EXPECT_EQ(all(journal), written);
  journal.prune(150);
  EXPECT_GT(journal.first(), 100u);
  EXPECT_LE(journal.first(), 151u);
  EXPECT_EQ(all(journal, 180).size(), written.size() - 180);
  EXPECT_ERROR(all(journal, 3), Code::kBadInput,
               "journal: position 4 was pruned; it begins at " + std::to_string(journal.first()));
}

TEST_F(JournalTest, AppendsWhileAnotherThreadSyncs) {
  constexpr int kRecords = 3000;
  const Folder folder(*disk_, path_);
  {
    Journal journal(*disk_, folder.journal(), options_);
    std::atomic<bool> done = false;
    std::thread syncer([&] {
      Position before = 0;
      while (!done) {
        const Position upto = journal.sync();
        EXPECT_GE(upto, before);
        EXPECT_LE(upto, journal.last());
        before = upto;
      }
    });
    for (int i = 0; i < kRecords; ++i) put(journal, {std::to_string(i)});
    std::size_t seen = 0;
    journal.read(0, [&](Position, std::string_view payload) { return payload == std::to_string(seen++); });
    EXPECT_EQ(seen, static_cast<std::size_t>(kRecords));
    done = true;
    syncer.join();
    EXPECT_EQ(journal.sync(), static_cast<Position>(kRecords));
  }
  const Journal journal(*disk_, folder.journal(), options_);
  EXPECT_EQ(journal.last(), static_cast<Position>(kRecords));
}

TEST_F(JournalTest, SealsItselfWhenItRests) {
  const Folder folder(*disk_, path_);
  Journal journal(*disk_, folder.journal(), options_);
  put(journal, {"one"});
  journal.sync();
  Position named = 0;
  for (int i = 0; i < 1000 && named < 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    named = examine(*disk_, folder.journal()).named;
  }
  EXPECT_EQ(named, 1u);
  EXPECT_EQ(journal.last(), 1u);  // a seal is no entry
}

TEST_F(JournalTest, RefusesASecondProcess) {
  const Folder folder(*disk_, path_);
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const Folder again(*disk_, path_);
      ::_exit(0);
    } catch (const Error& error) {
      ::_exit(error.code() == Code::kConflict ? 3 : 4);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_ERROR(Folder(*disk_, path_), Code::kConflict, path_ + ": another process uses this store");
}

TEST_F(JournalTest, SaysWhereTheDamageIs) {
  const Folder folder(*disk_, path_);
  {
    Journal journal(*disk_, folder.journal(), options_);
    put(journal, {"one", "two", "three"});
  }
  const std::string file = folder.journal() + "/00000000000000000001.log";
  {
    const auto harmed = disk_->open(file, Open::kWrite);
    harmed->write(64 + 48 + 41, "X");  // in the payload of the second record
  }
  EXPECT_ERROR(Journal(*disk_, folder.journal(), options_), Code::kCorrupt,
               file + ": offset 112: damaged: position 2 should be here; a later record says that 3 was durable");
}

TEST_F(JournalTest, NoticesThatSegmentsAreGone) {
  for (const std::size_t gone : {0u, 1u, 2u, 3u}) {
    const std::string data = path_ + "/data" + std::to_string(gone);
    const Folder folder(*disk_, data);
    {
      Journal journal(*disk_, folder.journal(), options_);
      for (int i = 0; i < 3; ++i) {
        put(journal, {std::string(3000, 'x')});
        journal.sync();
      }
    }
    ASSERT_EQ(examine(*disk_, folder.journal()).segments.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
      if (gone == i || gone == 3) disk_->remove(folder.journal() + "/" + segment_name(i + 1));
    const Thrown thrown = thrown_by([&] { Journal(*disk_, folder.journal(), options_); });
    EXPECT_EQ(thrown.code, Code::kCorrupt);
    EXPECT_NE(thrown.message.find("offset "), std::string::npos) << thrown.message;
  }
}

TEST_F(JournalTest, NoticesThatItsEndIsCutOff) {
  const Folder folder(*disk_, path_);
  {
    Journal journal(*disk_, folder.journal(), options_);
    put(journal, {"one", "two"});
  }
  const std::string file = folder.journal() + "/" + segment_name(1);
  std::filesystem::resize_file(file, 64 + 48);  // just behind the first record
  EXPECT_ERROR(Journal(*disk_, folder.journal(), options_), Code::kCorrupt,
               file + ": offset 112: has 112 bytes, and had 4096");
}

TEST_F(JournalTest, NoticesThatAYoungJournalIsGone) {
  const Folder folder(*disk_, path_);
  { const Journal journal(*disk_, folder.journal(), options_); }
  const std::string file = folder.journal() + "/" + segment_name(1);
  disk_->remove(file);
  EXPECT_ERROR(Journal(*disk_, folder.journal(), options_), Code::kCorrupt,
               file + ": offset 0: is missing, and with it the whole journal");
}

TEST_F(JournalTest, PutsATornTailAside) {
  const Folder folder(*disk_, path_);
  const std::string file = folder.journal() + "/00000000000000000001.log";
  {
    Journal journal(*disk_, folder.journal(), options_);
    put(journal, {"one", "two"});
  }
  const std::uint64_t end = examine(*disk_, folder.journal()).segments.back().end;
  disk_->open(file, Open::kWrite)->write(end + 8, "half of a record");
  {
    Journal journal(*disk_, folder.journal(), options_);
    EXPECT_EQ(journal.last(), 2u);
    ASSERT_TRUE(journal.found().torn);
    EXPECT_EQ(journal.found().torn->file, file);
    EXPECT_EQ(journal.found().torn->offset, end);
    ASSERT_EQ(journal.found().torn->aside.size(), 1u);
    EXPECT_EQ(read_whole(*disk_, journal.found().torn->aside[0]), std::string(8, '\0') + "half of a record");
    put(journal, {"three"});
  }
  const Journal journal(*disk_, folder.journal(), options_);
  EXPECT_FALSE(journal.found().torn);
  EXPECT_EQ(all(journal), (std::vector<std::string>{"one", "two", "three"}));
}

// A client's bytes inside a payload look like a record of the journal, but for the salt.
TEST_F(JournalTest, IsNotMisledByRecordsInsidePayloads) {
  const Folder folder(*disk_, path_);
  std::string forged;
  add_record(forged, {RecordKind::kSeal, 1'000'000, 7, 1'000'000, {}}, 0);
  {
    Journal journal(*disk_, folder.journal(), options_);
    put(journal, {"one"});
  }
  const std::uint64_t end = examine(*disk_, folder.journal()).segments.back().end;
  disk_->open(folder.journal() + "/00000000000000000001.log", Open::kWrite)->write(end + 40, forged);
  const Journal journal(*disk_, folder.journal(), options_);
  EXPECT_TRUE(journal.found().torn);
  EXPECT_EQ(journal.last(), 1u);
}

}  // namespace
}  // namespace tarry::store
