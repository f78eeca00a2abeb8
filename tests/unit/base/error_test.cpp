#include "tarry/base/error.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tarry {
namespace {

TEST(ErrorTable, HasOneRowForEveryCode) {
  EXPECT_EQ(error_table().size(), static_cast<std::size_t>(kCodeCount));
  std::set<std::string_view> names;
  for (int i = 0; i < kCodeCount; ++i) {
    const auto code = static_cast<Code>(i);
    const ErrorRow& row = error_row(code);
    EXPECT_EQ(static_cast<int>(row.code), i) << "code " << i << " has no row";
    EXPECT_FALSE(row.name.empty());
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " names two codes";
    EXPECT_TRUE(row.exit_status == 1 || row.exit_status == 2) << row.name;
    EXPECT_TRUE(row.http_status >= 400 && row.http_status < 600) << row.name;
    EXPECT_FALSE(row.python_exception.empty()) << row.name;
  }
}

TEST(ErrorTable, WrongInputExitsWithTwoAndFailuresWithOne) {
  for (Code code : {Code::kBadSpec, Code::kBadInput, Code::kUnsupported, Code::kCorrupt})
    EXPECT_EQ(error_row(code).exit_status, 2);
  for (Code code : {Code::kIo, Code::kOutOfMemory, Code::kInternal}) EXPECT_EQ(error_row(code).exit_status, 1);
}

TEST(Error, CarriesItsCodeAndMessage) {
  const Error error(Code::kIo, "disk: full");
  EXPECT_EQ(error.code(), Code::kIo);
  EXPECT_STREQ(error.what(), "disk: full");
}

// what() ends at a NUL; the rest of the message must not be lost with it.
TEST(Error, ShowsANul) {
  const Error error(Code::kBadInput, std::string("type \"a\0b\" is unknown", 21));
  EXPECT_STREQ(error.what(), "type \"a\\u0000b\" is unknown");
}

}  // namespace
}  // namespace tarry
