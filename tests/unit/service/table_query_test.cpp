#include "tarry/service/table_query.h"

#include <gtest/gtest.h>

#include "tarry/service/http/errors.h"

namespace tarry::service {
namespace {

TEST(TableQuery, SaysWhatAStreamSays) {
  const TableQuery query = read_table_query(
      "from=csv&name=my-model&label=Paid%20%2B%20late&ignore=a&ignore=b+c&expiry.days=30&expiry.label=unpaid&");
  EXPECT_EQ(query.name, "my-model");
  EXPECT_EQ(spec::to_json(query.keys),
            R"({"label": "Paid + late", "ignore": ["a", "b c"], "expiry": {"days": 30, "label": "unpaid"}})");
}

TEST(TableQuery, AnswersALineToPaste) {
  EXPECT_EQ(as_query(R"(label = "a & b")"), "label=a%20%26%20b");
  EXPECT_EQ(as_query(R"(feedback = "3 days"  # so long after the event)"), "feedback=3%20days");
  EXPECT_EQ(as_query(R"(expiry = { days = 30, label = "not paid" })"), "expiry.days=30&expiry.label=not%20paid");
}

TEST(TableQuery, RefusesWhatItDoesNotKnow) {
  for (const char* wrong :
       {"", "name=a", "from=csv", "from=csv&name=../a", "from=csv&name=a&path=x", "from=csv&name=a&b",
        "from=csv&name=a&label=%", "from=csv&name=a&label=%zz", "from=csv&name=a&label=x&label=y",
        "from=csv&name=a&names=true", "from=csv&name=a&expiry.days=1x"})
    EXPECT_THROW(read_table_query(wrong), Refusal) << wrong;
}

}  // namespace
}  // namespace tarry::service
