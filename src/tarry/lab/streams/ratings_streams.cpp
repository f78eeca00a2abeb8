// Streams of ratings: from a file, or made up by a low-rank rule.
#include <filesystem>

#include "tarry/data/formats/ratings_reader.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/lab/streams/entries.h"
#include "tarry/lab/streams/low_rank_ratings.h"

namespace tarry::lab {

using namespace data;
namespace {

using spec::Node;

NamedLoss loss_or_usual(const Node& node) {
  const auto loss = node.find("loss");
  return loss ? named_loss(*loss) : named_loss(usual_loss(Measure::kError));
}

Stream stream_of(RatingData ratings, const NamedLoss& loss, std::string name) {
  Stream stream = data_stream(std::move(ratings.data), loss, std::move(name));
  std::get<Table>(stream.rule).ratings = std::make_shared<const RatingSpace>(std::move(ratings.space));
  return stream;
}

RatingFormat format_of_file(const std::string& path) {
  TextLines lines(path);
  std::string_view first;
  if (!lines.next(first)) lines.fail_whole("is empty (wanted ratings)");
  return format_of(first);
}

Stream read_file(const Node& node) {
  const std::string path = node.text("path");
  RatingOptions options = rating_options(node);
  const NamedLoss loss = loss_or_usual(node);
  node.refuse_unknown_keys();
  options.as_label = label_as(loss.loss);
  const RatingFormat format = options.format ? *options.format : format_of_file(path);
  TextLines lines(path);
  return stream_of(read_ratings(lines, format, options), loss, std::filesystem::path(path).filename());
}

StreamEntry file_entry() {
  return {
      .name = "ratings",
      .summary = "users' ratings of items from MovieLens' u.data, ratings.dat, ratings.csv, or any CSV file",
      .keys = {{"path", "a file, plain or gzip", ""},
               {"loss", "a loss, or its name", usual_loss(Measure::kError)},
               {"order", "\"file\", \"time\", or \"shuffled\"", "file"},
               {"shuffle", "the seed of the shuffled order", "1"},
               {"format", "\"tabs\", \"double_colons\", or \"csv\"", "by the first line"},
               {"user", "the column of users, where the file has a header", "user, userId or user_id"},
               {"item", "the column of items", "item, movie, itemId, movieId, …"},
               {"rating", "the column of ratings", "rating"},
               {"time", "the column of times", "time or timestamp"},
               {"feedback_time", "the column of when a rating was known; empty: never", "optional"},
               {"range", "[low, high]: predictions are clipped to it", "the smallest and the largest rating"},
               {"users", "how many users there is room for", "as many as there are"},
               {"items", "how many items there is room for", "as many as there are"},
               {"like", "the label is +1 for ratings of at least this, else −1: for logistic and hinge", "optional"},
               {"limit", "how many ratings to play at most", "optional"}},
      .make = [](const Node& node, Round, std::uint64_t) { return read_file(node); },
      .seeded = false,
      .examples = {R"({"type": "ratings", "path": "u.data", "order": "time", "range": [1, 5]})"},
  };
}

Stream make_up(const Node& node, Round rounds, std::uint64_t seed) {
  LowRankRule rule;
  rule.users = node.count("users", 1, Index{1} << 24);
  rule.items = node.count("items", 1, Index{1} << 24);
  rule.rank = node.count("rank", 1, 1000);
  rule.noise = node.number_or("noise", 0.5);
  if (rule.noise < 0) node.at("noise").fail("at least 0");
  const NamedLoss loss = loss_or_usual(node);
  node.refuse_unknown_keys();
  if (rule.users * rule.items > (spec::kMaxDimension - 1) / 2)
    node.fail_whole("users times items must be at most 2^39");
  if (rounds == 0) node.fail_whole("rounds must be given: the ratings are made beforehand");
  if (rounds > Round{1} << 30) node.fail_whole("rounds must be at most 2^30: the ratings are made beforehand");
  return stream_of(low_rank_ratings(rule, rounds, seed), loss, node.type());
}

StreamEntry synthetic_entry() {
  return {.name = "low_rank_ratings",
          .summary = "made-up ratings of 1 to 5: a mean, biases, a low-rank matrix and noise",
          .keys = {{"users", "how many users", ""},
                   {"items", "how many items", ""},
                   {"rank", "of the matrix", ""},
                   {"noise", "standard deviation of the noise", "0.5"},
                   {"loss", "a loss, or its name", usual_loss(Measure::kError)}},
          .make = make_up,
          .seeded = true,
          .examples = {R"({"type": "low_rank_ratings", "users": 50, "items": 40, "rank": 3})"}};
}

}  // namespace

std::vector<StreamEntry> ratings_stream_entries() { return {file_entry(), synthetic_entry()}; }

}  // namespace tarry::lab
