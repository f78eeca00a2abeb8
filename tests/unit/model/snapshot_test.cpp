#include "tarry/model/snapshot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tarry/base/bytes.h"
#include "tarry/base/version.h"
#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/spec/json.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

namespace fs = std::filesystem;

const std::string kSpec =
    R"({"set": {"type": "simplex", "dimension": 2}, "learner": {"type": "delayed_ofw", "eta": 0.5}})";

Model small() {
  Model model = make_model(ModelSpec::parse(kSpec));
  for (int t = 0; t < 3; ++t) model.apply(Play{.key = "k" + std::to_string(t)});
  model.apply(Gradient{2, Features(Vec{1, 0})});
  return model;
}

// The same bytes with a checksum that fits.
std::string sealed(std::string snapshot) {
  ByteWriter crc;
  crc.u64(crc32c(std::string_view(snapshot).substr(0, snapshot.size() - 8)));
  return snapshot.substr(0, snapshot.size() - 8) + crc.bytes();
}

TEST(Snapshot, IsTheModelAndSaysWhatItIs) {
  const Model model = small();
  const std::string bytes = snapshot_bytes(model, 77);
  const SnapshotHead head = read_head(bytes);
  EXPECT_EQ(head.engine, kVersion);
  EXPECT_EQ(head.spec, ModelSpec::parse(kSpec).json());
  EXPECT_EQ(head.position, 77u);
  const Model copy = load_snapshot(bytes);
  EXPECT_EQ(copy.hash(), model.hash());
  EXPECT_EQ(copy.decision(), model.decision());
  EXPECT_EQ(snapshot_bytes(copy, 77), bytes);
  EXPECT_EQ(model.clone().hash(), model.hash());
}

TEST(Snapshot, CutAnywhereIsCorrupt) {
  const std::string bytes = snapshot_bytes(small());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(thrown_by([&] { load_snapshot(bytes.substr(0, size)); }).code, Code::kCorrupt) << size;
  EXPECT_EQ(thrown_by([&] { load_snapshot(bytes + '\0'); }).code, Code::kCorrupt);
}

TEST(Snapshot, WithAnyByteChangedIsCorrupt) {
  const std::string bytes = snapshot_bytes(small());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      EXPECT_EQ(thrown_by([&] { load_snapshot(changed); }).code, Code::kCorrupt) << i;
    }
  }
}

// Whatever is behind a checksum that fits is either a state or refused: nothing else may happen.
TEST(Snapshot, WithAnyByteChangedAndSealedAgainIsAModelOrAnError) {
  const std::string bytes = snapshot_bytes(small());
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      thrown_by([&] { load_snapshot(sealed(changed)).apply(Play{}); });
    }
  }
}

// The rounds of a loaded ledger must have what the model's own rounds have.
TEST(Snapshot, WhoseRoundsDoNotFitTheModelIsRefused) {
  const std::string spec = R"({"set": {"type": "box", "dimension": 3, "lower": -1, "upper": 1},
      "learner": {"type": "stay"}, "loss": "squared"})";
  const auto refused = [&](const Context& context, const Version& version = nullptr) {
    Ledger ledger;
    ledger.issue(context, version);
    ByteWriter out, rest;
    make_model(ModelSpec::parse(spec)).save(rest);
    ByteWriter none;
    Ledger().save(none);
    out.u64(1);
    ledger.save(out);
    out.raw(std::string_view(rest.bytes()).substr(8 + none.size()));
    Model model = make_model(ModelSpec::parse(spec));
    ByteReader in(out.bytes());
    return thrown_by([&] { model.load(in); }).message;
  };
  const auto with = [](std::vector<Index> indices, Vec values, Vec scores = {}) {
    Context context;
    context.has_features = true;
    context.sparse = !indices.empty();
    context.indices = std::move(indices);
    context.values = std::move(values);
    context.scores = std::move(scores);
    return context;
  };
  const auto decision = [](std::size_t size) { return std::make_shared<const Vec>(size, 0.0); };
  EXPECT_EQ(refused(with({}, {1, 2, 3})), "nothing was thrown");
  EXPECT_EQ(refused(with({0, 2}, {1, 2})), "nothing was thrown");
  EXPECT_EQ(refused({}, decision(3)), "nothing was thrown");
  const std::string message = "snapshot: round 1 does not fit the model";
  EXPECT_EQ(refused(with({}, {1, 2})), message);
  EXPECT_EQ(refused(with({0, 3}, {1, 2})), message);
  EXPECT_EQ(refused(with({-1, 2}, {1, 2})), message);
  EXPECT_EQ(refused(with({2, 2}, {1, 2})), message);
  EXPECT_EQ(refused(with({}, {1, 2, 3}, {1})), message);
  EXPECT_EQ(refused(with({}, {1, 2, 3}), decision(3)), message);
  EXPECT_EQ(refused({}, decision(2)), message);
  EXPECT_EQ(refused({}), message) << "the label needs the decision";
}

