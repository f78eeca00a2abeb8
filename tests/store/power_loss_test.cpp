// A journal on a disk that loses power, is killed, fails to sync and runs full, at any operation, also while it
// recovers: what was acknowledged is there afterwards, and nothing that was not written.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/base/error.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/journal/journal.h"

namespace tarry::store {
namespace {

// What happened in all games, so that none of it is left out.
struct Happened {
  std::uint64_t torn = 0, segments_aside = 0, lost_records = 0, crashed_openings = 0, failed_syncs = 0, full_disks = 0,
                pruned = 0, rolled = 0, power_losses = 0, kills = 0;
};

// One game: a journal's lives, and beside it the history as it must be.
class Game {
 public:
  Game(std::uint64_t seed, Happened& happened)
      : happened_(happened),
        seed_(seed),
        draw_(seed),
        disk_(seed + 1, draw_.one_in(2) ? 64 : 512),
        segment_(8 * draw_.between(80, 512)) {}

  // Empty: all was well.
  std::string play() {
    const std::uint64_t lives = draw_.between(2, 5);
    for (std::uint64_t life = 0; life < lives && problem_.empty(); ++life) live(life);
    if (problem_.empty()) check_in_the_end();
    return problem_;
  }

 private:
  void live(std::uint64_t life) {
    bool opened = false;
    if (draw_.one_in(3)) disk_.crash_after(draw_.below(draw_.one_in(2) ? 20 : 120));
    if (draw_.one_in(4)) disk_.fail_sync_after(draw_.below(12));
    disk_.set_capacity(draw_.one_in(4) ? disk_.used() + draw_.below(6 * segment_) : kNoLimit);
    try {
      const Folder folder(disk_, "store");
      JournalOptions options;
      options.epoch = seed_ * 100 + life;
      options.salt = static_cast<std::uint32_t>(seed_);
      options.segment_bytes = segment_;
      options.background = false;
      Journal journal(disk_, folder.journal(), options);
      opened = true;
      check_opened(journal);
      closed_ = false;
      if (problem_.empty()) use(journal);
      disk_.set_capacity(kNoLimit);
      if (!draw_.one_in(3)) disk_.crash_after(0);  // it is not closed
      closed_ = true;                              // unless something happens meanwhile
    } catch (const Error& error) {
      const bool expected = disk_.crashed() || (disk_.failed_a_sync() && error.code() == Code::kIo) ||
                            (error.code() == Code::kFull && limited_);
      if (!expected && problem_.empty()) problem_ = error.what();
    }
    happened_.crashed_openings += !opened && disk_.crashed();
    happened_.failed_syncs += disk_.failed_a_sync();
    closed_ = closed_ && !disk_.crashed() && !disk_.failed_a_sync();
    const bool killed = draw_.one_in(3);
    ++(killed ? happened_.kills : happened_.power_losses);
    killed ? disk_.kill() : disk_.lose_power();
  }

  void check_opened(const Journal& journal) {
    if (closed_) check_seals(journal.found());
    for (const std::string& name : disk_.list("store/journal"))
      if (name.ends_with(kUnfinished) || segment_first(name).value_or(journal.first()) < journal.first())
        return complain(name + " is still there");
    disk_to_history(journal);
    for (const auto& [path, bytes] : aside_)
      if (!disk_.exists(path) || read_whole(disk_, path) != bytes) return complain(path + " was put aside and is gone");
    happened_.torn += journal.found().torn.has_value();
    happened_.segments_aside += journal.found().beyond.size();
    happened_.rolled += journal.found().segments.size() > 1;
    happened_.pruned += journal.first() > 1;
    if (journal.found().torn)
      for (const std::string& path : journal.found().torn->aside) aside_.emplace_back(path, read_whole(disk_, path));
  }

  // A journal that was closed says everywhere that all of it is durable.
  void check_seals(const Findings& found) {
    if (found.named != found.last) complain("was closed without a seal");
    for (const SegmentFile& segment : found.segments)
      if (segment.last < found.last && segment.named <= segment.last)
        complain("a segment has no seal: " + segment_name(segment.first));
  }

  void disk_to_history(const Journal& journal) {
    const Position last = journal.last();
    if (last < acknowledged_) return complain("ends at " + std::to_string(last));
    if (last > history_.size()) return complain("has more than was written: " + std::to_string(last));
    if (journal.synced() != last) return complain("is not durable after recovery");
    if (journal.first() > pruned_ + 1) return complain("begins at " + std::to_string(journal.first()));
    Position next = journal.first();
    journal.read(next - 1, [&](Position position, std::string_view payload) {
      if (position != next || payload != history_[position - 1]) complain("other bytes at " + std::to_string(position));
      ++next;
      return problem_.empty();
    });
    if (next != last + 1) complain("reads only up to " + std::to_string(next - 1));
    happened_.lost_records += history_.size() - last;
    history_.resize(last);
    acknowledged_ = last;
  }

