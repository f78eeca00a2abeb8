#include "tarry/kafka/snapshots.h"

#include <gtest/gtest.h>

#include "tarry/base/bytes.h"

namespace tarry::kafka {
namespace {

const std::string kBytes = "a state that takes several chunks of eight bytes";

void put(SnapshotShelf& shelf, const std::vector<Chunk>& chunks) {
  for (const Chunk& chunk : chunks) shelf.take(chunk.key, chunk.value);
}

TEST(Snapshots, WholeOnesComeBack) {
  SnapshotShelf shelf;
  put(shelf, chunks_of({7, "0.1.0"}, kBytes, 8));
  put(shelf, chunks_of({12, "0.1.0"}, "", 8));
  EXPECT_EQ(shelf.whole(), (std::vector<SnapshotName>{{12, "0.1.0"}, {7, "0.1.0"}}));
  EXPECT_EQ(shelf.bytes({7, "0.1.0"}), kBytes);
  EXPECT_EQ(shelf.bytes({12, "0.1.0"}), "");
  EXPECT_EQ(shelf.bytes({8, "0.1.0"}), std::nullopt);
}

TEST(Snapshots, OneThatIsCutShortAnywhereDoesNotCount) {
  const std::vector<Chunk> chunks = chunks_of({20, "0.1.0"}, kBytes, 8);
  ASSERT_EQ(chunks.size(), 6u);
  for (std::size_t missing = 0; missing < chunks.size(); ++missing) {
    SnapshotShelf shelf;
    put(shelf, chunks_of({10, "0.1.0"}, "before", 8));
    for (std::size_t i = 0; i < chunks.size(); ++i)
      if (i != missing) shelf.take(chunks[i].key, chunks[i].value);
    EXPECT_EQ(shelf.whole(), (std::vector<SnapshotName>{{10, "0.1.0"}})) << missing;
    shelf.take(chunks[missing].key, chunks[missing].value);  // the next owner writes it again
    EXPECT_EQ(shelf.whole().front().next, 20) << missing;
  }
}

TEST(Snapshots, AChangedByteDoesNotCount) {
  std::vector<Chunk> chunks = chunks_of({20, "0.1.0"}, kBytes, 8);
  for (Chunk& chunk : chunks) {
    for (std::size_t at = 0; at < chunk.value.size(); ++at) {
      chunk.value[at] = static_cast<char>(chunk.value[at] ^ 1);
      SnapshotShelf shelf;
      put(shelf, chunks);
      EXPECT_TRUE(shelf.whole().empty()) << chunk.key << " " << at;
      chunk.value[at] = static_cast<char>(chunk.value[at] ^ 1);
    }
  }
}

TEST(Snapshots, ChunksOfTwoStatesMakeNone) {
  SnapshotShelf shelf;
  put(shelf, chunks_of({20, "0.1.0"}, kBytes, 8));
  std::string other = kBytes;
  other.back() = '!';
  shelf.take(chunk_key({20, "0.1.0"}, 5), chunks_of({20, "0.1.0"}, other, 8)[5].value);
  EXPECT_TRUE(shelf.whole().empty());
}

TEST(Snapshots, TombstonesTakeThemAway) {
  SnapshotShelf shelf;
  put(shelf, chunks_of({7, "0.1.0"}, kBytes, 8));
  put(shelf, chunks_of({9, "0.1.0"}, kBytes, 16));
  const std::vector<std::string> old = shelf.keys_before(9);
  EXPECT_EQ(old.size(), 6u);
  shelf.take(old[0], std::nullopt);  // the writer died among them
  EXPECT_EQ(shelf.whole(), (std::vector<SnapshotName>{{9, "0.1.0"}}));
  for (const std::string& key : old) shelf.take(key, std::nullopt);
  EXPECT_TRUE(shelf.keys_before(9).empty());
  EXPECT_EQ(shelf.bytes({9, "0.1.0"}), kBytes);
}

TEST(Snapshots, CarryTheNumberOfTheArithmetic) {
  SnapshotShelf shelf;
  put(shelf, chunks_of({7, "0.1.0", 3}, kBytes, 8));
  put(shelf, chunks_of({7, "0.1.0", 4}, "other bits", 8));
  EXPECT_EQ(shelf.whole(), (std::vector<SnapshotName>{{7, "0.1.0", 4}, {7, "0.1.0", 3}}));
  EXPECT_EQ(shelf.bytes({7, "0.1.0", 3}), kBytes);
  EXPECT_EQ(shelf.bytes({7, "0.1.0", 4}), "other bits");
  EXPECT_EQ(chunk_key({7, "0.1.0", 4}, 2), "7/0.1.0/a4/2");
  SnapshotShelf renamed;  // a number that is not its own
  renamed.take("7/0.1.0/a3/0", chunks_of({7, "0.1.0", 4}, "x", 8)[0].value);
  EXPECT_TRUE(renamed.whole().empty());
}

// As every version before there were numbers wrote them.
TEST(Snapshots, OfTheFirstFormatAreRead) {
  ByteWriter body, value;
  body.u64(1);
  body.u64(1);
  body.u64(3);
  body.u64(crc32c("abc"));
  body.text("abc");
  value.u64(crc32c(body.bytes()));
  value.raw(body.bytes());
  SnapshotShelf shelf;
  shelf.take("7/0.1.0/0", value.bytes());
  EXPECT_EQ(shelf.whole(), (std::vector<SnapshotName>{{7, "0.1.0", 0}}));
  EXPECT_EQ(shelf.bytes({7, "0.1.0"}), "abc");
}

TEST(Snapshots, ForeignRecordsAreIgnored) {
  SnapshotShelf shelf;
  for (const char* key : {"", "7", "7/0.1.0", "x/0.1.0/0", "7/0.1.0/x", "-1/0.1.0/0"}) shelf.take(key, "anything");
  EXPECT_TRUE(shelf.keys_before(100).empty());
  shelf.take("7/0.1.0/0", "short");
  EXPECT_TRUE(shelf.whole().empty());
}

}  // namespace
}  // namespace tarry::kafka
