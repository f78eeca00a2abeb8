// Snapshots on disks that lose power, run full and are damaged.
#include "tarry/store/snapshots/snapshots.h"

#include <gtest/gtest.h>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/store/disk/folder.h"
#include "unit/expect_error.h"

namespace tarry::store {
namespace {

void save(Snapshots& snapshots, Position position, const std::string& state) {
  snapshots.save([&](const Snapshots::Sink& sink) {
    sink(std::string_view(state).substr(0, state.size() / 2));
    sink(std::string_view(state).substr(state.size() / 2));
    return SavedHead{position, "0.1.0", "abc", "extra " + state};
  });
}

std::string state_of(std::uint64_t seed, Position position) {
  Draw draw(seed * 1000 + position);
  return std::string(draw.below(900), static_cast<char>(draw.bits())) + std::to_string(draw.bits());
}

TEST(Snapshots, KeepWhatWasSaved) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  std::vector<std::string> told;
  EXPECT_FALSE(snapshots.newest(1, 0, told));
  save(snapshots, 5, "five");
  save(snapshots, 12, "twelve");
  const auto newest = snapshots.newest(1, 20, told);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->head.position, 12u);
  EXPECT_EQ(newest->head.engine, "0.1.0");
  EXPECT_EQ(newest->head.hash, "abc");
  EXPECT_EQ(newest->head.extra, "extra twelve");
  EXPECT_EQ(newest->state, "twelve");
  EXPECT_TRUE(told.empty());
}

TEST(Snapshots, PassOverADamagedOneAndTellIt) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  save(snapshots, 5, "five");
  save(snapshots, 12, "twelve");
  disk.contents(snapshots.path(12))[60] ^= 1;
  std::vector<std::string> told;
  EXPECT_EQ(snapshots.newest(1, 20, told)->state, "five");
  EXPECT_EQ(told,
            (std::vector<std::string>{"store/snapshots/00000000000000000012.snapshot: snapshot: its checksum does "
                                      "not match"}));
  EXPECT_EQ(snapshots.newest(6, 20, told)->state, "five");
  EXPECT_ERROR(snapshots.newest(7, 20, told), Code::kCorrupt,
               "store/snapshots: no snapshot is whole from which the log, which begins at 7, goes on");
}

TEST(Snapshots, RefuseALogThatEndsBeforeThem) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  save(snapshots, 5, "five");
  std::vector<std::string> told;
  EXPECT_ERROR(
      snapshots.newest(1, 4, told), Code::kCorrupt,
      "store/snapshots/00000000000000000005.snapshot: is of position 5, and the log ends at 4: it has lost what "
      "was durable");
}

TEST(Snapshots, KeepAtLeastTwoThatAreWhole) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  save(snapshots, 5, "five");
  EXPECT_EQ(snapshots.keep(1), 0u);
  save(snapshots, 12, "twelve");
  EXPECT_EQ(snapshots.keep(1), 5u);
  save(snapshots, 20, "twenty");
  disk.contents(snapshots.path(20))[60] ^= 1;
  EXPECT_EQ(snapshots.keep(1), 5u);  // a damaged one does not count
  save(snapshots, 30, "thirty");
  EXPECT_EQ(snapshots.keep(2), 12u);
  EXPECT_EQ(snapshots.positions(), (std::vector<Position>{30, 20, 12}));
  EXPECT_EQ(snapshots.keep(3), 0u);
}

TEST(Snapshots, LeaveNothingBehindOnAFullDisk) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  save(snapshots, 5, "five");
  disk.set_capacity(200);
  EXPECT_ERROR(save(snapshots, 6, std::string(500, 'x')), Code::kFull, "sim: no room");
  EXPECT_EQ(disk.list(folder.snapshots()).size(), 1u);
}

// A game: saves, prunes, crashes.
std::string play(std::uint64_t seed) {
  Draw draw(seed);
  SimDisk disk(seed + 1, draw.one_in(2) ? 64 : 512);
  Position next = 0, saved = 0;
  for (int life = 0; life < 3; ++life) {
    if (draw.one_in(2)) disk.crash_after(draw.below(60));
    if (draw.one_in(4)) disk.fail_sync_after(draw.below(10));
    try {
      const Folder folder(disk, "store");
      Snapshots snapshots(disk, folder.snapshots());
      std::vector<std::string> told;
      const auto newest = snapshots.newest(1, 1000, told);
      if (!told.empty()) return told.front();
      const Position found = newest ? newest->head.position : 0;
      if (found < saved || found > next) return "found " + std::to_string(found) + " of " + std::to_string(saved);
      if (newest && newest->state != state_of(seed, found)) return "other bytes";
      for (std::uint64_t left = draw.below(6); left > 0; --left) {
        ++next;
        save(snapshots, next, state_of(seed, next));
        saved = next;
        if (draw.one_in(2)) snapshots.keep(2);
      }
    } catch (const Error& error) {
      if (!disk.crashed() && !disk.failed_a_sync()) return error.what();
    }
    if (draw.one_in(4))
      disk.kill();
    else
      disk.lose_power();
  }
  return "";
}

TEST(Snapshots, SurviveALossOfPower) {
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= seeds() && failures < 5; ++seed) {
    const std::string problem = play(seed);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
}

// Bytes are flipped, zeroed, cut, exchanged, or the file is gone: the newest that is whole is found, and no other
// bytes.
std::string harm(std::uint64_t seed) {
  Draw draw(seed);
  SimDisk disk(seed);
  const Folder folder(disk, "store");
  Snapshots snapshots(disk, folder.snapshots());
  for (Position position = 1; position <= 3; ++position) save(snapshots, position, state_of(seed, position));
  const Position harmed = draw.between(1, 3);
  std::string& bytes = disk.contents(snapshots.path(harmed));
  const std::string before = bytes;
  const std::size_t at = draw.below(bytes.size());
  const std::uint64_t kind = draw.below(6);
  if (kind == 0) bytes.resize(at);
  if (kind == 1) bytes.replace(at, 64, std::string(std::min<std::size_t>(64, bytes.size() - at), '\0'));
  if (kind == 2) bytes = disk.contents(snapshots.path(harmed == 1 ? 2 : 1));
  if (kind == 3) bytes.replace(at / 8 * 8, 8, std::string(8, static_cast<char>(draw.bits())));
  if (kind >= 4) bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw.below(8)));
  const bool changed = bytes != before;
  std::vector<std::string> told;
  const auto newest = snapshots.newest(1, 10, told);
  const Position wanted = harmed == 3 && changed ? 2 : 3;
  if (!newest || newest->head.position != wanted) return "finds another";
  if (newest->state != state_of(seed, wanted)) return "other bytes";
  if (told.empty() != (wanted == 3)) return "is silent";
  return "";
}

TEST(Snapshots, DamageIsNeverSilent) {
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= seeds() && failures < 5; ++seed) {
    const std::string problem = harm(seed);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
}

}  // namespace
}  // namespace tarry::store
