// Ratings from text: MovieLens' u.data (tabs), ratings.dat (::) and ratings.csv, or any comma-separated file whose
// header names a user, an item and a rating.
#pragma once

#include <optional>

#include "tarry/data/formats/ratings.h"
#include "tarry/data/formats/reader_options.h"

namespace tarry::data {

enum class RatingFormat : std::uint8_t { kTabs, kDoubleColons, kCsv };
enum class RatingOrder : std::uint8_t { kFile, kTime, kShuffled };

struct RatingOptions {
  std::optional<RatingFormat> format;    // unset: by the first line
  std::string user, item, rating, time;  // columns of a CSV file; "": the usual names
  std::string feedback_time;             // the column of when a rating was known; "": the data set has no times
  RatingOrder order = RatingOrder::kFile;
  std::uint64_t seed = 1;                          // of the shuffle
  Index users = 0, items = 0;                      // room for so many; 0: as many as there are
  std::optional<std::pair<double, double>> range;  // unset: from the smallest rating to the largest
  std::optional<double> like;                      // the label is +1 for ratings of at least this, else −1
  std::size_t limit = 0;                           // ratings, in their order; 0: all
  AsLabel as_label;
};

RatingOptions rating_options(const spec::Node& node);  // without as_label
RatingFormat format_of(std::string_view first_line);

struct RatingData {
  RatingSpace space;
  Dataset data;  // rows of RatingSpace; users and items are numbered as they appear
};

// Throws Error{kBadInput}, which names the file and the line.
RatingData read_ratings(TextLines& lines, RatingFormat format, const RatingOptions& options);

}  // namespace tarry::data