TEST(Snapshot, SaysWhatIsWrong) {
  const std::string bytes = snapshot_bytes(small());
  EXPECT_ERROR(load_snapshot("hello"), Code::kCorrupt, "snapshot: does not begin with TARRYMDL");
  EXPECT_ERROR(load_snapshot("TARRYMDL"), Code::kCorrupt, "snapshot: ends early");
  EXPECT_ERROR(load_snapshot(bytes.substr(0, bytes.size() - 1)), Code::kCorrupt,
               "snapshot: its checksum does not match");
  std::string later = bytes;
  later[8] = 9;
  EXPECT_ERROR(load_snapshot(later), Code::kCorrupt, "snapshot: format 9 is not one this program reads (2)");
  std::string shorter = bytes;
  shorter[bytes.size() - 16] = static_cast<char>(shorter[bytes.size() - 16] - 1);  // the state's length
  EXPECT_TRUE(thrown_by([&] { load_snapshot(sealed(shorter)); }).message.starts_with("snapshot: says "));
}

TEST(Snapshot, OfAnotherModelIsRefusedWithTheFirstKeyThatDiffers) {
  const std::string bytes = snapshot_bytes(small());
  EXPECT_EQ(load_snapshot(bytes, ModelSpec::parse(kSpec)).hash(), small().hash());
  const auto refused = [&](const std::string& spec) {
    const Thrown thrown = thrown_by([&] { load_snapshot(bytes, ModelSpec::parse(spec)); });
    EXPECT_EQ(thrown.code, Code::kBadInput);
    return thrown.message;
  };
  EXPECT_EQ(refused(R"({"set": {"type": "simplex", "dimension": 2}, "learner": {"type": "delayed_ofw", "eta": 0.25}})"),
            "snapshot: of another model: learner.eta is 0.25 here and 0.5 in the snapshot");
  EXPECT_EQ(refused(R"({"set": {"type": "simplex", "dimension": 2}, "learner": {"type": "delayed_ofw", "eta": 0.5},
                        "expiry": {"rounds": 3}})"),
            R"(snapshot: of another model: expiry is {"rounds": 3, "then": "drop"} here and absent in the snapshot)");
}

TEST(Snapshot, GoesOutInPieces) {
  const Model model = small();
  std::string together;
  write_snapshot(model, 3, [&](std::string_view piece) { together += piece; });
  EXPECT_EQ(together, snapshot_bytes(model, 3));
}

TEST(Snapshot, AModelPutTogetherByHandCannotBeCloned) {
  const Model model(Simplex(3), DelayedOfw<AnySet>(Simplex(3), OfwRule(0.5)));
  EXPECT_EQ(thrown_by([&] { (void)model.clone(); }).code, Code::kUnsupported);
}

class SnapshotFiles : public testing::Test {
 protected:
  fs::path folder_ = fs::temp_directory_path() / ("tarry-snapshot-" + std::to_string(::getpid()));

  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

TEST_F(SnapshotFiles, AreReplacedWhole) {
  const fs::path path = folder_ / "model.tarry";
  std::ofstream(path) << "something old and longer than nothing";
  save_snapshot(small(), path, 5);
  const SnapshotFile file(path);
  EXPECT_EQ(file.bytes(), snapshot_bytes(small(), 5));
  EXPECT_EQ(files(), 1u);
}

TEST_F(SnapshotFiles, ThatCannotBeWrittenLeaveNothingBehind) {
  EXPECT_EQ(thrown_by([&] { save_snapshot(small(), folder_ / "none" / "model.tarry"); }).code, Code::kIo);
  fs::create_directory(folder_ / "taken");
  const Thrown taken = thrown_by([&] { save_snapshot(small(), folder_ / "taken"); });  // a folder has this name
  EXPECT_EQ(taken.code, Code::kIo);
  EXPECT_NE(taken.message.find("taken: cannot be written"), std::string::npos) << taken.message;
  EXPECT_EQ(files(), 1u);
  if (::geteuid() == 0) return;  // may write anywhere
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(thrown_by([&] { save_snapshot(small(), folder_ / "model.tarry"); }).code, Code::kIo);
  EXPECT_EQ(files(), 1u);
}

TEST_F(SnapshotFiles, AFullDiskIsAnErrorAndLeavesTheOldFile) {
  const fs::path path = folder_ / "model.tarry";
  std::ofstream(path) << "old";
  fs::create_symlink("/dev/full", path.string() + ".part-" + std::to_string(::getpid()));  // where it is written first
  const Thrown thrown = thrown_by([&] { save_snapshot(small(), path); });
  EXPECT_EQ(thrown.code, Code::kIo);
  EXPECT_NE(thrown.message.find("No space left on device"), std::string::npos) << thrown.message;
  EXPECT_EQ(SnapshotFile(path).bytes(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(SnapshotFiles, ThatCannotBeReadSaySo) {
  EXPECT_EQ(thrown_by([&] { SnapshotFile(folder_ / "none"); }).code, Code::kIo);
  EXPECT_ERROR(SnapshotFile{folder_}, Code::kIo, folder_.string() + ": is not a file");
  std::ofstream(folder_ / "empty").flush();
  EXPECT_ERROR(load_snapshot(SnapshotFile(folder_ / "empty").bytes()), Code::kCorrupt,
               "snapshot: does not begin with TARRYMDL");
}

}  // namespace
}  // namespace tarry
