#include "tarry/data/text/read_ahead.h"

#include <atomic>
#include <thread>

#include "tarry/linalg/parallel.h"
#include "unit/data/files.h"
#include "unit/data/gzip.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

// So many blocks of one letter each, and then what `end` does.
ByteSource letters(int blocks, std::shared_ptr<Taken> counted, std::function<std::size_t()> end) {
  return [=, given = 0](char* into, std::size_t room) mutable -> std::size_t {
    if (given == blocks) return end();
    const std::size_t count = std::min<std::size_t>(room, 10'000 + static_cast<std::size_t>(given));
    std::fill_n(into, count, static_cast<char>('a' + given % 26));
    ++given;
    counted->bytes += count;
    return count;
  };
}

std::string all_of(const ByteSource& source, std::size_t piece) {
  std::string text, block(piece, '\0');
  while (const std::size_t n = source(block.data(), piece)) text.append(block, 0, n);
  EXPECT_EQ(source(block.data(), piece), 0u);  // and it stays at the end
  return text;
}

ByteSource ahead_of_letters(int blocks, std::shared_ptr<Taken> taken, std::function<std::size_t()> end) {
  auto behind = std::make_shared<Taken>();
  return read_ahead(letters(blocks, behind, std::move(end)), behind, std::move(taken));
}

TEST(ReadAhead, GivesTheSameBytesInPiecesOfAnyLength) {
  const auto nothing = [] { return std::size_t{0}; };
  const std::string text = all_of(letters(100, std::make_shared<Taken>(), nothing), std::size_t{1} << 20);
  for (const std::size_t piece : {std::size_t{7}, std::size_t{4096}, std::size_t{1} << 20}) {
    const auto taken = std::make_shared<Taken>();
    EXPECT_EQ(all_of(ahead_of_letters(100, taken, nothing), piece), text) << piece;
    EXPECT_EQ(taken->bytes, text.size());
  }
  EXPECT_EQ(all_of(ahead_of_letters(0, std::make_shared<Taken>(), nothing), 10), "");
}

TEST(ReadAhead, ThrowsBehindTheLastByteWhatTheSourceThrew) {
  const auto fail = []() -> std::size_t { throw Error(Code::kCorrupt, "f: the gzip data ends early"); };
  const ByteSource source = ahead_of_letters(30, std::make_shared<Taken>(), fail);
  std::string block(1 << 16, '\0');
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(source(block.data(), block.size()), 10'000 + i);
  EXPECT_ERROR(source(block.data(), block.size()), Code::kCorrupt, "f: the gzip data ends early");
  EXPECT_EQ(source(block.data(), block.size()), 0u);
}

TEST(ReadAhead, CountsWhatWasHandedOutAndNotWhatWasReadAhead) {
  const auto behind = std::make_shared<Taken>(), taken = std::make_shared<Taken>();
  std::atomic<int> asked = 0;
  const ByteSource source = read_ahead(
      [&, inner = letters(100, behind, [] { return std::size_t{0}; })](char* into, std::size_t room) {
        ++asked;
        return inner(into, room);
      },
      behind, taken);
  while (asked < 5) std::this_thread::yield();  // four blocks are there
  std::string block(1 << 16, '\0');
  source(block.data(), block.size());
  EXPECT_EQ(taken->bytes, 10'000u);
}

TEST(ReadAhead, IsAFewBlocksAheadAndEndsWithItsUser) {
  const auto asked = std::make_shared<std::atomic<int>>(0);
  {
    const ByteSource source = read_ahead(
        [asked](char* into, std::size_t) {
          ++*asked;
          *into = 'x';
          return std::size_t{1};
        },
        std::make_shared<Taken>(), std::make_shared<Taken>());
    char letter = 0;
    EXPECT_EQ(source(&letter, 1), 1u);
  }
  EXPECT_LE(*asked, 10);  // eight are ready, one is handed out, one is being read
}

TEST(ReadAhead, ReadsALargePackedFileWithAndWithoutASecondThread) {
  std::string text;
  for (std::uint64_t i = 0; i < 60000; ++i) text += std::to_string(i * i * 2654435761u) + "\n";
  std::string packed = gzip(text);
  ASSERT_GT(packed.size(), std::size_t{1} << 18);
  const TestFile file("rows.gz", packed);
  packed[packed.size() - 6] ^= 1;  // in the checksum
  const TestFile corrupt("corrupt.gz", packed);
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    const auto taken = std::make_shared<Taken>();
    EXPECT_EQ(all_of(open_text(file.path(), taken), 999), text);
    EXPECT_EQ(taken->all, taken->bytes);
    EXPECT_ERROR(all_of(open_text(corrupt.path()), 999), Code::kCorrupt,
                 corrupt.path() + ": the gzip data is corrupt (incorrect data check)");
  }
}

}  // namespace
}  // namespace tarry::data
