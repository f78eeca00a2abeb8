#include "tarry/service/backoff.h"

#include <gtest/gtest.h>

namespace tarry::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Backoff, WaitsTwiceAsLongEachTimeUpToAMinute) {
  Backoff backoff;
  Backoff::Time now{};
  EXPECT_TRUE(backoff.may_try(now));
  for (const int wanted : {1, 2, 4, 8, 16, 32, 60, 60}) {
    backoff.failed(now);
    EXPECT_EQ(backoff.pause(), seconds(wanted));
    EXPECT_FALSE(backoff.may_try(now + seconds(wanted) - milliseconds(1)));
    now += seconds(wanted);
    EXPECT_TRUE(backoff.may_try(now));
  }
  backoff.succeeded();
  backoff.failed(now);
  EXPECT_TRUE(backoff.may_try(now + seconds(1)));
}

}  // namespace
}  // namespace tarry::service
