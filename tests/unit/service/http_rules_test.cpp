#include "tarry/service/http/http_rules.h"

#include <gtest/gtest.h>

namespace tarry::service {
namespace {

TEST(HttpRules, AHostIsANameOrAnAddressAndAPort) {
  for (const char* host : {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080",
                           "tarry.example.org", "a_b-c.internal:80", "host:"})
    EXPECT_TRUE(is_host(host)) << host;
  for (const char* host :
       {"", ":80", "[::1].evil.com", "[::1]x", "[::1", "[evil]", "127.0.0.1:80@evil.com", "127.0.0.1:x", "127.0.0.1/x",
        "a, b", "a b", "user@host", "host:123456", "host:80:80", "::1"})
    EXPECT_FALSE(is_host(host)) << host;
}

TEST(HttpRules, AFoldedHeaderIsFoundInWhateverPieces) {
  const std::string folded = "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\t2\r\n\r\n";
  const std::string plain = "GET / HTTP/1.1\r\nHost:  a \r\nX: 1\r\n\r\n { \n 1}";  // its body has such lines
  for (std::size_t size : {1u, 2u, 3u, 7u, 1000u}) {
    FoldedHeaders in_folded, in_plain;
    bool found = false, wrongly = false;
    for (std::size_t at = 0; at < folded.size(); at += size) found |= in_folded.found_in(folded.substr(at, size));
    for (std::size_t at = 0; at < plain.size(); at += size) wrongly |= in_plain.found_in(plain.substr(at, size));
    EXPECT_TRUE(found) << size;
    EXPECT_FALSE(wrongly) << size;
  }
}

}  // namespace
}  // namespace tarry::service
