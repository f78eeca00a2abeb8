// A snapshot knows its log: one of another store, or of the store's past before a restore, is refused by name. Files of
// the formats before there were origins are still read.
#include <gtest/gtest.h>

#include "store/sim_disk.h"
#include "tarry/base/bytes.h"
#include "tarry/store/copies/backup.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/snapshots.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

// One life of a store: opens it, appends, and saves a snapshot at its end.
Position live(SimDisk& disk, const std::string& path, std::uint64_t epoch, int entries, bool save = true) {
  const Folder folder(disk, path);
  JournalOptions options;
  options.epoch = epoch;
  options.salt = static_cast<std::uint32_t>(epoch);
  options.segment_bytes = 1024;
  options.background = false;
  Journal journal(disk, folder.journal(), options);
  const std::string payload(90, 'x');
  const std::vector<std::string_view> views = {payload};
  for (int i = 0; i < entries; ++i) journal.append(views);
  journal.sync();
  Snapshots snapshots(disk, folder.snapshots(), journal.identity());
  if (save)
    snapshots.save([&](const Snapshots::Sink& sink) {
      sink("state");
      return SavedHead{.position = journal.last(), .origin = LogOrigin{journal.identity().salt, epoch}};
    });
  snapshots.read(snapshots.positions().front());
  journal.prune(snapshots.keep(2));
  return journal.last();
}

std::string message(SimDisk& disk, const std::string& path) {
  const Findings log = examine(disk, path + "/journal");
  const Snapshots snapshots(disk, path + "/snapshots", log.identity());
  std::vector<std::string> told;
  const Thrown thrown = thrown_by([&] { snapshots.newest(log.first, log.last, told); });
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(thrown.message == "nothing was thrown", thrown.code == Code::kInternal);
  EXPECT_TRUE(thrown.code == Code::kInternal || thrown.code == Code::kConflict);
  return thrown.message;
}

void put_snapshot(SimDisk& disk, const std::string& from, const std::string& to, Position position) {
  const std::string name = Snapshots(disk, "/snapshots").path(position);
  write_whole(disk, to + "/snapshots", name.substr(name.rfind('/') + 1), read_whole(disk, from + name));
}

TEST(Identity, ASnapshotOfAnotherStoreIsRefusedByName) {
  SimDisk disk(1);
  live(disk, "one", 101, 30);
  live(disk, "two", 202, 40);
  EXPECT_EQ(message(disk, "two"), "nothing was thrown");
  put_snapshot(disk, "one", "two", 30);
  EXPECT_EQ(message(disk, "two"), "nothing was thrown");  // the newest is its own
  Snapshots(disk, "two/snapshots").remove(40);
  EXPECT_EQ(message(disk, "two"),
            "two/snapshots/00000000000000000030.snapshot: is a snapshot of another store: move it away");
  EXPECT_ERROR(live(disk, "two", 203, 1, false), Code::kConflict,
               "two/snapshots/00000000000000000030.snapshot: is a snapshot of another store: move it away");
  EXPECT_ERROR(copy_store(disk, "two", "copy"), Code::kConflict,
               "two/snapshots/00000000000000000030.snapshot: is a snapshot of another store: move it away");
}

TEST(Identity, ASnapshotOfThePastBeforeARestoreIsRefusedByName) {
  SimDisk disk(1);
  live(disk, "store", 101, 20);
  copy_store(disk, "store", "backup");
  live(disk, "store", 102, 20);  // what will be undone
  copy_store(disk, "backup", "again");
  live(disk, "again", 103, 40, false);
  EXPECT_EQ(message(disk, "again"), "nothing was thrown");
  put_snapshot(disk, "store", "again", 40);
  EXPECT_EQ(message(disk, "again"),
            "again/snapshots/00000000000000000040.snapshot: is a snapshot of this store's past before it was restored: "
            "entry 40 was written again since; move it away");
  Snapshots(disk, "again/snapshots").remove(40);
  put_snapshot(disk, "backup", "again", 20);  // of the past that both have
  EXPECT_EQ(message(disk, "again"), "nothing was thrown");
}

// Where the entry at a snapshot's position was pruned, the head of the next segment still says who wrote it.
TEST(Identity, IsKnownJustBehindWhatWasPruned) {
  SimDisk disk(1);
  live(disk, "store", 101, 20);
  live(disk, "store", 102, 20);
  live(disk, "store", 103, 20);
  const Findings log = examine(disk, "store/journal");
  ASSERT_GT(log.first, 2u);
  EXPECT_LE(log.first, 41u);
  EXPECT_EQ(log.epoch_of(log.first - 1), 102u);
  EXPECT_EQ(log.epoch_of(log.first - 2), std::nullopt);
  EXPECT_EQ(log.epoch_of(40), 102u);
  EXPECT_EQ(log.epoch_of(41), 103u);
  EXPECT_EQ(log.epoch_of(60), 103u);
  EXPECT_EQ(log.epoch_of(61), std::nullopt);
}

