#include "tarry/data/formats/ratings_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "tarry/data/formats/libsvm_reader.h"
#include "tarry/data/text/csv_records.h"

namespace tarry::data {
namespace {

using Cells = std::vector<std::string_view>;

constexpr std::size_t kNone = ~std::size_t{0};

// Users or items: each name once, numbered as they appear in the file.
class Names {
 public:
  Names(std::string kind, Index room) : kind_(std::move(kind)), room_(room) {}

  std::uint32_t number(std::string_view name, const Place& place) {
    if (name.empty()) place.fail_cell(kind_, "given", name);
    const auto [found, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(all_.size()));
    if (is_new) {
      all_.push_back(found->first);
      if (room_ > 0 && static_cast<Index>(all_.size()) > room_)
        place.fail(fmt::format("{} {} is number {}, and there is room for {} ({}s = {})", kind_,
                               spec::brief({found->first}), all_.size(), room_, kind_, room_));
    }
    return found->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::string kind_;
  Index room_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> all_;
};

// Where a record has its cells.
struct Columns {
  std::size_t user = 0, item = 0, rating = 0, time = kNone, feedback = kNone;
  std::size_t count = 0;  // cells of a record; 0: at least those above
};

std::size_t find_column(const Cells& header, const std::string& asked, const Cells& usual, const Place& place,
                        std::string_view what) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string_view name = trimmed(header[i]);
    if (asked.empty() ? std::find(usual.begin(), usual.end(), name) != usual.end() : name == asked) return i;
  }
  if (what.empty()) return kNone;
  place.fail(fmt::format(
      "no column {} (columns: {})",
      asked.empty() ? fmt::format("for the {}: wanted {}", what, fmt::join(usual, " or ")) : spec::brief({asked}),
      fmt::join(header, ", ")));
}

Columns columns_of(const Cells& header, const RatingOptions& options, const Place& place) {
  const bool needs_time = options.order == RatingOrder::kTime || !options.time.empty();
  return {.user = find_column(header, options.user, {"user", "userId", "user_id"}, place, "user"),
          .item = find_column(header, options.item, {"item", "itemId", "item_id", "movie", "movieId", "movie_id"},
                              place, "item"),
          .rating = find_column(header, options.rating, {"rating"}, place, "rating"),
          .time = find_column(header, options.time, {"time", "timestamp"}, place, needs_time ? "time" : ""),
          .feedback =
              options.feedback_time.empty() ? kNone : find_column(header, options.feedback_time, {}, place, "feedback"),
          .count = header.size()};
}

class RatingsReader {
 public:
  RatingsReader(TextLines& lines, RatingFormat format, const RatingOptions& options)
      : options_(options),
        lines_(lines),
        records_(lines, format == RatingFormat::kTabs           ? '\t'
                        : format == RatingFormat::kDoubleColons ? ':'
                                                                : ','),
        format_(format),
        users_("user", options.users),
        items_("item", options.items) {}

  RatingData read() {
    if (!records_.next(cells_)) lines_.fail_whole("is empty (wanted ratings)");
    const bool header = format_ == RatingFormat::kCsv;
    if (header)
      columns_ = columns_of(cells_, options_, records_.place());
    else
      columns_ = {.user = 0, .item = 1, .rating = 2, .time = options_.order == RatingOrder::kTime ? 3 : kNone};
    if (!header || records_.next(cells_)) do {
        read_one(records_.place());
      } while (records_.next(cells_));
    if (all_.empty()) lines_.fail_whole("has no ratings after its header");
    return in_order();
  }

 private:
  struct Rating {
    std::uint32_t user, item;
    double label;
  };

  void read_one(const Place& place) {
    if (format_ == RatingFormat::kDoubleColons) drop_empty_between(place);
    const std::size_t least = columns_.time == kNone ? 3 : 4;
    if (columns_.count > 0 ? cells_.size() != columns_.count : cells_.size() < least || cells_.size() > 4)
      place.fail(columns_.count > 0 ? fmt::format("has {} cells, but the header has {}", cells_.size(), columns_.count)
                                    : fmt::format("must be user, item, rating{} ({} cells came)",
                                                  least == 4 ? ", time" : " and perhaps a time", cells_.size()));
    const double rating = place.number("rating", cells_[columns_.rating]);
    if (options_.range && !(rating >= options_.range->first && rating <= options_.range->second))
      place.fail_cell("rating", fmt::format("from {} to {}", options_.range->first, options_.range->second),
                      cells_[columns_.rating]);
    low_ = std::min(low_, rating);
    high_ = std::max(high_, rating);
    const double label = options_.like ? (rating >= *options_.like ? 1 : -1) : rating;
    all_.push_back({users_.number(trimmed(cells_[columns_.user]), place),
                    items_.number(trimmed(cells_[columns_.item]), place),
                    checked_label(options_.as_label, label, place)});
    if (columns_.time != kNone) times_.push_back(place.number("time", cells_[columns_.time]));
    if (columns_.feedback != kNone) feedback_times_.push_back(read_feedback(place));
  }

