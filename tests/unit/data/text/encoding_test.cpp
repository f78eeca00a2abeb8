#include "tarry/data/text/encoding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tarry/base/error.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

// `step`: how many bytes the source gives at a time.
std::string decoded(const std::string& bytes, std::size_t step, std::string* encoding = nullptr) {
  std::size_t at = 0;
  auto seen = std::make_shared<SeenEncoding>();
  const ByteSource text = as_utf8(
      "f.csv",
      [&](char* into, std::size_t room) {
        const std::size_t count = std::min({room, step, bytes.size() - at});
        std::memcpy(into, bytes.data() + at, count);
        at += count;
        return count;
      },
      seen);
  std::string out;
  char buffer[7];
  while (const std::size_t got = text(buffer, sizeof buffer)) out.append(buffer, got);
  if (encoding != nullptr) *encoding = seen->name;
  return out;
}

std::string utf16(const std::u16string& text, bool little) {
  std::string bytes = little ? "\xFF\xFE" : "\xFE\xFF";
  for (const char16_t c : text) {
    bytes += static_cast<char>(little ? c & 0xFF : c >> 8);
    bytes += static_cast<char>(little ? c >> 8 : c & 0xFF);
  }
  return bytes;
}

TEST(Encoding, EveryOneBecomesUtf8HoweverItComes) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::size_t step : {1, 2, 3, 5, 1000}) {
    std::string encoding;
    EXPECT_EQ(decoded("a,Köln €\n", step, &encoding), "a,Köln €\n");
    EXPECT_EQ(encoding, "utf-8");
    EXPECT_EQ(decoded("Orl\xE9"
                      "ans \x80\n",
                      step, &encoding),
              "Orléans €\n");
    EXPECT_EQ(encoding, "windows-1252");
    if (step < 4) continue;  // what it is shows in the first bytes
    EXPECT_EQ(decoded(utf16(u"Łódź 𝄞\n", true), step, &encoding), mark + "Łódź 𝄞\n");
    EXPECT_EQ(encoding, "utf-16le");
    EXPECT_EQ(decoded(utf16(u"Łódź 𝄞\n", false), step, &encoding), mark + "Łódź 𝄞\n");
    EXPECT_EQ(encoding, "utf-16be");
  }
  EXPECT_EQ(decoded(utf16(u"a,b,c\n1,2,3\n", true).substr(2), 1000), "a,b,c\n1,2,3\n");  // without a mark
}

TEST(Encoding, KnowsOldLineEnds) {
  EXPECT_EQ(decoded("a,b\r1,2\r", 1000), "a,b\n1,2\n");
  for (const std::size_t step : {1, 4, 1000}) EXPECT_EQ(decoded("a,b\r\n1,2\r\n", step), "a,b\r\n1,2\r\n");
}

TEST(Encoding, RefusesWhatIsNoText) {
  EXPECT_ERROR(
      decoded("PAR1....", 1000), Code::kBadInput,
      "f.csv: is a Parquet file, not text: save it as CSV, or in Python give tarry.late_labels what pandas reads "
      "of it");
  EXPECT_ERROR(decoded("PK\x03\x04.....", 1000), Code::kBadInput,
               "f.csv: is a ZIP archive, not text: unpack it first, and give the table in it");
  EXPECT_EQ(not_text("PKG,a,b\n", "f.csv"), "");
}

}  // namespace
}  // namespace tarry::data
