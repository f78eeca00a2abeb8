// A store is compacted on a disk that loses power, or the process is killed, at any operation, perhaps twice: each time
// the models that were not deleted are as they were, the store is sound, and it can be compacted again.
#include "tarry/store/copies/compact.h"

#include <gtest/gtest.h>

#include "store/seeds.h"
#include "store/sim_disk.h"
#include "tarry/hosting/entry.h"
#include "tarry/store/checks/inspect.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {
namespace {

using namespace hosting;

constexpr std::uint32_t kSalt = 3;
const std::string kSpec = R"({"task": "binary", "features": {"capacity": 4}})";
const std::string kSecret = "secret-of-a-deleted-model";
const std::string kOther = R"({"task": "binary", "features": {"capacity": 4}, "products": 0})";
const std::string kSecretSpec =
    R"({"task": "binary", "features": {"capacity": 4, "interactions": [["x", ")" + kSecret + R"("]]}, "products": 0})";

struct Happened {
  std::uint64_t cut_off = 0, lost_power = 0, with_snapshots = 0, between = 0;
};

class CompactGame {
 public:
  CompactGame(std::uint64_t seed, Happened& happened)
      : happened_(happened),
        seed_(seed),
        draw_(seed),
        disk_(seed + 1, draw_.one_in(2) ? 64 : 512),
        segment_(8 * draw_.between(128, 512)) {}

  // Empty: all was well.
  std::string play() {
    write();
    for (std::uint64_t crashes = draw_.between(1, 2); crashes > 0; --crashes) {
      disk_.crash_after(draw_.below(draw_.one_in(2) ? 30 : 90));
      const std::string problem = compacted(true);
      if (!problem.empty()) return problem;
    }
    disk_.crash_after(kNever);
    const std::string problem = compacted(false);
    if (!problem.empty()) return problem;
    for (const std::string& path : disk_.paths())
      if (disk_.contents(path).find(kSecret) != std::string::npos) return path + " still has it";
    return "";
  }

 private:
  // What a service might leave: several segments, snapshots with a model that was deleted later, an unfinished one.
  void write() {
    const Folder folder(disk_, "store");
    JournalOptions options{.epoch = seed_, .salt = kSalt, .segment_bytes = segment_};
    options.background = false;
    Journal journal(disk_, folder.journal(), options);
    add(journal, Opened{.epoch = seed_, .engine = "0.1.0", .arithmetic = kArithmetic});
    const Position kept = add(journal, Create{.name = "kept", .spec = kSpec});
    const Position gone = add(journal, Create{.name = "gone", .spec = kSpec});
    const std::uint64_t rounds = draw_.between(3, 12), removed = draw_.below(rounds);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      play_one(journal, kept, "x");
      if (i == 1) add(journal, Challenge{.incarnation = kept, .challenger = "other", .spec = kOther});
      if (i == 1 && i <= removed)
        add(journal, Challenge{.incarnation = gone, .challenger = "other", .spec = kSecretSpec});
      if (i == 2 && draw_.one_in(2)) add(journal, Promote{.incarnation = kept, .challenger = "other"});
      if (i <= removed) play_one(journal, gone, kSecret);
      if (i == removed) {
        if (draw_.one_in(2)) save(journal, folder);
        add(journal, Delete{gone});
      }
      if (draw_.one_in(6)) save(journal, folder);
    }
    journal.sync();
    happened_.with_snapshots += !disk_.list(folder.snapshots()).empty();
    if (draw_.one_in(3)) write_whole(disk_, folder.snapshots(), "next" + std::string(kUnfinished), kSecret);
    hash_ = models_.find("kept")->model().hash();
    last_ = journal.last();
  }

  Position add(Journal& journal, const Entry& entry) {
    const std::string bytes = entry_bytes(entry);
    const std::vector<std::string_view> payload = {bytes};
    const Position position = journal.append(payload);
    models_.apply(position, entry);
    return position;
  }

  void play_one(Journal& journal, Position incarnation, const std::string& word) {
    add(journal, Apply{.incarnation = incarnation, .event = Play{.features = NamedFeatures{{word, 0.5}}}});
    const Round round = models_.find(incarnation)->model().ledger().issued();
    if (draw_.one_in(2)) add(journal, Apply{.incarnation = incarnation, .event = Label{round, LabelValue{1.0}}});
  }

  void save(Journal& journal, const Folder& folder) {
    journal.sync();
    ByteWriter out;
    models_.save(out);
    Snapshots(disk_, folder.snapshots()).save([&](const Snapshots::Sink& sink) {
      sink(out.bytes());
      return SavedHead{.position = models_.head().position,
                       .engine = "0.1.0",
                       .arithmetic = kArithmetic,
                       .origin = LogOrigin{kSalt, seed_}};
    });
  }

  std::string compacted(bool may_crash) {
    try {
      const Folder folder(disk_, "store");
      const Compacted done = compact(disk_, folder, ++epoch_);
      happened_.between += done.entries == 0 && may_crash;
    } catch (const Error& error) {
      if (!disk_.crashed() || !may_crash) return error.what();
      ++happened_.cut_off;
    }
    const bool power = draw_.one_in(2);
    happened_.lost_power += power;
    power ? disk_.lose_power() : disk_.kill();
    try {
      return opened();
    } catch (const Error& error) {
      return error.what();
    }
  }

  // What a check and a start find.
  std::string opened() {
    const Inspection seen = inspect(disk_, "store", Depth::kFolds);
    if (!seen.damage.empty()) return "check: " + seen.damage.front();
    const Folder folder(disk_, "store");
    JournalOptions options{.epoch = ++epoch_, .salt = kSalt, .segment_bytes = segment_};
    options.background = false;
    const Journal journal(disk_, folder.journal(), options);
    if (journal.last() != last_) return "ends at " + std::to_string(journal.last());
    const Snapshots snapshots(disk_, folder.snapshots(), journal.identity());
    std::vector<std::string> told;
    Models models;
    snapshots.newest(journal.first(), journal.last(), told,
                     [&](const Saved& saved) { models = load_models(snapshots, saved); });
    if (!told.empty()) return told.front();
    journal.read(models.head().position, [&](Position position, std::string_view payload) {
      models.apply(position, payload);
      return true;
    });
    if (models.find("gone")) return "the deleted model is back";
    return models.find("kept")->model().hash() == hash_ ? "" : "the other model has another state";
  }

  static constexpr std::uint64_t kNever = std::uint64_t{1} << 60;
  Happened& happened_;
  std::uint64_t seed_;
  Draw draw_;
  SimDisk disk_;
  std::uint64_t segment_;
  std::uint64_t epoch_ = std::uint64_t{kSalt} << 32;
  Models models_;
  std::string hash_;
  Position last_ = 0;
};

TEST(Compact, IsSafeWhereverItIsCutOff) {
  int failures = 0;
  Happened happened;
  const std::uint64_t games = seeds() / 10;
  for (std::uint64_t seed = 1; seed <= games && failures < 5; ++seed) {
    const std::string problem = CompactGame(seed, happened).play();
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  EXPECT_GT(happened.cut_off, games / 3);
  EXPECT_GT(happened.lost_power, games / 3);
  EXPECT_GT(happened.with_snapshots, games / 3);
  EXPECT_GT(happened.between, games / 50);  // a second time, where the first had done it already
  RecordProperty("power_losses", static_cast<std::int64_t>(happened.lost_power));
}

}  // namespace
}  // namespace tarry::store
