#include "tarry/base/crc32c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tarry/base/bytes.h"

namespace tarry {
namespace {

TEST(Crc32c, IsTheSameByTables) {
  std::string text;
  for (int i = 0; i < 70; ++i) {
    for (std::size_t from = 0; from < std::min<std::size_t>(text.size(), 9); ++from)
      EXPECT_EQ(crc32c(text.substr(from), 12345), crc32c_by_tables(text.substr(from), 12345)) << text.size();
    text += static_cast<char>(37 * i + 11);
  }
}

}  // namespace
}  // namespace tarry
