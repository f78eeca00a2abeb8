#include "tarry/data/formats/libsvm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "tarry/base/random.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/short_number.h"

namespace tarry::data {
namespace {

constexpr std::uint64_t kShuffle = 21;  // the stream of random numbers

// Cuts the first word off `rest`; empty when there is none.
std::string_view next_word(std::string_view& rest) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const char *begin = rest.data(), *const end = begin + rest.size();
  while (begin != end && is_space(*begin)) ++begin;
  const char* stop = begin;
  while (stop != end && !is_space(*stop)) ++stop;
  rest = {stop, static_cast<std::size_t>(end - stop)};
  return {begin, static_cast<std::size_t>(stop - begin)};
}

Index read_index(std::string_view text, std::string_view word, const Place& place) {
  Index index = 0;
  if (text.size() <= 9 && !text.empty()) {  // short ones without a call
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t read = 0;
    for (; read < text.size() && is_digit(text[read]); ++read) index = 10 * index + (text[read] - '0');
    if (read == text.size() && index > 0) return index;
    index = 0;
  }
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || stop != text.data() + text.size()) place.fail_cell("a feature", "index:value", word);
  if (index < 1 || index >= spec::kMaxDimension) place.fail_cell("an index", "from 1 to 2^40", word);
  return index;
}

// index:value as most files have it: few digits, then a value of few digits, at the front of `rest`, which it is cut
// off. False: something else, or nothing, comes.
bool take_usual(std::string_view& rest, Index& index, double& value) {
  const char *at = rest.data(), *const end = at + rest.size();
  while (at != end && *at == ' ') ++at;
  const char* const first = at;
  std::uint64_t digits = 0;  // of more than nine nothing is made: they may overflow
  for (unsigned digit = 0; at != end && (digit = static_cast<unsigned>(*at) - '0') <= 9; ++at)
    digits = 10 * digits + digit;
  if (at == first || at - first > 9 || at == end || *at != ':') return false;
  const char* const begin = ++at;
  while (at != end && *at != ' ') ++at;
  const std::string_view number(begin, static_cast<std::size_t>(at - begin));
  if (number == "1")
    value = 1;
  else if (!read_short_number(number, value))
    return false;
  index = static_cast<Index>(digits);
  rest = {at, static_cast<std::size_t>(end - at)};
  return true;
}

// Adds one row's features; returns the largest index.
Index read_features(std::string_view rest, const LibsvmOptions& options, const Place& place, DatasetBuilder& builder) {
  const Index most = options.dimension > 0 ? options.dimension : spec::kMaxDimension - 1;
  Index last = 0;
  while (true) {
    Index index = 0;
    double value = 0;
    std::string_view after = rest;
    if (take_usual(after, index, value) && index > last && index <= most) {
      rest = after;
    } else {
      const std::string_view word = next_word(rest);
      if (word.empty()) return last;
      const std::size_t colon = word.find(':');
      if (colon == std::string_view::npos) place.fail_cell("a feature", "index:value", word);
      index = read_index(word.substr(0, colon), word, place);
      if (index <= last) place.fail(fmt::format("indices must ascend ({} after {})", index, last));
      if (index > most)
        place.fail(fmt::format("an index must be at most the dimension, {} ({} came)", options.dimension, index));
      value = place.number("a value", word.substr(colon + 1));
    }
    builder.add(index - 1, value);
    last = index;
  }
}

}  // namespace

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  RandomSequence random(seed, kShuffle);
  for (std::size_t i = count; i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);  // Fisher and Yates
  return rows;
}

LibsvmOptions libsvm_options(const spec::Node& node) {
  LibsvmOptions options;
  if (node.has("dimension")) options.dimension = node.count("dimension", 1, spec::kMaxDimension - 1);
  options.intercept = flag_or(node, "intercept", true);
  if (node.has("shuffle")) options.shuffle = static_cast<std::uint64_t>(node.count("shuffle", 0, Index{1} << 53));
  options.limit = limit_or_all(node);
  return options;
}

Dataset read_libsvm(TextLines& lines, const LibsvmOptions& options) {
  DatasetBuilder builder;
  Index largest = 0;
  const bool stop_early = options.limit > 0 && !options.shuffle;
  for (std::string_view line; !(stop_early && builder.rows() == options.limit) && lines.next(line);) {
    std::string_view rest = line.substr(0, line.find('#'));
    const std::string_view label = next_word(rest);
    if (label.empty()) continue;
    const Place place = lines.place();
    const double y = checked_label(options.as_label, place.number("the label", label), place);
    largest = std::max(largest, read_features(rest, options, place, builder));
    if (options.intercept && options.dimension > 0) builder.add(options.dimension, 1);
    builder.end_row(y);
    if (!stop_early) builder.expect(lines.share());
  }
  if (builder.rows() == 0) lines.fail_whole("has no rows");
  const Index dimension = options.dimension > 0 ? options.dimension : largest;
  if (dimension == 0 && !options.intercept) lines.fail_whole("has no features");
  const bool has_intercept = options.intercept && options.dimension > 0;  // others have their place from the last row
  Dataset data = builder.take(dimension + (has_intercept ? 1 : 0));
  if (options.shuffle) {
    std::vector<std::size_t> rows = shuffled(data.rows(), *options.shuffle);
    if (options.limit > 0 && rows.size() > options.limit) rows.resize(options.limit);
    data = in_order(data, rows);
  }
  if (options.intercept && !has_intercept) data = with_intercept(std::move(data));
  return data;
}

}  // namespace tarry::data
