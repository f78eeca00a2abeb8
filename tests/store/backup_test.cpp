// Copies of a store that runs, and journals written anew.
#include "tarry/store/backup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/store/folder.h"
#include "tarry/store/journal.h"
#include "tarry/store/real_disk.h"
#include "tarry/store/snapshots.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

JournalOptions small(std::uint64_t epoch) {
  JournalOptions options;
  options.epoch = epoch;
  options.salt = 3;
  options.segment_bytes = 2048;
  options.background = false;
  return options;
}

Position put(Log& log, const std::string& payload) {
  const std::vector<std::string_view> views = {payload};
  return log.append(views);
}

std::vector<std::string> all(const Journal& log) {
  std::vector<std::string> found;
  log.read(log.first() - 1, [&](Position, std::string_view payload) {
    found.emplace_back(payload);
    return true;
  });
  return found;
}

TEST(Backup, CopiesJournalSnapshotsAndKey) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Journal journal(disk, folder.journal(), small(1));
  Snapshots snapshots(disk, folder.snapshots());
  for (int i = 1; i <= 100; ++i) put(journal, std::string(50, 'x') + std::to_string(i));
  journal.sync();
  for (const Position at : {40u, 70u})
    snapshots.save([&](const Snapshots::Sink& sink) {
      sink("state");
      return SavedHead{at};
    });
  journal.prune(snapshots.keep(2));
  write_whole(disk, "store", "key", "secret");
  const Copied copied = copy_store(disk, "store", "copy");
  EXPECT_EQ(copied.last, 100u);
  EXPECT_EQ(copied.first, journal.first());
  EXPECT_EQ(copied.snapshots, (std::vector<Position>{70, 40}));
  EXPECT_TRUE(copied.key);
  EXPECT_EQ(read_whole(disk, "copy/key"), "secret");
  disk.lose_power();  // the copy is durable
  Journal copy(disk, "copy/journal", small(2));
  EXPECT_EQ(copy.last(), 100u);
  EXPECT_EQ(copy.found().named, 100u);
  EXPECT_EQ(all(copy).back(), std::string(50, 'x') + "100");
  EXPECT_EQ(put(copy, "more"), 101u);
  EXPECT_ERROR(copy_store(disk, "store", "copy"), Code::kConflict, "copy: is not empty");
  EXPECT_ERROR(copy_store(disk, "nothing", "other"), Code::kBadInput,
               "nothing: is no store (it has no folder journal)");
}

TEST(Backup, IsRefusedWhileItIsNotFinished) {
  SimDisk disk(1);
  {
    const Folder folder(disk, "store");
    Journal journal(disk, folder.journal(), small(1));
    put(journal, "one");
  }
  disk.crash_after(30);
  EXPECT_THROW(copy_store(disk, "store", "copy"), Error);
  disk.lose_power();
  EXPECT_ERROR(Folder(disk, "copy"), Code::kCorrupt, "copy: is a copy that was not finished; remove it and copy again");
}

TEST(Backup, RefusesADamagedJournal) {
  SimDisk disk(1);
  {
    const Folder folder(disk, "store");
    Journal journal(disk, folder.journal(), small(1));
    put(journal, "one");
    put(journal, "two");
  }
  disk.contents("store/journal/" + segment_name(1))[64 + 41] ^= 1;
  EXPECT_ERROR(copy_store(disk, "store", "copy"), Code::kCorrupt,
               "store/journal/00000000000000000001.log: offset 64: damaged: position 1 should be here; a later record "
               "says that 2 was durable");
}

TEST(Backup, CopiesAStoreThatIsWritten) {
  char name[] = "/tmp/tarry-backup-XXXXXX";
  const std::string path = ::mkdtemp(name);
  const std::unique_ptr<Disk> disk = real_disk();
  {
    const Folder folder(*disk, path + "/store");
    JournalOptions options = small(1);
    options.segment_bytes = 8192;
    Journal journal(*disk, folder.journal(), options);
    std::atomic<bool> done = false;
    std::atomic<Position> durable = 0;
    std::thread writer([&] {
      for (int i = 1; !done && i < 100'000; ++i) {
        put(journal, std::to_string(i));
        if (i % 3 == 0) durable = journal.sync();
        if (i % 50 == 0) journal.seal();
      }
    });
    for (int i = 0; i < 8; ++i) {
      const std::string to = path + "/copy" + std::to_string(i);
      const Position before = durable;
      const Copied copied = copy_store(*disk, path + "/store", to);
      EXPECT_GE(copied.last, before);
      const Journal copy(*disk, to + "/journal", options);
      EXPECT_EQ(copy.last(), copied.last);
      EXPECT_FALSE(copy.found().torn);
      Position next = 1;
      copy.read(0, [&](Position, std::string_view payload) { return payload == std::to_string(next) && ++next > 0; });
      EXPECT_EQ(next, copied.last + 1);
    }
    done = true;
    writer.join();
  }
  std::filesystem::remove_all(path);
}

// Written anew under crashes: each record is as it was or as it shall be, and in the end all are as they shall be.
std::string rewrite(std::uint64_t seed) {
  Draw draw(seed);
  SimDisk disk(seed + 1);
  std::vector<std::string> history;
  {
    const Folder folder(disk, "store");
    Journal journal(disk, folder.journal(), small(seed));
    for (std::uint64_t left = draw.between(1, 80); left > 0; --left) {
      history.push_back(std::string(draw.below(100), 'x') + (draw.one_in(3) ? "secret" : "plain"));
      put(journal, history.back());
      if (draw.one_in(4)) journal.sync();
    }
  }
  const Rewrite forget = [](Position, std::string_view payload) {
    return payload.ends_with("secret") ? std::optional<std::string>("gone") : std::nullopt;
  };
  for (int life = 0; life < 2; ++life) {
    if (life == 0) disk.crash_after(draw.below(40));
    try {
      const Folder folder(disk, "store");
      rewrite_journal(disk, folder.journal(), forget);
    } catch (const Error& error) {
      if (!disk.crashed()) return error.what();
    }
    disk.lose_power();
    try {
      const Folder folder(disk, "store");
      const Journal journal(disk, folder.journal(), small(seed + 1));
      if (journal.last() != history.size()) return "ends at " + std::to_string(journal.last());
      const std::vector<std::string> now = all(journal);
      for (std::size_t i = 0; i < now.size(); ++i) {
        const bool secret = history[i].ends_with("secret");
        const bool as_it_was = now[i] == history[i] && !(secret && life == 1);
        if (!as_it_was && !(secret && now[i] == "gone")) return "other bytes at " + std::to_string(i + 1);
      }
    } catch (const Error& error) {
      return error.what();
    }
  }
  for (const std::string& path : disk.paths())
    if (disk.contents(path).find("secret") != std::string::npos) return path + " still has it";
  return "";
}

TEST(Rewrite, IsSafeAtAnyMoment) {
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= seeds() / 10 && failures < 5; ++seed) {
    const std::string problem = rewrite(seed);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
}

}  // namespace
}  // namespace tarry::store
