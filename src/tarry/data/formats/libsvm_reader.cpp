#include "tarry/data/formats/libsvm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "tarry/base/random.h"
#include "tarry/data/formats/dataset_builder.h"

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

// Adds one row's features; returns the largest index.
Index read_features(std::string_view rest, const LibsvmOptions& options, const Place& place, DatasetBuilder& builder) {
  Index last = 0;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) place.fail_cell("a feature", "index:value", word);
    const Index index = read_index(word.substr(0, colon), word, place);
    if (index <= last) place.fail(fmt::format("indices must ascend ({} after {})", index, last));
    if (options.dimension > 0 && index > options.dimension)
      place.fail(fmt::format("an index must be at most the dimension, {} ({} came)", options.dimension, index));
    builder.add(index - 1, place.number("a value", word.substr(colon + 1)));
    last = index;
  }
  return last;
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
    builder.end_row(y);
  }
  if (builder.rows() == 0) lines.fail_whole("has no rows");
  const Index dimension = options.dimension > 0 ? options.dimension : largest;
  if (dimension == 0 && !options.intercept) lines.fail_whole("has no features");
  Dataset data = builder.take(dimension);
  if (options.shuffle) {
    std::vector<std::size_t> rows = shuffled(data.rows(), *options.shuffle);
    if (options.limit > 0 && rows.size() > options.limit) rows.resize(options.limit);
    data = in_order(data, rows);
  }
  return options.intercept ? with_intercept(data) : data;
}

}  // namespace tarry::data
