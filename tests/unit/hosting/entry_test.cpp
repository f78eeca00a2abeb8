#include "tarry/hosting/entry.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"
#include "tarry/model/told.h"

namespace tarry::hosting {
namespace {

std::vector<Entry> examples() {
  return {Opened{.epoch = 0xFFFFFFFFFFFFFFFF, .at_ms = 1700000000000, .engine = "0.1.0", .arithmetic = 3},
          Create{.name = "clicks", .spec = R"({"task": "binary"})", .at_ms = 5},
          Create{.name = "clicks", .spec = R"({"task": "binary"})", .at_ms = 5, .state = "as it stood"},
          Delete{.incarnation = 7},
          Apply{.incarnation = 2, .at_ms = -3, .event = Play{}},
          Apply{.incarnation = 2,
                .at_ms = 9,
                .once = Once{.key = "k", .digest = 77, .index = 3},
                .event = Play{.features = Vec{1, 2}, .key = "order"}},
          Apply{.incarnation = 2, .at_ms = 9, .event = Label{Round{4}, true}},
          Apply{.incarnation = 2, .at_ms = 9, .event = Gradient{std::string("a"), SparseVector{{1, 5}, {0.5, -1}}}},
          Apply{.incarnation = 2, .at_ms = 9, .event = Void{Round{4}}},
          Apply{.incarnation = 2, .at_ms = 9, .event = Play{.key = "e17"}, .deferred = true},
          Activate{.incarnation = 2, .at_ms = 9, .round = 4},
          Challenge{.incarnation = 2, .at_ms = 9, .challenger = "plain", .spec = R"({"task": "binary"})"},
          Dismiss{.incarnation = 2, .at_ms = 9, .challenger = "plain"},
          Promote{.incarnation = 2, .at_ms = 9, .challenger = "plain"}};
}

TEST(Entry, ComesBackFromItsBytes) {
  for (const Entry& entry : examples()) EXPECT_EQ(entry_from_bytes(entry_bytes(entry)), entry);
}

TEST(Entry, OfWhichAByteIsMissingOrTooManyIsRefused) {
  for (const Entry& entry : examples()) {
    const std::string bytes = entry_bytes(entry);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(entry_from_bytes(std::string_view(bytes).substr(0, size)), Error) << size;
    EXPECT_THROW(entry_from_bytes(bytes + "x"), Error);
  }
}

// As every version before there were numbers wrote it.
TEST(Entry, OfTheFirstVersionIsRead) {
  const Opened opened{.epoch = 5, .at_ms = 7, .engine = "0.1.0", .arithmetic = 4};
  std::string bytes = entry_bytes(Entry(opened));
  bytes[0] = 1;
  bytes.resize(bytes.size() - 8);  // the number
  EXPECT_EQ(std::get<Opened>(entry_from_bytes(bytes)), (Opened{.epoch = 5, .at_ms = 7, .engine = "0.1.0"}));
}

TEST(Entry, OfAnotherVersionOrKindIsRefused) {
  std::string bytes = entry_bytes(Entry(Delete{3}));
  bytes[1] = 9;
  EXPECT_THROW(entry_from_bytes(bytes), Error);
  bytes = entry_bytes(Entry(Delete{3}));
  bytes[0] = 3;
  EXPECT_THROW(entry_from_bytes(bytes), Error);  // a kind that version 2 has
  bytes[0] = 5;
  try {
    entry_from_bytes(bytes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCorrupt);
    EXPECT_STREQ(error.what(), "log entry: version 5 is not one this program reads (1 to 4)");
  }
}

// What was known before is written as before: an older program reads it.
TEST(Entry, IsWrittenInTheLeastVersion) {
  EXPECT_EQ(entry_bytes(Entry(Delete{3}))[0], 2);
  EXPECT_EQ(entry_bytes(Apply{.incarnation = 2, .event = Play{}})[0], 2);
  EXPECT_EQ(entry_bytes(Apply{.incarnation = 2, .event = Play{}, .deferred = true})[0], 3);
  EXPECT_EQ(entry_bytes(Entry(Promote{.incarnation = 2, .challenger = "x"}))[0], 4);
  std::string bytes = entry_bytes(Apply{.incarnation = 2, .event = Label{Round{1}, 1.0}, .deferred = true});
  EXPECT_THROW(entry_from_bytes(bytes), Error);  // only a play is deferred
}

TEST(ContentDigest, TellsContentsApartAndNotTheirWriting) {
  const auto label = [](LabelValue value) { return content_digest(Label{Round{1}, std::move(value)}); };
  EXPECT_EQ(label(1.0), content_digest(Label{std::string("key"), 1.0}));
  EXPECT_EQ(label(0.0), label(-0.0));
  EXPECT_NE(label(1.0), label(2.0));
  EXPECT_NE(label(1.0), label(true));
  EXPECT_NE(label(std::string("cat")), label(std::string("dog")));
  EXPECT_NE(label(1.0), content_digest(Void{Round{1}}));
  EXPECT_EQ(content_digest(Gradient{Round{1}, Vec{0, 2}}), content_digest(Gradient{Round{9}, SparseVector{{1}, {2}}}));
  EXPECT_NE(content_digest(Gradient{Round{1}, Vec{0, 2}}), content_digest(Gradient{Round{1}, Vec{2, 0}}));
}

}  // namespace
}  // namespace tarry::hosting