  double read_feedback(const Place& place) const {
    const std::string_view cell = cells_[columns_.feedback];
    if (trimmed(cell).empty()) return std::numeric_limits<double>::infinity();  // never
    const double feedback = place.number(options_.feedback_time, cell);
    if (feedback < times_.back())
      place.fail(fmt::format("{} must not be before the time ({} before {})", options_.feedback_time, feedback,
                             times_.back()));
    return feedback;
  }

  // "a::b" was split at every colon.
  void drop_empty_between(const Place& place) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (i % 2 == 0)
        cells_[kept++] = cells_[i];
      else if (!cells_[i].empty() || i + 1 == cells_.size())
        place.fail("has a single colon: wanted user::item::rating::time");
    }
    cells_.resize(kept);
  }

  RatingData in_order() const {
    std::vector<std::size_t> rows(all_.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (options_.order == RatingOrder::kShuffled) rows = shuffled(all_.size(), options_.seed);
    if (options_.order == RatingOrder::kTime)  // ratings of one time stay in the order of the file
      std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return times_[a] < times_[b]; });
    if (options_.limit > 0 && rows.size() > options_.limit) rows.resize(options_.limit);

    RatingData result;
    RatingSpace& space = result.space;
    const auto or_all = [](Index room, const Names& names) {
      return room > 0 ? room : static_cast<Index>(names.all().size());
    };
    space.users = or_all(options_.users, users_);
    space.items = or_all(options_.items, items_);
    space.low = options_.range ? options_.range->first : low_;
    space.high = options_.range ? options_.range->second : high_;
    std::vector<Index> row_of(users_.all().size(), -1), col_of(items_.all().size(), -1);
    const auto appears = [](std::vector<Index>& place_of, std::uint32_t who, const Names& names,
                            std::vector<std::string>& met) {
      if (place_of[who] < 0) {
        place_of[who] = static_cast<Index>(met.size());
        met.push_back(names.all()[who]);
      }
      return place_of[who];
    };
    DatasetBuilder builder;
    for (const std::size_t row : rows) {
      const Rating& rating = all_[row];
      add_entry(builder, space, appears(row_of, rating.user, users_, space.user_names),
                appears(col_of, rating.item, items_, space.item_names));
      if (feedback_times_.empty())
        builder.end_row(rating.label);
      else
        builder.end_row(rating.label, times_[row], feedback_times_[row]);
    }
    result.data = builder.take(space.dimension());
    return result;
  }

  const RatingOptions& options_;
  TextLines& lines_;
  CsvRecords records_;
  RatingFormat format_;
  Columns columns_;
  Cells cells_;
  Names users_, items_;
  std::vector<Rating> all_;
  Vec times_, feedback_times_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

template <class Choice>
Choice choose(const spec::Node& node, std::initializer_list<std::pair<const char*, Choice>> choices) {
  std::string wanted;
  for (const auto& [name, choice] : choices) {
    if (node.is_text() && node.text() == name) return choice;
    wanted += fmt::format("{}\"{}\"", wanted.empty() ? "" : ", ", name);
  }
  node.fail("one of " + wanted);
}

}  // namespace

RatingFormat format_of(std::string_view first_line) {
  if (first_line.find("::") != std::string_view::npos) return RatingFormat::kDoubleColons;
  return first_line.find('\t') != std::string_view::npos ? RatingFormat::kTabs : RatingFormat::kCsv;
}

RatingOptions rating_options(const spec::Node& node) {
  RatingOptions options;
  if (const auto format = node.find("format"))
    options.format = choose<RatingFormat>(
        *format,
        {{"tabs", RatingFormat::kTabs}, {"double_colons", RatingFormat::kDoubleColons}, {"csv", RatingFormat::kCsv}});
  if (const auto order = node.find("order"))
    options.order = choose<RatingOrder>(
        *order, {{"file", RatingOrder::kFile}, {"time", RatingOrder::kTime}, {"shuffled", RatingOrder::kShuffled}});
  if (node.has("shuffle")) {
    if (options.order != RatingOrder::kShuffled) node.fail_whole("shuffle needs order = \"shuffled\"");
    options.seed = static_cast<std::uint64_t>(node.count("shuffle", 0, Index{1} << 53));
  }
  options.user = node.text_or("user", "");
  options.item = node.text_or("item", "");
  options.rating = node.text_or("rating", "");
  options.time = node.text_or("time", "");
  options.feedback_time = node.text_or("feedback_time", "");
  if (!options.feedback_time.empty() && options.order != RatingOrder::kTime)
    node.fail_whole("feedback_time needs order = \"time\"");
  if (node.has("users")) options.users = node.count("users", 1, Index{1} << 31);
  if (node.has("items")) options.items = node.count("items", 1, Index{1} << 31);
  if (options.users > 0 && options.items > (spec::kMaxDimension - 1) / options.users / 2)
    node.fail_whole("users times items must be at most 2^39");
  if (const auto range = node.find("range")) {
    const std::vector<double> ends = range->numbers();
    if (ends.size() != 2 || !(ends[0] < ends[1])) range->fail("an array [low, high] with low < high");
    options.range = {ends[0], ends[1]};
  }
  if (node.has("like")) options.like = node.number("like");
  options.limit = limit_or_all(node);
  return options;
}

RatingData read_ratings(TextLines& lines, RatingFormat format, const RatingOptions& options) {
  return RatingsReader(lines, format, options).read();
}

}  // namespace tarry::data
