#include "tarry/service/access/tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tarry/base/error.h"
#include "tarry/hosting/crypto.h"
#include "tarry/hosting/names.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::service {
namespace {

constexpr std::string_view kPrefix = "tarry.";
constexpr std::size_t kSecretBytes = 32;

constexpr std::array<std::pair<std::string_view, Scope>, 4> kScopes{
    {{"decide", Scope::kDecide}, {"feedback", Scope::kFeedback}, {"admin", Scope::kAdmin}, {"read", Scope::kRead}}};

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

std::uint8_t bits_of(const std::vector<std::string>& scopes) {
  std::uint8_t bits = 0;
  for (const std::string& name : scopes) {
    const auto scope = scope_named(name);
    if (!scope) refuse(fmt::format("scope must be decide, feedback, admin or read (\"{}\" came)", name));
    bits = static_cast<std::uint8_t>(bits | static_cast<std::uint8_t>(*scope));
  }
  if (bits == 0) refuse("a token needs a scope: decide, feedback, admin or read");
  return bits;
}

}  // namespace

std::optional<Scope> scope_named(std::string_view name) {
  for (const auto& [known, scope] : kScopes)
    if (known == name) return scope;
  return std::nullopt;
}

std::string_view name_of(Scope scope) {
  for (const auto& [name, known] : kScopes)
    if (known == scope) return name;
  return "";
}

std::string scope_names(const Token& token) {
  std::string names;
  for (const auto& [name, scope] : kScopes)
    if (token.may(scope)) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

Tokens Tokens::parse(std::string_view text) {
  Tokens tokens;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty()) continue;
    try {
      const spec::Value value = spec::parse_json(line);
      const spec::Node node(value, "token");
      std::vector<std::string> scopes;
      for (const spec::Node& scope : node.at("scopes").list()) scopes.push_back(scope.text());
      tokens.tokens_.push_back({node.text("name"), bits_of(scopes), node.text("hash"), node.text_or("model", "")});
    } catch (const Error& error) {
      throw Error(Code::kCorrupt, fmt::format("tokens: {}", error.what()));
    }
  }
  return tokens;
}

std::string Tokens::text() const {
  std::string out;
  for (const Token& token : tokens_) {
    spec::Array scopes;
    for (const auto& [name, scope] : kScopes)
      if (token.may(scope)) scopes.push_back({std::string(name)});
    spec::Object line{{"name", {token.name}}, {"scopes", {scopes}}, {"hash", {token.hash}}};
    if (!token.model.empty()) line.emplace_back("model", spec::Value{token.model});
    out += spec::to_json({std::move(line)}) + "\n";
  }
  return out;
}

std::string Tokens::add(const std::string& name, const std::vector<std::string>& scopes, const std::string& model) {
  if (!hosting::is_name(name)) refuse(fmt::format("name must be {} (\"{}\" came)", hosting::kNameRule, name));
  if (std::any_of(tokens_.begin(), tokens_.end(), [&](const Token& token) { return token.name == name; }))
    refuse(fmt::format("there is a token named {} already", name));
  if (!model.empty() && !hosting::is_name(model))
    refuse(fmt::format("model must be {} (\"{}\" came)", hosting::kNameRule, model));
  const std::string secret = hosting::base64url(hosting::random_bytes(kSecretBytes));
  tokens_.push_back({name, bits_of(scopes), hosting::hash_of_secret(secret), model});
  return fmt::format("{}{}.{}", kPrefix, name, secret);
}

void Tokens::remove(const std::string& name) {
  if (std::erase_if(tokens_, [&](const Token& token) { return token.name == name; }) == 0)
    refuse(fmt::format("there is no token named \"{}\"", name));
}

const Token* Tokens::find(std::string_view token_text) const {
  if (!token_text.starts_with(kPrefix)) return nullptr;
  token_text.remove_prefix(kPrefix.size());
  const auto dot = token_text.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string hash = hosting::hash_of_secret(token_text.substr(dot + 1));
  for (const Token& token : tokens_)
    if (token.name == token_text.substr(0, dot)) return hosting::equal(token.hash, hash) ? &token : nullptr;
  return nullptr;
}

}  // namespace tarry::service