TEST(Identity, FilesOfTheFirstFormatAreRead) {
  ByteWriter out;
  out.raw("TARRYSNP");
  out.u64(1);
  out.raw("state");
  out.u64(7);
  out.text("0.1.0");
  out.text("hash");
  out.text("");
  out.u64(5);
  out.u64(crc32c(out.bytes()));
  const Saved saved = read_saved(out.bytes());
  EXPECT_EQ(saved.state, "state");
  EXPECT_EQ(saved.head.position, 7u);
  EXPECT_EQ(saved.head.arithmetic, kArithmeticUnknown);
  EXPECT_FALSE(saved.head.origin);
  ByteWriter head;
  head.raw("TARRYLOG");
  for (const std::uint64_t each : {1, 9, 4096, 11, 8, 0}) head.u64(each);
  head.u64(crc32c(head.bytes()));
  const auto read = read_segment_head(head.bytes());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->first, 9u);
  EXPECT_EQ(read->epoch_before, 0u);
}

TEST(Identity, LaterFormatsAreRefused) {
  ByteWriter out;
  out.raw("TARRYSNP");
  out.u64(3);
  out.u64(0);
  out.u64(crc32c(out.bytes()));
  EXPECT_ERROR(read_saved(out.bytes()), Code::kCorrupt, "snapshot: format 3 is not one this program reads (1 to 2)");
  ByteWriter head;
  head.raw("TARRYLOG");
  for (const std::uint64_t each : {3, 9, 4096, 11, 8, 0}) head.u64(each);
  head.u64(crc32c(head.bytes()));
  EXPECT_ERROR(read_segment_head(head.bytes()), Code::kCorrupt,
               "journal: format 3 is not one this program reads (1 to 2)");
}

TEST(KeyFile, HasAChecksumAndIsReadWithoutOne) {
  SimDisk disk(1);
  disk.make_folder("store");
  EXPECT_FALSE(read_key(disk, "store"));
  KeyBytes key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<unsigned char>(i);
  write_whole(disk, "store", "key", {reinterpret_cast<const char*>(key.data()), key.size()});
  EXPECT_EQ(read_key(disk, "store")->key, key);
  EXPECT_FALSE(read_key(disk, "store")->checked);
  write_key(disk, "store", key);
  EXPECT_EQ(read_key(disk, "store")->key, key);
  EXPECT_TRUE(read_key(disk, "store")->checked);
  const std::string whole = disk.contents("store/key");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    disk.contents("store/key")[at] ^= 1;
    EXPECT_EQ(thrown_by([&] { read_key(disk, "store"); }).code, Code::kCorrupt) << at;
    disk.contents("store/key") = whole;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {  // 32 bytes of it are not the key of an old store
    disk.contents("store/key") = whole.substr(0, size);
    EXPECT_EQ(thrown_by([&] { read_key(disk, "store"); }).code, Code::kCorrupt) << size;
  }
  disk.contents("store/key") = whole.substr(0, 32);
  EXPECT_ERROR(read_key(disk, "store"), Code::kCorrupt, "store/key: ends after 32 of 56 bytes: restore it");
  disk.contents("store/key") = std::string(40, 'x');
  EXPECT_ERROR(read_key(disk, "store"), Code::kCorrupt,
               "store/key: must have 56 bytes, or 32 without a checksum (has 40)");
}

// A seal that is damaged takes nothing with it: the entry behind it is whole, and may have been acknowledged.
TEST(DamagedSeal, IsSteppedOverWhereTheNextEntryIsWhole) {
  SimDisk disk(1);
  live(disk, "store", 101, 3);
  live(disk, "store", 102, 1, false);
  const std::string path = "store/journal/" + segment_name(1);
  std::string& bytes = disk.contents(path);
  std::uint64_t seal = 0;
  follow(bytes, kSegmentHead, 0, 101, [&](const Record& record, std::uint64_t offset) {
    if (record.kind == RecordKind::kSeal && seal == 0) seal = offset;
    return true;
  });
  ASSERT_GT(seal, 0u);
  const std::uint64_t end = examine(disk, "store/journal").segments.back().end;
  bytes.replace(end - kRecordHead, kRecordHead, std::string(kRecordHead, '\0'));  // it was killed: no seal at its end
  bytes[seal + 3] ^= 1;
  const Findings log = examine(disk, "store/journal");
  EXPECT_EQ(log.last, 4u);
  EXPECT_FALSE(log.torn);
  ASSERT_EQ(log.damaged_seals.size(), 1u);
  EXPECT_EQ(log.damaged_seals[0].offset, seal);
  EXPECT_EQ(live(disk, "store", 103, 2, false), 6u);
}

}  // namespace
}  // namespace tarry::store
