#include "tarry/data/formats/ratings_reader.h"

#include <algorithm>
#include <limits>

#include "tarry/spec/json.h"
#include "unit/data/flat_rows.h"
#include "unit/data/memory_text.h"
#include "unit/expect_error.h"

namespace tarry::data {
namespace {

using Names = std::vector<std::string>;

RatingData ratings_of(const std::string& text, const std::string& options = "{}") {
  const spec::Value value = spec::parse_json(options);
  const RatingOptions read = rating_options(spec::Node(value, "ratings"));
  TextLines lines = text_lines("f", text);
  return read_ratings(lines, read.format.value_or(format_of(text.substr(0, text.find('\n')))), read);
}

constexpr const char* kTabs = "196\t242\t3\t30\n186\t302\t3\t20\n196\t302\t1\t10\n";

TEST(RatingsReader, MakesFourFeaturesOfARating) {
  const RatingData ratings = ratings_of(kTabs);
  EXPECT_EQ(ratings.space.users, 2);
  EXPECT_EQ(ratings.space.items, 2);
  EXPECT_EQ(ratings.space.user_names, (Names{"196", "186"}));  // as they appear
  EXPECT_EQ(ratings.space.item_names, (Names{"242", "302"}));
  EXPECT_EQ(ratings.space.low, 1);
  EXPECT_EQ(ratings.space.high, 3);
  EXPECT_EQ(ratings.data.dimension, 2 * 2 + 2 + 2 + 1);
  EXPECT_EQ(ratings.data.labels, (Vec{3, 3, 1}));
  // Entry (user, item) of the matrix, the user's bias, the item's, the mean.
  EXPECT_EQ(flat(ratings.data).indices, (std::vector<Index>{0, 4, 6, 8, 3, 5, 7, 8, 1, 4, 7, 8}));
  EXPECT_EQ(flat(ratings.data).values, Vec(12, 1.0));
}

TEST(RatingsReader, KnowsTheFormatsOfMovieLensByTheirFirstLine) {
  const RatingData tabs = ratings_of(kTabs);
  for (const std::string& text :
       {std::string("196::242::3::30\r\n186::302::3::20\r\n196::302::1::10\r\n"),
        std::string("userId,movieId,rating,timestamp\n196,242,3,30\n186,302,3.0,20\n196,302,1,10\n"),
        std::string("\xEF\xBB\xBFrating,user,item\n3,196,242\n3,186,\"302\"\n1,196,302\n")}) {
    const RatingData same = ratings_of(text);
    EXPECT_EQ(flat(same.data).indices, flat(tabs.data).indices) << text;
    EXPECT_EQ(same.data.labels, tabs.data.labels) << text;
    EXPECT_EQ(same.space.item_names, tabs.space.item_names) << text;
  }
}

TEST(RatingsReader, NamesMayBeAnyTextAndColumnsHaveAnyName) {
  const RatingData ratings =
      ratings_of("when,who,what,stars\n2,Ann,\"War, and Peace\",2\n1, Bo ,Emma,4.5\n",
                 R"({"user": "who", "item": "what", "rating": "stars", "time": "when", "order": "time"})");
  EXPECT_EQ(ratings.space.user_names, (Names{"Bo", "Ann"}));
  EXPECT_EQ(ratings.space.item_names, (Names{"Emma", "War, and Peace"}));
  EXPECT_EQ(ratings.data.labels, (Vec{4.5, 2}));
}

TEST(RatingsReader, OrdersByTimeOrBySeedAndThenCuts) {
  EXPECT_EQ(ratings_of(kTabs, R"({"order": "time"})").data.labels, (Vec{1, 3, 3}));
  EXPECT_EQ(ratings_of(kTabs, R"({"order": "time"})").space.user_names, (Names{"196", "186"}));
  EXPECT_EQ(ratings_of("a\tx\t1\t5\nb\tx\t2\t4\nc\tx\t3\t5\n", R"({"order": "time"})").data.labels, (Vec{2, 1, 3}));
  std::string many;
  for (int i = 0; i < 100; ++i) many += std::to_string(i) + "\tx\t" + std::to_string(i) + "\n";
  const Vec once = ratings_of(many, R"({"order": "shuffled"})").data.labels;
  EXPECT_EQ(once, ratings_of(many, R"({"order": "shuffled", "shuffle": 1})").data.labels);
  EXPECT_NE(once, ratings_of(many, R"({"order": "shuffled", "shuffle": 2})").data.labels);
  Vec sorted = once;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, ratings_of(many).data.labels);
  EXPECT_EQ(ratings_of(many, R"({"order": "shuffled", "limit": 7})").data.labels, Vec(once.begin(), once.begin() + 7));
  EXPECT_EQ(ratings_of(many, R"({"order": "shuffled", "limit": 7})").space.user_names.size(), 7u);
}

TEST(RatingsReader, KeepsWhenRatingsWereKnown) {
  const Dataset data = ratings_of("user,item,rating,time,known\na,x,1,20,25\na,y,2,10,\n",
                                  R"({"order": "time", "feedback_time": "known"})")
                           .data;
  EXPECT_EQ(data.event_time, (Vec{10, 20}));
  EXPECT_EQ(data.feedback_time, (Vec{std::numeric_limits<double>::infinity(), 25}));
}

TEST(RatingsReader, KeepsRoomForThoseToCome) {
  const RatingData ratings = ratings_of(kTabs, R"({"users": 100, "items": 1000000, "range": [0, 5]})");
  EXPECT_EQ(ratings.data.dimension, 100'000'000 + 100 + 1'000'000 + 1);
  EXPECT_EQ(flat(ratings.data).indices[8], 1);                       // the first user, the second item
  EXPECT_EQ(flat(ratings.data).indices[10], 100'000'000 + 100 + 1);  // the second item's bias
  EXPECT_EQ(ratings.space.low, 0);
  EXPECT_EQ(ratings.space.clip(7), 5);
  EXPECT_EQ(ratings.space.clip(-1), 0);
  EXPECT_EQ(ratings.space.clip(2.5), 2.5);
}

TEST(RatingsReader, TellsLikesFromDislikes) {
  EXPECT_EQ(ratings_of(kTabs, R"({"like": 3})").data.labels, (Vec{1, 1, -1}));
}

TEST(RatingsReader, NamesTheLineOfWhatIsWrong) {
  const auto refuses = [](const std::string& text, const std::string& message, const std::string& options = "{}") {
    EXPECT_ERROR(ratings_of(text, options), Code::kBadInput, message);
  };
  refuses("1\t2\t3\n1\t2\n", "f: line 2: must be user, item, rating and perhaps a time (2 cells came)");
  refuses("1\t2\t3\t4\n1\t2\t3\n", "f: line 2: must be user, item, rating, time (3 cells came)",
          R"({"order": "time"})");
  refuses("1\t2\t3\n1\t2\tnan\n", "f: line 2: rating must be a finite number (\"nan\" came)");
  refuses("1\t2\tfour\n", "f: line 1: rating must be a number (\"four\" came)");
  refuses("1\t2\t6\n", "f: line 1: rating must be from 1 to 5 (\"6\" came)", R"({"range": [1, 5]})");
  refuses("1\t\t3\n", "f: line 1: item must be given (\"\" came)");
  refuses("1\t2\t3\n\n2\t2\t3\n", "f: line 3: user \"2\" is number 2, and there is room for 1 (users = 1)",
          R"({"users": 1})");
  refuses("1::2::3\n1:2::3\n", "f: line 2: has a single colon: wanted user::item::rating::time");
  refuses("1::2::3::\n1::2:\n", "f: line 2: has a single colon: wanted user::item::rating::time");
  refuses("user,item,rating\n1,2\n", "f: line 2: has 2 cells, but the header has 3");
  refuses("user,item,rating,time,known\na,x,1,20,19\n", "f: line 2: known must not be before the time (19 before 20)",
          R"({"order": "time", "feedback_time": "known"})");
  refuses("user,item,rating\n", "f: has no ratings after its header");
  refuses("", "f: is empty (wanted ratings)");
  refuses(
      "user,what,rating\n",
      "f: line 1: no column for the item: wanted item or itemId or item_id or movie or movieId or movie_id (columns: "
      "user, what, rating)");
  refuses("user,item,rating\n", "f: line 1: no column \"who\" (columns: user, item, rating)", R"({"user": "who"})");
  refuses("user,item,rating\n1,2,3\n",
          "f: line 1: no column for the time: wanted time or timestamp (columns: user, item, rating)",
          R"({"order": "time"})");
}

TEST(RatingsReader, RefusesContradictions) {
  const auto refuses = [](const std::string& options, const std::string& message) {
    EXPECT_ERROR(ratings_of(kTabs, options), Code::kBadSpec, message);
  };
  refuses(R"({"order": "random"})",
          "ratings: order must be one of \"file\", \"time\", \"shuffled\" (order = \"random\")");
  refuses(R"({"feedback_time": "known"})", "ratings: feedback_time needs order = \"time\"");
  refuses(R"({"shuffle": 3})", "ratings: shuffle needs order = \"shuffled\"");
  refuses(R"({"range": [5, 1]})", "ratings: range must be an array [low, high] with low < high (range = [5, 1])");
  refuses(R"({"users": 2000000, "items": 2000000})", "ratings: users times items must be at most 2^39");
}

}  // namespace
}  // namespace tarry::data
