// Flipped bytes, zeroed pages, absurd lengths, cut and deleted files: a journal that opens has lost nothing that some
// record still says to be durable, and has no bytes that were not written.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/base/error.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/journal/journal.h"

namespace tarry::store {
namespace {

constexpr std::uint32_t kSalt = 0x51A17;

struct Written {  // a record, and where it lies
  std::string path;
  std::uint64_t offset = 0;
  std::string bytes;
  Position synced = 0;
};

class Damage {
 public:
  explicit Damage(std::uint64_t seed) : draw_(seed), disk_(seed), segment_(8 * draw_.between(80, 300)) {}

  std::string play() {
    write();
    note_what_is_there();
    for (std::uint64_t times = draw_.one_in(4) ? 2 : 1; times > 0; --times) harm();
    return open();
  }

 private:
  JournalOptions options(std::uint64_t epoch) const {
    JournalOptions options;
    options.epoch = epoch;
    options.salt = kSalt;
    options.segment_bytes = segment_;
    options.background = false;
    return options;
  }

  void write() {
    for (std::uint64_t life = 0; life < 2; ++life, disk_.kill()) {
      const Folder folder(disk_, "store");
      Journal journal(disk_, folder.journal(), options(life + 1));
      for (std::uint64_t left = draw_.between(3, 30); left > 0; --left) {
        history_.push_back(std::string(draw_.below(80), static_cast<char>(draw_.bits())) + std::to_string(left));
        const std::vector<std::string_view> payload = {history_.back()};
        journal.append(payload);
        if (draw_.one_in(2)) journal.sync();
        if (draw_.one_in(6)) journal.seal();
      }
      if (draw_.one_in(6)) journal.prune(draw_.below(journal.last()));
      first_ = journal.first();
      if (draw_.one_in(3)) disk_.crash_after(0);  // killed: no seal at the end
    }
  }

  void note_what_is_there() {
    for (const std::string& path : disk_.paths()) {
      const std::string& bytes = disk_.contents(path);
      const auto first = segment_first(path.substr(path.rfind('/') + 1));
      if (!first) continue;
      follow(bytes, kSegmentHead, *first - 1, kSalt, [&](const Record& record, std::uint64_t offset) {
        const std::string whole = bytes.substr(offset, record_bytes(record.payload.size()));
        written_.push_back({path, offset, whole, record.synced});
        return true;
      });
    }
  }

  void harm() {
    std::vector<std::string> paths;
    for (const std::string& path : disk_.paths())
      if (path.starts_with("store/journal/")) paths.push_back(path);
    if (paths.empty()) return;
    const std::string path = paths[draw_.below(paths.size())];
    std::string& bytes = disk_.contents(path);
    if (bytes.empty()) return;
    const std::uint64_t at = draw_.below(bytes.size());
    switch (draw_.below(7)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        disk_.forget(path);
        break;
      case 2: {  // zeros
        const std::uint64_t page = draw_.one_in(2) ? 512 : 64;
        const std::uint64_t begin = at / page * page;
        const std::uint64_t count = std::min<std::uint64_t>(page * draw_.between(1, 3), bytes.size() - begin);
        bytes.replace(begin, count, std::string(count, '\0'));
        break;
      }
      case 3: {  // a length, or another number of a record
        if (written_.empty()) break;
        const Written& record = written_[draw_.below(written_.size())];
        if (record.path != path) break;
        const std::uint64_t absurd = draw_.one_in(2) ? draw_.bits() : draw_.below(4096);
        std::memcpy(bytes.data() + record.offset + 8 * draw_.between(0, 4), &absurd, 8);
        break;
      }
      case 4: {  // a record where another should be
        if (written_.size() < 2) break;
        const Written& from = written_[draw_.below(written_.size())];
        const Written& to = written_[draw_.below(written_.size())];
        if (to.path == path && to.offset + from.bytes.size() <= bytes.size())
          bytes.replace(to.offset, from.bytes.size(), from.bytes);
        break;
      }
      default:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw_.below(8)));
    }
  }

  // What the records that are still whole say to be durable.
  Position still_named() const {
    Position named = 0;
    for (const Written& record : written_) {
      if (!disk_.exists(record.path)) continue;
      const std::string& bytes = const_cast<SimDisk&>(disk_).contents(record.path);
      const std::string_view now = std::string_view(bytes).substr(std::min<std::size_t>(bytes.size(), record.offset));
      if (now.starts_with(record.bytes)) named = std::max(named, record.synced);
    }
    return named;
  }

  std::string open() {
    const Position named = still_named();
    try {
      const Folder folder(disk_, "store");
      const Journal journal(disk_, folder.journal(), options(3));
      const std::string end = std::to_string(journal.last());
      if (journal.last() < named) return "ends silently at " + end + ", " + std::to_string(named) + " was durable";
      if (journal.last() > history_.size()) return "has more than was written: " + end;
      if (journal.first() > first_) return "begins silently at " + std::to_string(journal.first());
      Position next = journal.first();
      std::string problem;
      journal.read(next - 1, [&](Position position, std::string_view payload) {
        if (position != next++ || payload != history_[position - 1])
          problem = "other bytes at " + std::to_string(position);
        return problem.empty();
      });
      if (problem.empty() && next != journal.last() + 1) problem = "reads only up to " + std::to_string(next - 1);
      return problem;
    } catch (const Error& error) {
      const std::string what = error.what();
      if (error.code() != Code::kCorrupt) return "another error: " + what;
      return what.find("store/journal/") != std::string::npos && what.find("offset ") != std::string::npos
                 ? ""
                 : "does not say where: " + what;
    }
  }

  Draw draw_;
  SimDisk disk_;
  std::uint64_t segment_;
  std::vector<std::string> history_;
  Position first_ = 1;
  std::vector<Written> written_;
};

TEST(Damage, IsNeverSilentBelowWhatWasDurable) {
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= seeds() && failures < 5; ++seed) {
    const std::string problem = Damage(seed).play();
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
}

// The seal behind a full segment is no entry, and the next segment says as much as it did: nothing is lost with it.
TEST(Damage, ASealBehindAFullSegmentIsTold) {
  SimDisk disk(1);
  const Folder folder(disk, "store");
  JournalOptions options{.epoch = 1, .salt = kSalt, .segment_bytes = 1024};
  options.background = false;
  const std::string payload(300, 'x');
  const std::vector<std::string_view> views = {payload};
  Journal journal(disk, folder.journal(), options);
  for (int i = 0; i < 6; ++i) {
    journal.append(views);
    journal.sync();
  }
  EXPECT_TRUE(examine(disk, folder.journal()).damaged_seals.empty());
  const std::string first = folder.journal() + "/" + segment_name(1);
  std::string& bytes = disk.contents(first);
  const std::uint64_t seal = 64 + 2 * record_bytes(payload.size());  // behind the entries
  ASSERT_GT(end_of_content(bytes), seal);
  bytes[seal + 33] ^= 1;
  const Findings found = examine(disk, folder.journal());
  ASSERT_EQ(found.damaged_seals.size(), 1u);
  EXPECT_EQ(found.damaged_seals[0].file, first);
  EXPECT_EQ(found.last, 6u);
  EXPECT_FALSE(found.torn);
}

}  // namespace
}  // namespace tarry::store