  void use(Journal& journal) {
    for (std::uint64_t left = draw_.below(40); left > 0 && problem_.empty(); --left) {
      try {
        step(journal);
      } catch (const Error& error) {
        if (error.code() == Code::kFull) {
          ++happened_.full_disks;
          disk_.set_capacity(draw_.one_in(2) ? kNoLimit : disk_.used() + segment_);
          continue;
        }
        if (disk_.failed_a_sync() && !disk_.crashed()) check_refuses(journal);
        throw;
      }
    }
  }

  void step(Journal& journal) {
    switch (draw_.below(8)) {
      case 0:
        if (!journal.seal() && !problem_.empty()) complain("no seal");
        break;
      case 1:
        journal.prepare();
        break;
      case 2:
        if (draw_.one_in(3) && acknowledged_ > 0) {
          const Position upto = draw_.between(0, acknowledged_);
          pruned_ = std::max(pruned_, upto);
          journal.prune(upto);
        }
        break;
      case 3:
      case 4:
        acknowledged_ = std::max(acknowledged_, journal.sync());
        if (acknowledged_ != history_.size()) complain("a sync left something out");
        break;
      default:
        append(journal);
    }
  }

  void append(Journal& journal) {
    std::vector<std::string> payloads(draw_.between(1, 3));
    std::size_t bytes = 0;
    for (std::string& payload : payloads) {
      payload.assign(draw_.below(draw_.one_in(10) ? 600 : 60), static_cast<char>('a' + draw_.below(26)));
      payload += std::to_string(++serial_);
      bytes += payload.size();
    }
    const Position before = journal.last();
    try {
      journal.reserve(payloads.size(), bytes);
    } catch (const Error& error) {
      if (error.code() == Code::kFull && journal.last() != before) complain("a refused reserve changed something");
      throw;
    }
    if (draw_.one_in(8)) journal.seal();  // must not use up what was reserved
    if (draw_.one_in(8)) reserve_too_much(journal, payloads.size(), bytes);
    disk_.set_capacity(draw_.one_in(4) ? 0 : kNoLimit);
    history_.insert(history_.end(), payloads.begin(), payloads.end());
    const std::vector<std::string_view> views(payloads.begin(), payloads.end());
    try {
      if (journal.append(views) != history_.size()) complain("append gives another position");
    } catch (const Error& error) {
      if (error.code() == Code::kFull) complain("append found no room within what was reserved");
      throw;
    }
  }

  // A larger reservation that fails leaves the smaller one as it is.
  void reserve_too_much(Journal& journal, std::size_t records, std::size_t bytes) {
    disk_.set_capacity(0);
    try {
      journal.reserve(records, bytes + 4 * segment_);
    } catch (const Error& error) {
      if (error.code() != Code::kFull) throw;
    }
  }

  void check_refuses(Journal& journal) {
    const std::vector<std::string_view> payload = {"x"};
    const auto refuses = [&](auto call) {
      try {
        call();
      } catch (const Error& error) {
        return error.code() == Code::kIo;
      }
      return false;
    };
    if (!refuses([&] { journal.append(payload); }) || !refuses([&] { journal.sync(); }) ||
        !refuses([&] { journal.reserve(1, 1); }) || !refuses([&] { journal.seal(); }))
      complain("goes on after a failed sync");
  }

  void check_in_the_end() {
    limited_ = false;
    disk_.set_capacity(kNoLimit);
    try {
      const Folder folder(disk_, "store");
      JournalOptions options;
      options.epoch = seed_ * 100 + 99;
      options.segment_bytes = segment_;
      options.background = false;
      const Journal journal(disk_, folder.journal(), options);
      check_opened(journal);
    } catch (const Error& error) {
      complain(error.what());
    }
  }

  void complain(const std::string& what) {
    if (problem_.empty()) problem_ = what + " (acknowledged " + std::to_string(acknowledged_) + ")";
  }

  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  Happened& happened_;
  std::uint64_t seed_;
  Draw draw_;
  SimDisk disk_;
  std::uint64_t segment_;
  std::vector<std::string> history_;  // [i]: of position i + 1
  Position acknowledged_ = 0;
  Position pruned_ = 0;
  std::uint64_t serial_ = 0;
  bool limited_ = true;
  bool closed_ = false;
  std::vector<std::pair<std::string, std::string>> aside_;  // path, bytes
  std::string problem_;
};

TEST(PowerLoss, LosesNothingThatWasAcknowledged) {
  int failures = 0;
  Happened happened;
  for (std::uint64_t seed = 1; seed <= seeds() && failures < 5; ++seed) {
    const std::string problem = Game(seed, happened).play();
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  const std::uint64_t some = seeds() / 50;
  EXPECT_GT(happened.torn, some);
  EXPECT_GT(happened.segments_aside, some);
  EXPECT_GT(happened.lost_records, some);
  EXPECT_GT(happened.crashed_openings, some);
  EXPECT_GT(happened.failed_syncs, some);
  EXPECT_GT(happened.full_disks, some);
  EXPECT_GT(happened.pruned, some);
  EXPECT_GT(happened.rolled, some);
  RecordProperty("power_losses", static_cast<std::int64_t>(happened.power_losses));
  RecordProperty("kills", static_cast<std::int64_t>(happened.kills));
}

}  // namespace
}  // namespace tarry::store
