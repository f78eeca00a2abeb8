#include "tarry/store/checks/fold_check.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tarry/hosting/entry.h"
#include "tarry/store/checks/inspect.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/saved_models.h"
#include "unit/expect_error.h"

namespace tarry::store {

using namespace hosting;
namespace {

const char* const kSmallBall = R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
  "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})";
constexpr std::uint64_t kEpoch = 11;

// A store that a service might have left: entries and snapshots of its own making.
class FoldCheckTest : public testing::Test {
 protected:
  FoldCheckTest() : disk_(real_disk()) {
    char name[] = "/tmp/tarry-fold-XXXXXX";
    path_ = ::mkdtemp(name);
    folder_.emplace(*disk_, path_ + "/data");
    JournalOptions options;
    options.epoch = kEpoch;
    options.salt = 5;
    options.background = false;
    options.segment_bytes = 1 << 16;
    journal_.emplace(*disk_, folder_->journal(), options);
  }
  ~FoldCheckTest() override {
    journal_.reset();
    folder_.reset();
    std::filesystem::remove_all(path_);
  }

  void open(std::uint64_t number) { add(Opened{.epoch = kEpoch, .engine = "0.1.0", .arithmetic = number}); }
  void begin(std::uint64_t number = kArithmetic) {
    open(number);
    add(Create{.name = "m", .spec = kSmallBall});
    play(6);
  }
  void add(const Entry& entry) {
    const std::string bytes = entry_bytes(entry);
    const std::vector<std::string_view> payload = {bytes};
    models_.apply(journal_->append(payload), entry);
  }
  void play(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      add(Apply{.incarnation = 2, .event = Play{.features = Vec{1, 0.5}}});
      if (i % 2 == 0)
        add(Apply{.incarnation = 2,
                  .event = Label{models_.find("m")->model().ledger().issued(), LabelValue{0.25 * i}}});
    }
  }
  // Of what the entries have folded to.
  Position save(std::uint64_t number = kArithmetic, Position folded_from = 0) {
    return save(models_, number, folded_from);
  }
  Position save(const Models& models, std::uint64_t number, Position folded_from) {
    journal_->sync();
    ByteWriter out;
    models.save(out);
    Snapshots(*disk_, folder_->snapshots()).save([&](const Snapshots::Sink& sink) {
      sink(out.bytes());
      return SavedHead{.position = models.head().position,
                       .engine = "0.1.0",
                       .arithmetic = number,
                       .folded_from = folded_from,
                       .origin = LogOrigin{5, kEpoch}};
    });
    return models.head().position;
  }
  std::string snapshot(Position position) const { return Snapshots(*disk_, folder_->snapshots()).path(position); }

  Inspection inspected(Depth depth = Depth::kFolds) {
    journal_->sync();
    return inspect(*disk_, path_ + "/data", depth);
  }
  std::string verdict(const Inspection& seen, Position position) {
    for (const SnapshotThere& each : seen.snapshots)
      if (each.position == position) return each.compared ? "compared" : each.why_not;
    return "is not there";
  }

