#include "tarry/data/text/duration.h"

#include <gtest/gtest.h>

namespace tarry::data {
namespace {

TEST(Duration, IsToldInTheUnitThatSuits) {
  EXPECT_EQ(spoken_duration(0), "0 seconds");
  EXPECT_EQ(spoken_duration(1), "1 second");
  EXPECT_EQ(spoken_duration(2.5), "2.5 seconds");
  EXPECT_EQ(spoken_duration(12 * 60), "12 minutes");
  EXPECT_EQ(spoken_duration(5.3 * 3600), "5.3 hours");
  EXPECT_EQ(spoken_duration(22 * 3600), "22 hours");
  EXPECT_EQ(spoken_duration(3 * 86400), "3 days");
  EXPECT_EQ(spoken_duration(336.4 * 86400), "336 days");
}

}  // namespace
}  // namespace tarry::data
