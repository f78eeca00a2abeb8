#include "tarry/lab/play/top_items.h"

#include <gtest/gtest.h>

#include "tarry/lab/verify/verify.h"
#include "tarry/spec/json.h"
#include "unit/data/files.h"
#include "unit/expect_error.h"

namespace tarry::lab {

using namespace data;
namespace {

using Names = std::vector<std::string>;

Stream stream_of(const TestFile& file) {
  const spec::Value value = spec::parse_json(R"({"type": "ratings", "path": ")" + file.path() + "\"}");
  Stream stream = make_stream(spec::Node(value, "stream"), 0, 1);
  stream.name = "films";
  return stream;
}

// A decision that is written down: two users, three items.
class Fixed {
 public:
  explicit Fixed(Vec x) : x_(std::move(x)) {}
  double play(Round, const Covector*, Memo&) { return 0; }
  double predict(const Covector& features) const { return features.dot(x_); }
  void write(std::span<double> x) const { std::copy(x_.begin(), x_.end(), x.begin()); }
  void receive(Round, const Feedback&, const Memo&) {}
  void abandon(Round, const Memo&) {}
  void save(ByteWriter&) const {}
  void load(ByteReader&) {}

 private:
  Vec x_;
};

TEST(TopItems, AreTheBestOfThoseNotYetRated) {
  const TestFile file("u.data", "ann\tx\t5\nbo\ty\t1\nann\tz\t3\n");
  const Stream stream = stream_of(file);
  // X, then the users' biases, the items' and the mean.
  const Vec x = {9, 0.5, 9, /**/ 0.25, 9, -1, /**/ 0, 0, /**/ 0, 0, 2, /**/ 3};
  const AnyLearner learner = Fixed(x);
  const auto lists = top_items(learner, *stream.table(), 3, {{"bo", "ann"}, 10});
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0].user, "bo");
  EXPECT_EQ(lists[0].items, (Names{"z", "x"}));  // −1 + 2 + 3 before 0.25 + 3; y is rated
  EXPECT_EQ(lists[0].predictions, (Vec{4, 3.25}));
  EXPECT_EQ(lists[1].items, (Names{"y"}));
  EXPECT_EQ(top_items(learner, *stream.table(), 3, {{"bo"}, 1})[0].items, (Names{"z"}));
  const auto earlier = top_items(learner, *stream.table(), 2, {{"ann"}, 10});  // she has not rated z yet
  EXPECT_EQ(earlier[0].items, (Names{"z", "y"}));
  EXPECT_EQ(earlier[0].predictions, (Vec{5, 3.5}));  // 14, shown as the most that there is
}

TEST(TopItems, RefusesThoseItDoesNotKnow) {
  const TestFile file("u.data", "ann\tx\t5\n");
  Stream stream = stream_of(file);
  EXPECT_ERROR(check_top({{"ann", "zoe"}, 3}, stream), Code::kBadSpec, "top: stream films has no user \"zoe\"");
  std::get<Table>(stream.rule).ratings = nullptr;
  EXPECT_ERROR(check_top({{"ann"}, 3}, stream), Code::kBadSpec, "top: stream films has no ratings");
  check_top({}, stream);
}

TEST(TopItems, ReadsUsersByNumberOrName) {
  const auto read = [](const std::string& json) {
    const spec::Value value = spec::parse_json(json);
    return read_top(spec::Node(value, "top"));
  };
  EXPECT_EQ(read(R"({"users": [42, "ann"], "count": 3})"), (TopSpec{{"42", "ann"}, 3}));
  EXPECT_EQ(read(R"({"users": [42, 7]})"), (TopSpec{{"42", "7"}, 10}));
  EXPECT_ERROR(read(R"({"users": []})"), Code::kBadSpec,
               "top: users must be an array with at least one user (users = [])");
  EXPECT_ERROR(read(R"({"users": [1], "counts": 3})"), Code::kBadSpec,
               "top: unknown key \"counts\" (known keys: users, count); did you mean count?");
}

}  // namespace
}  // namespace tarry::lab
