// API tokens: who may do what. The text of a token is shown once, when it is made; the file keeps its hash. Tokens are
// long random texts, so a plain hash cannot be guessed back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/spec/value.h"

namespace tarry::service {

enum class Scope : std::uint8_t { kDecide = 1, kFeedback = 2, kAdmin = 4, kRead = 8 };

std::optional<Scope> scope_named(std::string_view name);
std::string_view name_of(Scope scope);

struct Token {
  std::string name;  // what people call it; part of its text
  std::uint8_t scopes = 0;
  std::string hash;  // of its secret
  std::string model =
      {};  // the one that it selects at Personalizer's addresses, which alone it is good for; empty: none

  bool may(Scope scope) const { return (scopes & static_cast<std::uint8_t>(scope)) != 0; }
};

class Tokens {
 public:
  // From the file's text, a token a line. Throws Error{kCorrupt}.
  static Tokens parse(std::string_view text);
  std::string text() const;

  // The new token's text. Throws Error{kBadInput} for a name that is taken or not one, or for no scopes.
  std::string add(const std::string& name, const std::vector<std::string>& scopes, const std::string& model = {});
  // Throws Error{kBadInput} where there is no such token.
  void remove(const std::string& name);

  const Token* find(std::string_view token_text) const;  // null: not one of them
  const std::vector<Token>& all() const { return tokens_; }

 private:
  std::vector<Token> tokens_;
};

// "decide, feedback"
std::string scope_names(const Token& token);

}  // namespace tarry::service