  std::unique_ptr<Disk> disk_;
  std::string path_;
  std::optional<Folder> folder_;
  std::optional<Journal> journal_;
  Models models_;
};

TEST_F(FoldCheckTest, ComparesEverySnapshotWithTheFold) {
  begin();
  const Position first = save();
  add(Create{.name = "other", .spec = kSmallBall});
  play(3);
  const Position second = save();
  play(2);
  const Inspection seen = inspected();
  EXPECT_TRUE(seen.folded);
  EXPECT_EQ(seen.damage, std::vector<std::string>());
  EXPECT_EQ(verdict(seen, first), "compared");
  EXPECT_EQ(verdict(seen, second), "compared");
  EXPECT_FALSE(inspected(Depth::kStructure).folded);
}

// A model may be ahead of the snapshot that it is in.
TEST_F(FoldCheckTest, ComparesAModelWhereItsOwnLastEntryIs) {
  begin();
  journal_->sync();
  const StateHead head = models_.head();
  play(2);
  ByteWriter out, model;
  models_.find("m")->save(model);
  StateHead saved = head;
  saved.models = 1;
  save_head(out, saved);
  save_model(out, model.bytes());
  journal_->sync();
  Snapshots(*disk_, folder_->snapshots()).save([&](const Snapshots::Sink& sink) {
    sink(out.bytes());
    return SavedHead{.position = head.position, .arithmetic = kArithmetic, .origin = LogOrigin{5, kEpoch}};
  });
  const Inspection seen = inspected();
  EXPECT_EQ(seen.damage, std::vector<std::string>());
  EXPECT_EQ(verdict(seen, head.position), "compared");
}

TEST_F(FoldCheckTest, FindsAStateThatTheLogDoesNotFoldTo) {
  begin();
  Models other;  // whole, and of this log, but one label was another
  other.apply(1, Opened{.epoch = kEpoch});
  other.apply(2, Create{.name = "m", .spec = kSmallBall});
  journal_->sync();
  journal_->read(2, [&](Position position, std::string_view payload) {
    Entry entry = entry_from_bytes(payload);
    auto& apply = std::get<Apply>(entry);
    if (auto* label = std::get_if<Label>(&apply.event); label && position == 4) label->label = LabelValue{0.9};
    other.apply(position, entry);
    return true;
  });
  const Position at = save(other, kArithmetic, 0);
  EXPECT_EQ(inspected(Depth::kStructure).damage, std::vector<std::string>());
  EXPECT_EQ(inspected().damage, (std::vector<std::string>{snapshot(at) + ": model m is not what the log folds to, at " +
                                                          "entry " + std::to_string(at)}));
}

TEST_F(FoldCheckTest, FindsAModelThatIsMissing) {
  begin();
  add(Create{.name = "other", .spec = kSmallBall});
  Models without;
  without.apply(1, Opened{.epoch = kEpoch});
  journal_->sync();
  journal_->read(1, [&](Position position, std::string_view payload) {
    Entry entry = entry_from_bytes(payload);
    if (const auto* create = std::get_if<Create>(&entry); create && create->name == "other") entry = Delete{0};
    without.apply(position, entry);
    return true;
  });
  const Position at = save(without, kArithmetic, 0);
  EXPECT_EQ(inspected().damage, (std::vector<std::string>{snapshot(at) + ": model other is missing"}));
  add(Delete{at});  // as after a compaction
  EXPECT_EQ(inspected().damage, std::vector<std::string>());
}

TEST_F(FoldCheckTest, NeverComparesAFoldOfAnotherNumber) {
  begin(kArithmeticUnknown);
  Models other;  // what other arithmetic might have come to
  other.apply(1, Opened{.epoch = kEpoch});
  other.apply(2, Create{.name = "m", .spec = kSmallBall});
  journal_->sync();
  journal_->read(2, [&](Position position, std::string_view payload) {
    Entry entry = entry_from_bytes(payload);
    auto& apply = std::get<Apply>(entry);
    if (auto* label = std::get_if<Label>(&apply.event)) label->label = LabelValue{0.5};
    other.apply(position, entry);
    return true;
  });
  const Position older = save(other, kArithmeticUnknown, 0);
  Inspection seen = inspected();
  EXPECT_EQ(seen.damage, std::vector<std::string>());
  EXPECT_EQ(verdict(seen, older), "was folded with other arithmetic");

  // A later program goes on from there, with its own number.
  models_ = other;
  open(kArithmetic);
  play(4);
  const Position newer = save(kArithmetic, older);
  seen = inspected();
  EXPECT_EQ(seen.damage, std::vector<std::string>());
  EXPECT_EQ(verdict(seen, newer), "compared");
  play(1);
  const Position newest = save(kArithmetic, older);
  Snapshots(*disk_, folder_->snapshots()).remove(older);
  seen = inspected();
  EXPECT_EQ(seen.damage, std::vector<std::string>());
  EXPECT_EQ(verdict(seen, newer), "what it was folded from is no longer there");
  EXPECT_EQ(verdict(seen, newest), "compared");
}

TEST_F(FoldCheckTest, FindsAnEntryThatCannotBeFolded) {
  begin();
  const std::string bytes = entry_bytes(Entry(Create{.name = "bad", .spec = "{}"}));
  const std::vector<std::string_view> payload = {bytes};
  const Position at = journal_->append(payload);
  const std::vector<std::string> damage = inspected().damage;
  ASSERT_EQ(damage.size(), 1u);
  EXPECT_TRUE(damage[0].starts_with("entry " + std::to_string(at) + " of the log cannot be applied: ")) << damage[0];
}

TEST(ArithmeticWatch, TellsOnceWhatWasWrittenWithAnotherNumber) {
  ArithmeticWatch same(nullptr);
  same.see(1, Opened{.engine = "0.1.0", .arithmetic = kArithmetic});
  same.see(2, Delete{});
  EXPECT_EQ(same.told(), std::nullopt);
  EXPECT_EQ(same.folded_from(), 0u);

  ArithmeticWatch whole(nullptr);
  whole.see(1, Opened{.engine = "0.1.0"});
  whole.see(2, Delete{});
  whole.see(3, Delete{});
  whole.see(4, Opened{.engine = "0.2.0", .arithmetic = kArithmetic});
  whole.see(5, Delete{});
  EXPECT_EQ(whole.told(),
            "entries 2 to 3 were written with arithmetic of an unknown number (tarry 0.1.0): they are folded from the "
            "first entry on with arithmetic " +
                std::to_string(kArithmetic) + ", and bits may differ from what was answered then");

  const SavedHead older{.position = 7, .engine = "0.1.0"};
  const ArithmeticWatch snapshot(&older);
  EXPECT_EQ(snapshot.told(),
            "the snapshot at 7 was folded with arithmetic of an unknown number (tarry 0.1.0): from there on the log is "
            "folded with arithmetic " +
                std::to_string(kArithmetic));
  EXPECT_EQ(snapshot.folded_from(), 7u);
  const SavedHead ours{.position = 9, .arithmetic = kArithmetic, .folded_from = 7};
  EXPECT_EQ(ArithmeticWatch(&ours).folded_from(), 7u);
  EXPECT_EQ(ArithmeticWatch(&ours).told(), std::nullopt);
}

TEST(ArithmeticWatch, RefusesALaterNumber) {
  ArithmeticWatch watch(nullptr);
  EXPECT_EQ(thrown_by([&] { watch.see(1, Opened{.engine = "9.0", .arithmetic = kArithmetic + 1}); }).code,
            Code::kUnsupported);
  const SavedHead later{.position = 7, .engine = "9.0", .arithmetic = kArithmetic + 1};
  EXPECT_EQ(thrown_by([&] { ArithmeticWatch{&later}; }).code, Code::kUnsupported);
}

}  // namespace
}  // namespace tarry::store
