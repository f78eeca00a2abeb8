#include "tarry/service/routes/http_reply.h"

#include <gtest/gtest.h>

namespace tarry::service {
namespace {

using namespace hosting;

TEST(HttpReply, OneItemIsAnsweredWithItsOwnStatus) {
  FeedbackReplies one;
  one.items.emplace_back(Rejection(Rejection::kBusy, "overloaded", "later").of("m"));
  const Response refused = response_of(one);
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, R"({"error": {"status": 503, "code": "overloaded", "message": "later"}})");
  ASSERT_EQ(refused.headers.size(), 1u);
  EXPECT_EQ(refused.headers[0].first, "Retry-After");
  ASSERT_EQ(refused.refused.size(), 1u);
  EXPECT_EQ(refused.refused[0].model, "m");
  one.items[0] = Accepted{.round = 3, .duplicate = true};
  EXPECT_EQ(response_of(one).body, R"({"status": "accepted", "round": 3, "duplicate": true})");
}

TEST(HttpReply, AListIsWellWhateverIsInIt) {
  Decisions made;
  made.list = true;
  made.items.emplace_back(Decided{.ticket = "t", .what = PlayReply{.round = 1}});
  made.items.emplace_back(Decided{.ticket = "u", .what = Queued{.partition = 2, .offset = 5}});
  made.items.emplace_back(Rejection(Rejection::kUnusable, "bad_input", "x"));
  const Response response = response_of(made);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"results": [{"ticket": "t", "round": 1}, )"
                           R"({"ticket": "u", "status": "queued", "partition": 2, "offset": 5}, )"
                           R"({"error": {"status": 422, "code": "bad_input", "message": "x"}}]})");
  made.async = true;
  EXPECT_EQ(response_of(made).status, 202);
  made.items.clear();
  EXPECT_EQ(response_of(made).body, R"({"results": []})");
}

TEST(HttpReply, AReplyWithoutMemoryForOneIsFixed) {
  EXPECT_EQ(response_of(Reply(OutOfMemory{})).status, 507);
  EXPECT_FALSE(response_of(Reply(OutOfMemory{})).text().empty());
}

// The bytes are made where the reply is given; nothing goes before the host says so.
TEST(HttpReply, GoesWhenItIsSent) {
  int sent = 0;
  const Send send = reply_over([&](const Response& response) { sent = response.status; })(
      Created{.name = "m", .incarnation = 2, .spec = "{}"});
  EXPECT_EQ(sent, 0);
  send();
  EXPECT_EQ(sent, 201);
}

}  // namespace
}  // namespace tarry::service
