#include "tarry/hosting/crypto.h"

#include <sodium.h>

#include "tarry/base/error.h"

namespace tarry::hosting {
namespace {

static_assert(kKeyBytes == crypto_generichash_KEYBYTES && kTagBytes == crypto_generichash_BYTES_MIN);

void begin() {
  static const bool ready = sodium_init() >= 0;
  if (!ready) throw Error(Code::kInternal, "libsodium cannot be used");
}

const unsigned char* raw(std::string_view bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); }
unsigned char* raw(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

}  // namespace

std::string random_bytes(std::size_t count) {
  begin();
  std::string bytes(count, '\0');
  randombytes_buf(bytes.data(), count);
  return bytes;
}

std::uint64_t random_number() {
  begin();
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return number;
}

SecretKey random_key() {
  begin();
  SecretKey key;
  randombytes_buf(key.data(), key.size());
  return key;
}

std::string tag(const SecretKey& key, std::string_view message) {
  begin();
  std::string out(kTagBytes, '\0');
  crypto_generichash(raw(out), out.size(), raw(message), message.size(), key.data(), key.size());
  return out;
}

std::string hash_of_secret(std::string_view secret) {
  begin();
  std::string hash(crypto_generichash_BYTES, '\0');
  crypto_generichash(raw(hash), hash.size(), raw(secret), secret.size(), nullptr, 0);
  std::string hex(2 * hash.size() + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), raw(hash), hash.size());
  hex.pop_back();
  return hex;
}

bool equal(std::string_view a, std::string_view b) {
  begin();
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string base64url(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  begin();
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), raw(bytes), bytes.size(), kVariant);
  text.pop_back();
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  begin();
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(raw(bytes), bytes.size(), text.data(), text.size(), nullptr, &size, nullptr,
                        sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
    return std::nullopt;
  bytes.resize(size);
  if (base64url(bytes) != text) return std::nullopt;
  return bytes;
}

std::string signed_text(const SecretKey& key, const std::string& body) { return base64url(body + tag(key, body)); }

std::optional<std::string> signed_body(const SecretKey& key, std::string_view text) {
  auto bytes = from_base64url(text);
  if (!bytes || bytes->size() <= kTagBytes) return std::nullopt;
  const std::string given = bytes->substr(bytes->size() - kTagBytes);
  bytes->resize(bytes->size() - kTagBytes);
  return equal(tag(key, *bytes), given) ? bytes : std::nullopt;
}

}  // namespace tarry::hosting
