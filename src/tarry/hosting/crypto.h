// What needs libsodium: random bytes, keyed tags, hashes of secrets, comparison in constant time, and the one text of
// some bytes (base64url without padding).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tarry::hosting {

inline constexpr std::size_t kKeyBytes = 32;
inline constexpr std::size_t kTagBytes = 16;

using SecretKey = std::array<unsigned char, kKeyBytes>;

std::string random_bytes(std::size_t count);
std::uint64_t random_number();
SecretKey random_key();

// BLAKE2b, keyed, of 16 bytes.
std::string tag(const SecretKey& key, std::string_view message);
// BLAKE2b of 32 bytes, as hexadecimal digits: how a secret is stored.
std::string hash_of_secret(std::string_view secret);
// Takes the same time wherever they differ.
bool equal(std::string_view a, std::string_view b);

std::string base64url(std::string_view bytes);
// Nothing for a text that base64url would not have written.
std::optional<std::string> from_base64url(std::string_view text);

// A body and its tag, as a text; and the body of such a text, nothing where the tag is not the key's.
std::string signed_text(const SecretKey& key, const std::string& body);
std::optional<std::string> signed_body(const SecretKey& key, std::string_view text);

}  // namespace tarry::hosting
