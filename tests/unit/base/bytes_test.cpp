#include "tarry/base/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "unit/expect_error.h"

namespace tarry {
namespace {

TEST(Crc32c, MatchesTheKnownVectors) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(Crc32c, OfTwoPiecesIsThatOfTheWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(7 * i);
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
}

TEST(Bytes, GoToASinkInOrderAndInPieces) {
  for (std::size_t each : {std::size_t{100}, std::size_t{65535}, std::size_t{65536}, std::size_t{200'000}}) {
    std::vector<std::size_t> sizes;
    std::string together;
    ByteWriter sink([&](std::string_view piece) {
      sizes.push_back(piece.size());
      together += piece;
    });
    ByteWriter plain, counting = ByteWriter::counting();
    for (ByteWriter* out : {&sink, &plain, &counting}) {
      for (int i = 0; i < 700; ++i) {
        out->u64(static_cast<std::uint64_t>(i));
        out->u8(3);
        if (i % 100 == 0) out->text(std::string(each, static_cast<char>('a' + i / 100)));
      }
      out->flush();
    }
    EXPECT_EQ(together, plain.bytes());
    EXPECT_EQ(sink.size(), plain.size());
    EXPECT_EQ(counting.size(), plain.size());
    EXPECT_EQ(counting.bytes(), "");
    EXPECT_EQ(plain.size(), plain.bytes().size());
    EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), std::max(each, std::size_t{65536}));
  }
}

TEST(Bytes, ReadBackWhatWasWritten) {
  const std::vector<double> reals = {0.0, -0.0, 1e-310, std::numeric_limits<double>::max(), -2.5};
  const std::vector<std::int64_t> integers = {0, -1, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min()};
  ByteWriter out;
  out.u64(~std::uint64_t{0});
  out.i64(-7);
  out.f64(-0.0);
  out.text(std::string("a\0b", 3));
  out.text("");
  out.reals(reals);
  out.reals({});
  out.integers(integers);

  ByteReader in(out.bytes());
  EXPECT_EQ(in.u64(), ~std::uint64_t{0});
  EXPECT_EQ(in.i64(), -7);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(in.f64()), std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_EQ(in.text(), std::string("a\0b", 3));
  EXPECT_EQ(in.text(), "");
  const auto back = in.reals();
  ASSERT_EQ(back.size(), reals.size());
  for (std::size_t i = 0; i < reals.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(reals[i]));
  EXPECT_TRUE(in.reals().empty());
  EXPECT_EQ(in.integers(), integers);
  in.expect_end();
}

TEST(Bytes, AreLittleEndian) {
  ByteWriter out;
  out.u64(0x0102030405060708u);
  EXPECT_EQ(out.take(), "\x08\x07\x06\x05\x04\x03\x02\x01");
}

TEST(Bytes, RefuseToReadPastTheEnd) {
  EXPECT_ERROR(ByteReader("abc").u64(), Code::kCorrupt, "snapshot: ends early (wanted 8 more bytes, found 3)");
  ByteWriter out;
  out.u64(1000);
  EXPECT_ERROR(ByteReader(out.bytes()).text(), Code::kCorrupt,
               "snapshot: ends early (a list of 1000 items does not fit in 0 bytes)");
  out.f64(1);
  EXPECT_ERROR(ByteReader(out.bytes()).reals(), Code::kCorrupt,
               "snapshot: ends early (a list of 1000 items does not fit in 8 bytes)");
  EXPECT_ERROR(ByteReader(out.bytes()).expect_end(), Code::kCorrupt, "snapshot: 16 bytes are left over at its end");
}

TEST(Bytes, RefuseWhatMustNotBe) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto number = [](double x) {
    ByteWriter out;
    out.f64(x);
    return out.take();
  };
  const auto list = [](const std::vector<double>& x) {
    ByteWriter out;
    out.reals(x);
    return out.take();
  };
  const std::string two("\2\0\0\0\0\0\0\0", 8), one("\1\0\0\0\0\0\0\0", 8);
  EXPECT_TRUE(ByteReader(one).flag());
  EXPECT_ERROR(ByteReader(two).flag(), Code::kCorrupt, "snapshot: a flag must be 0 or 1 (2 came)");
  EXPECT_EQ(ByteReader(number(-1.5)).finite(), -1.5);
  EXPECT_ERROR(ByteReader(number(kInfinity)).finite(), Code::kCorrupt, "snapshot: a number must be finite (inf came)");
  EXPECT_EQ(ByteReader(number(0)).size(), 0);
  EXPECT_ERROR(ByteReader(number(-1)).size(), Code::kCorrupt, "snapshot: a size must not be negative (-1.000000 came)");
  for (const double x : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(thrown_by([&] { ByteReader(number(x)).f64(); }).code, Code::kCorrupt);
    EXPECT_ERROR(ByteReader(list({1, x})).reals(), Code::kCorrupt, "snapshot: a list has a number that is not finite");
  }
  EXPECT_ERROR(ByteReader(list({1, 2})).reals(3), Code::kCorrupt, "snapshot: a list has 2 numbers where 3 are wanted");
  EXPECT_EQ(ByteReader(list({1, 2})).finites(2), (std::vector<double>{1, 2}));
  EXPECT_ERROR(ByteReader(list({1, kInfinity})).finites(2), Code::kCorrupt,
               "snapshot: a list has a number that is not finite");
}

TEST(Bytes, AHugeCountAllocatesNothing) {
  for (std::uint64_t count : {~std::uint64_t{0}, std::uint64_t{1} << 61, std::uint64_t{1} << 63}) {
    ByteWriter out;
    out.u64(count);
    out.f64(1);
    EXPECT_EQ(thrown_by([&] { ByteReader(out.bytes()).reals(); }).code, Code::kCorrupt);
    EXPECT_EQ(thrown_by([&] { ByteReader(out.bytes()).integers(); }).code, Code::kCorrupt);
    EXPECT_EQ(thrown_by([&] { ByteReader(out.bytes()).text(); }).code, Code::kCorrupt);
  }
}

}  // namespace
}  // namespace tarry
