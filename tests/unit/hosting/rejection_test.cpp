#include "tarry/hosting/rejection.h"

#include <gtest/gtest.h>

namespace tarry::hosting {
namespace {

TEST(Rejection, HasOneStatusForEachKind) {
  for (int kind = Rejection::kMalformed; kind <= Rejection::kNoRoom; ++kind)
    EXPECT_EQ(kind_of(status_of(static_cast<Rejection::Kind>(kind))), kind);
  for (const ErrorRow& row : error_table()) EXPECT_EQ(status_of(kind_of(row.http_status)), row.http_status) << row.name;
  EXPECT_EQ(kind_of(418), Rejection::kMalformed);
  EXPECT_EQ(kind_of(599), Rejection::kBroken);
}

TEST(Rejection, TellsMalformedFromUnusable) {
  const Error error(Code::kBadInput, "x");
  EXPECT_EQ(rejection_of(error, false).kind(), Rejection::kMalformed);
  EXPECT_EQ(rejection_of(error, true).kind(), Rejection::kUnusable);
  EXPECT_EQ(rejection_of(Error(Code::kConflict, "x"), true).kind(), Rejection::kConflict);
}

TEST(Rejection, IsWrittenWithItsKey) {
  std::string out;
  append_error(out, Rejection(Rejection::kConflict, "conflict", "a \"b\"", "key"));
  EXPECT_EQ(out, R"("error": {"status": 409, "code": "conflict", "message": "a \"b\"", "key": "key"})");
}

}  // namespace
}  // namespace tarry::hosting
