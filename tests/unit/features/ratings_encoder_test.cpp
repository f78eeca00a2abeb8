#include "tarry/features/ratings_encoder.h"

#include <gtest/gtest.h>

#include "unit/expect_error.h"

namespace tarry {
namespace {

NamedFeatures who(FeatureValue user, FeatureValue item) { return {{"user", user}, {"item", item}}; }
FeatureValue text(const char* x) { return std::string(x); }

std::vector<Index> encoded(RatingsEncoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.encode(features, row);
  EXPECT_EQ(row.values, Vec(4, 1.0));
  return row.indices;
}
std::vector<Index> looked_up(const RatingsEncoder& encoder, const NamedFeatures& features) {
  Row row;
  encoder.look_up(features, row);
  return row.indices;
}

TEST(RatingsEncoder, GivesEachUserARowAndEachItemAColumn) {
  RatingsEncoder encoder({.users = 3, .items = 4});
  EXPECT_EQ(encoder.dimension(), 12 + 3 + 4 + 1);
  EXPECT_EQ(encoded(encoder, who(text("ann"), text("tea"))), (std::vector<Index>{0, 12, 15, 19}));
  EXPECT_EQ(encoded(encoder, who(text("bob"), text("tea"))), (std::vector<Index>{4, 13, 15, 19}));
  EXPECT_EQ(encoded(encoder, who(text("ann"), text("rum"))), (std::vector<Index>{1, 12, 16, 19}));
  EXPECT_EQ(encoded(encoder, {{"item", text("rum")}, {"user", text("bob")}}), (std::vector<Index>{5, 13, 16, 19}));
  EXPECT_EQ(encoder.name_of(5), "user=bob × item=rum");
  EXPECT_EQ(encoder.name_of(12), "user=ann");
  EXPECT_EQ(encoder.name_of(16), "item=rum");
  EXPECT_EQ(encoder.name_of(19), "(mean)");
}

TEST(RatingsEncoder, AWholeNumberCountsAsItsDigits) {
  RatingsEncoder encoder({.users = 3, .items = 4});
  const auto by_number = encoded(encoder, who(17.0, -2.0));
  EXPECT_EQ(encoded(encoder, who(text("17"), text("-2"))), by_number);
  EXPECT_EQ(encoder.users().size(), 1);
}

TEST(RatingsEncoder, LooksUpWithoutLearningNames) {
  RatingsEncoder encoder({.users = 3, .items = 4});
  encoded(encoder, who(text("ann"), text("tea")));
  EXPECT_EQ(looked_up(encoder, who(text("ann"), text("tea"))), (std::vector<Index>{0, 12, 15, 19}));
  EXPECT_EQ(looked_up(encoder, who(text("bob"), text("tea"))), (std::vector<Index>{15, 19}));
  EXPECT_EQ(looked_up(encoder, who(text("ann"), text("rum"))), (std::vector<Index>{12, 19}));
  EXPECT_EQ(looked_up(encoder, who(text("bob"), text("rum"))), (std::vector<Index>{19}));
  EXPECT_EQ(encoder.users().size(), 1);
  EXPECT_EQ(encoder.items().size(), 1);
}

TEST(RatingsEncoder, APreviewIsTheRowThatWillBeAndChangesNothing) {
  RatingsEncoder encoder({2, 3});
  for (const char* user : {"a", "b", "c", "a", "d"})
    for (const char* item : {"x", "y", "z", "w"}) {
      ByteWriter before, after;
      encoder.save(before);
      Row row;
      encoder.preview(who(text(user), text(item)), row);
      encoder.save(after);
      EXPECT_EQ(before.bytes(), after.bytes());
      EXPECT_EQ(row.indices, encoded(encoder, who(text(user), text(item))));
    }
}

TEST(RatingsEncoder, SharesWhereThereIsNoRoomLeft) {
  RatingsEncoder encoder({.users = 2, .items = 1});
  for (const char* user : {"a", "b", "c"}) encoded(encoder, who(text(user), text("x")));
  EXPECT_EQ(encoder.users().size(), 2);
  const auto shared = encoded(encoder, who(text("c"), text("y")));
  EXPECT_EQ(looked_up(encoder, who(text("c"), text("y"))), shared);
  EXPECT_EQ(encoder.users().shared_values(), 2u);
  EXPECT_EQ(encoder.items().shared_values(), 1u);
}

TEST(RatingsEncoder, RefusesAnythingElseAndIsThenUnchanged) {
  RatingsEncoder encoder({.users = 2, .items = 2});
  Row row;
  const auto refused = [&](const NamedFeatures& features) {
    const Thrown encode = thrown_by([&] { encoder.encode(features, row); });
    EXPECT_EQ(thrown_by([&] { encoder.look_up(features, row); }).message, encode.message);
    EXPECT_EQ(encode.code, Code::kBadInput);
    return encode.message;
  };
  EXPECT_EQ(refused({}), "features.user must be a text or a whole number");
  EXPECT_EQ(refused({{"user", text("a")}}), "features.item must be a text or a whole number");
  EXPECT_EQ(refused(who(text("a"), 0.5)), "features.item must be a text or a whole number");
  EXPECT_EQ(refused(who(text("a"), true)), "features.item must be a text or a whole number");
  EXPECT_EQ(refused(who(text("a"), {})), "features.item must be a text or a whole number");
  EXPECT_EQ(refused({{"user", text("a")}, {"item", text("b")}, {"age", 3.0}}),
            "features must be user and item alone (3 came)");
  EXPECT_EQ(refused(who(text("a"), std::string(5000, 'x'))),
            "features.item must be at most 4096 bytes long (5000 came)");
  EXPECT_EQ(encoder.users().size() + encoder.items().size(), 0);
}

TEST(RatingsEncoder, IsTheSameAfterSaveAndLoad) {
  RatingsEncoder encoder({.users = 3, .items = 2}), copy({.users = 3, .items = 2});
  for (const char* name : {"c", "a", "b", "d"}) encoded(encoder, who(text(name), text(name)));
  ByteWriter out, again;
  encoder.save(out);
  ByteReader in(out.bytes());
  copy.load(in);
  in.expect_end();
  copy.save(again);
  EXPECT_EQ(again.bytes(), out.bytes());
  for (const char* name : {"a", "d", "e"})
    EXPECT_EQ(encoded(copy, who(text(name), text("c"))), encoded(encoder, who(text(name), text("c"))));
}

}  // namespace
}  // namespace tarry
