#include "tarry/hosting/ticket.h"

#include <gtest/gtest.h>

namespace tarry::hosting {
namespace {

const Ticket kTicket{.incarnation = 12, .epoch = 0xFEDCBA9876543210, .round = 77};

TEST(Ticket, IsReadWithTheKeyThatMadeIt) {
  const SecretKey key = random_key();
  const std::string text = ticket_text(kTicket, key);
  EXPECT_EQ(read_ticket(text, key), kTicket);
  EXPECT_EQ(text.size(), 55u);
  EXPECT_EQ(read_ticket(text, random_key()), std::nullopt);
}

TEST(Ticket, HasOneText) {
  const SecretKey key = random_key();
  const std::string text = ticket_text(kTicket, key);
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char letter : letters) {
      std::string other = text;
      other[i] = letter;
      EXPECT_EQ(read_ticket(other, key).has_value(), other == text) << i << letter;
    }
    EXPECT_EQ(read_ticket(text.substr(0, i), key), std::nullopt);
  }
  EXPECT_EQ(read_ticket(text + "A", key), std::nullopt);
  EXPECT_EQ(read_ticket(text + "=", key), std::nullopt);
  EXPECT_EQ(read_ticket(" " + text, key), std::nullopt);
}

TEST(Base64url, GivesBackItsBytesAndTakesNoOtherSpelling) {
  for (const std::string bytes : {"", "a", "ab", "abc", "\xff\xfe\x00"}) {
    const std::string text = base64url(bytes);
    EXPECT_EQ(from_base64url(text), bytes);
  }
  EXPECT_EQ(from_base64url("YR"), std::nullopt);    // "YQ" with a bit that nothing needs
  EXPECT_EQ(from_base64url("YQ=="), std::nullopt);  // padding
  EXPECT_EQ(from_base64url("Y Q"), std::nullopt);
}

}  // namespace
}  // namespace tarry::hosting
