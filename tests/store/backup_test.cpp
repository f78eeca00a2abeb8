// Copies of a store that runs, and journals written anew.
#include "tarry/store/copies/backup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/snapshots.h"
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

Position put(hosting::Log& log, const std::string& payload) {
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
               "nothing: not a store (it has no folder journal)");
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
  EXPECT_ERROR(Folder(disk, "copy"), Code::kCorrupt, "copy: is a copy that was not finished: copy again");
  EXPECT_EQ(copy_store(disk, "store", "copy").last, 1u);
  const Folder folder(disk, "copy");
  EXPECT_EQ(Journal(disk, folder.journal(), small(2)).last(), 1u);
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

// A store to be copied: a log of several segments, snapshots, a key.
void fill(Disk& disk, const std::string& path, Draw& draw) {
  const Folder folder(disk, path);
  Journal journal(disk, folder.journal(), small(1));
  for (std::uint64_t left = draw.between(5, 60); left > 0; --left) put(journal, std::string(draw.below(90), 'x'));
  journal.sync();
  Snapshots snapshots(disk, folder.snapshots());
  if (draw.one_in(2))
    snapshots.save([&](const Snapshots::Sink&) { return SavedHead{draw.between(1, journal.last())}; });
  write_whole(disk, path, "key", "secret");
}

// What a start finds at a place where a copy was begun and cut off: nothing at all, as before, or a refusal, or all of
// it. Never a part, and never a new store in what was begun.
std::string found_at(SimDisk& disk, const std::string& to, Position last, bool was_there) {
  if (!disk.exists(to)) return was_there ? "is gone" : "";
  if (was_there && disk.list(to).empty()) return "";
  try {
    const Folder folder(disk, to);
    const Journal journal(disk, folder.journal(), small(2));
    if (journal.last() != last) return "opens and ends at " + std::to_string(journal.last());
    if (!disk.exists(folder.key())) return "opens without a key";
    return "";
  } catch (const Error& error) {
    const std::string wanted = to + ": is a copy that was not finished: copy again";
    return error.what() == wanted ? "" : error.what();
  }
}

// A copy that crashes at any operation, of the disk's power or of the process, perhaps twice, and then is made again.
struct CutOff {
  std::uint64_t copies = 0, power_losses = 0;
};

std::string copy_and_crash(std::uint64_t seed, CutOff& cut_off) {
  Draw draw(seed);
  SimDisk disk(seed + 1);
  fill(disk, "store", draw);
  Position last = 0;
  {
    const Folder folder(disk, "store");
    last = Journal(disk, folder.journal(), small(3)).last();
  }
  const bool was_there = draw.one_in(3);
  if (was_there) {
    disk.make_folder("copy");
    disk.sync_folder(".");
  }
  for (std::uint64_t crashes = draw.between(1, 2); crashes > 0; --crashes) {
    disk.crash_after(draw.below(draw.one_in(2) ? 25 : 120));
    try {
      copy_store(disk, "store", "copy");
    } catch (const Error& error) {
      if (!disk.crashed()) return error.what();
      ++cut_off.copies;
    }
    const bool killed = draw.one_in(2);
    cut_off.power_losses += !killed;
    killed ? disk.kill() : disk.lose_power();
    const std::string problem = found_at(disk, "copy", last, was_there);
    if (!problem.empty()) return problem;
    disk.restart();
    if (disk.exists("copy/key") && !disk.exists("copy/unfinished")) return "";  // it was finished
  }
  copy_store(disk, "store", "copy");
  disk.lose_power();
  if (disk.exists("copy.part")) return "copy.part is left over";
  return disk.exists("copy/key") ? found_at(disk, "copy", last, was_there) : "is not there in the end";
}

TEST(Backup, IsWholeOrRefusedWhereverItIsCutOff) {
  int failures = 0;
  CutOff cut_off;
  for (std::uint64_t seed = 1; seed <= seeds() / 2 && failures < 5; ++seed) {
    const std::string problem = copy_and_crash(seed, cut_off);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  EXPECT_GT(cut_off.copies, seeds() / 4);
  RecordProperty("power_losses", static_cast<std::int64_t>(cut_off.power_losses));
}

TEST(Backup, HalfAStoreIsRefused) {
  SimDisk disk(1);
  Draw draw(1);
  fill(disk, "store", draw);
  copy_store(disk, "store", "copy");
  for (const std::string& path : disk.paths())
    if (path.starts_with("copy/journal/")) disk.forget(path);
  EXPECT_ERROR(Folder(disk, "copy"), Code::kCorrupt,
               "copy: is half a store: it has a key and no log: restore a backup");
  EXPECT_ERROR(copy_store(disk, "copy", "other"), Code::kCorrupt,
               "copy: is half a store: it has a key and no log: restore a backup");
  EXPECT_FALSE(disk.exists("other"));
  disk.forget("copy/key");
  disk.make_folder("empty");
  EXPECT_NO_THROW(Folder(disk, "empty"));
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
