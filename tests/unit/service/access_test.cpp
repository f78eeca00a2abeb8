#include "tarry/service/access/access.h"

#include <gtest/gtest.h>

#include "tarry/base/error.h"

namespace tarry::service {
namespace {

int status_of(const Access& access, const Request& request, Scope scope) {
  try {
    access.check(request, scope);
    return 200;
  } catch (const Refusal& refusal) {
    return refusal.status();
  }
}

Request with_token(const std::string& text) {
  Request request;
  request.host = "tarry.example.org";
  request.authorization = "Bearer " + text;
  return request;
}

TEST(Tokens, MayDoWhatTheirScopesSay) {
  Tokens tokens;
  const std::string front = tokens.add("front", {"decide", "read"});
  const std::string back = tokens.add("back", {"feedback"});
  const Access access(false, tokens);
  EXPECT_EQ(status_of(access, with_token(front), Scope::kDecide), 200);
  EXPECT_EQ(status_of(access, with_token(front), Scope::kFeedback), 403);
  EXPECT_EQ(status_of(access, with_token(back), Scope::kFeedback), 200);
  EXPECT_EQ(status_of(access, with_token(back), Scope::kAdmin), 403);
  EXPECT_EQ(status_of(access, with_token(front + "x"), Scope::kDecide), 401);
  EXPECT_EQ(status_of(access, with_token(""), Scope::kDecide), 401);
  EXPECT_EQ(status_of(access, Request{}, Scope::kDecide), 401);
}

TEST(Tokens, RestAsHashesAndComeBackFromTheirText) {
  Tokens tokens;
  const std::string text = tokens.add("front", {"decide"});
  const std::string file = tokens.text();
  EXPECT_EQ(file.find(text.substr(text.rfind('.') + 1)), std::string::npos);
  const Tokens again = Tokens::parse(file);
  ASSERT_NE(again.find(text), nullptr);
  EXPECT_EQ(again.find(text)->name, "front");
  EXPECT_EQ(scope_names(*again.find(text)), "decide");
  EXPECT_THROW(Tokens::parse("{\"name\": \"a\"}\n"), Error);
}

TEST(Tokens, CanBeRemovedAndHaveOneNameEach) {
  Tokens tokens;
  const std::string text = tokens.add("front", {"decide"});
  EXPECT_THROW(tokens.add("front", {"read"}), Error);
  EXPECT_THROW(tokens.add("Front", {"read"}), Error);
  EXPECT_THROW(tokens.add("other", {"everything"}), Error);
  EXPECT_THROW(tokens.add("other", {}), Error);
  EXPECT_THROW(tokens.remove("other"), Error);
  tokens.remove("front");
  EXPECT_EQ(tokens.find(text), nullptr);
}

TEST(Access, WithoutTokensTakesOnlyWhatThisMachineSent) {
  const Access access(true, {});
  Request local;
  for (const char* host : {"localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:1"}) {
    local.host = host;
    EXPECT_EQ(status_of(access, local, Scope::kAdmin), 200) << host;
  }
  for (const char* host : {"", "example.org", "127.0.0.1.example.org", "localhost.example.org", "10.0.0.1",
                           "[::1].example.org", "[::1", "[localhost]", "localhost:80.example.org", "127.0.0.1:x"}) {
    Request request;
    request.host = host;
    EXPECT_EQ(status_of(access, request, Scope::kRead), 403) << host;
  }
  for (const char* origin : {"http://example.org", "null", "http://localhost.example.org",
                             "https://127.0.0.1.example.org", "http://[::1].example.org"}) {
    Request request = local;
    request.origin = origin;
    EXPECT_EQ(status_of(access, request, Scope::kRead), 403) << origin;
  }
  Request request = local;
  request.origin = "http://localhost:3000";
  EXPECT_EQ(status_of(access, request, Scope::kRead), 200);
  request.forwarded = true;
  EXPECT_EQ(status_of(access, request, Scope::kRead), 403);
}

TEST(Access, AsksForATokenOnceOneExistsAndStaysClosedWhenNoneIsLeft) {
  Access access(true, {});
  Request local;
  local.host = "localhost";
  EXPECT_EQ(status_of(access, local, Scope::kRead), 200);
  Tokens tokens;
  const std::string text = tokens.add("reader", {"read"});
  access.replace(tokens);
  EXPECT_EQ(status_of(access, local, Scope::kRead), 401);
  EXPECT_EQ(status_of(access, with_token(text), Scope::kRead), 200);
  access.replace({});
  EXPECT_EQ(status_of(access, local, Scope::kRead), 401);
  EXPECT_EQ(status_of(access, with_token(text), Scope::kRead), 401);
}

TEST(Access, NeedsATokenUnlessSomebodyDecidedOtherwise) {
  const Access access(false, {});
  Request local;
  local.host = "localhost";
  EXPECT_EQ(status_of(access, local, Scope::kRead), 401);
}

TEST(Access, LooksAgainForATokenThatItDoesNotKnow) {
  Tokens tokens;
  const std::string old = tokens.add("old", {"read"});
  int looks = 0;
  Access* self = nullptr;
  Access access(false, tokens, [&] {
    ++looks;
    self->replace(tokens);
  });
  self = &access;
  EXPECT_EQ(status_of(access, with_token(old), Scope::kRead), 200);
  EXPECT_EQ(status_of(access, Request{}, Scope::kRead), 401);
  EXPECT_EQ(looks, 0);  // nothing that could have been made a moment ago
  const std::string fresh = tokens.add("fresh", {"read"});
  EXPECT_EQ(status_of(access, with_token(fresh), Scope::kRead), 200);
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace tarry::service
