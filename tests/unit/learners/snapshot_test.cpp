#include "tarry/learners/snapshot.h"

#include <gtest/gtest.h>

#include "tarry/learners/frank_wolfe/delayed_ofw.h"
#include "tarry/model/model.h"
#include "tarry/sets/polytopes/simplex.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

std::string resealed(std::string snapshot) {  // with a checksum that fits
  snapshot.resize(snapshot.size() - 8);
  ByteWriter tail;
  tail.u64(crc32c(snapshot));
  return snapshot + tail.bytes();
}

TEST(Snapshot, OpensToItsPayload) {
  for (const std::string& payload : {std::string(), std::string("state"), std::string("\0\xFF", 2)})
    EXPECT_EQ(open_snapshot(seal_snapshot(payload)), payload);
}

TEST(Snapshot, IsAsLongAsItIsCounted) {
  Model model(Simplex(3), DelayedOfw<AnySet>(Simplex(3), OfwRule(0.1)));
  model.apply(Play{});
  model.apply(Gradient{1, Covector::dense(Vec{1, 0, 0})});
  EXPECT_EQ(snapshot_size(model.learner()), save_learner(model.learner()).size());
}

TEST(Snapshot, SaysWhatIsWrong) {
  const std::string good = seal_snapshot("state");
  EXPECT_ERROR(open_snapshot(""), Code::kCorrupt, "snapshot: does not begin with TARRYSNP");
  EXPECT_ERROR(open_snapshot("PNG"), Code::kCorrupt, "snapshot: does not begin with TARRYSNP");
  EXPECT_ERROR(open_snapshot(good.substr(0, 20)), Code::kCorrupt, "snapshot: ends early");
  EXPECT_ERROR(open_snapshot(good + "x"), Code::kCorrupt, "snapshot: says 5 bytes, has 6");
  std::string other_version = good;
  other_version[8] = 9;
  EXPECT_ERROR(open_snapshot(resealed(other_version)), Code::kCorrupt,
               "snapshot: version 9 is not one this program reads (4)");
  std::string flipped = good;
  flipped[25] ^= 1;
  EXPECT_ERROR(open_snapshot(flipped), Code::kCorrupt, "snapshot: its checksum does not match");
}

}  // namespace
}  // namespace tarry
