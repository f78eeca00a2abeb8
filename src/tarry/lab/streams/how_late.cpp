#include "tarry/lab/streams/how_late.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tarry/base/elementary.h"
#include "tarry/data/text/duration.h"
#include "tarry/lab/streams/data_stream.h"
#include "tarry/learners/believed_waits.h"

namespace tarry::lab {
namespace {

constexpr std::size_t kMost = 20;  // classes in a table

std::string labels(std::size_t count) { return fmt::format("{} label{}", count, count == 1 ? "" : "s"); }

// Nothing in the data can show whether labels are lost by what they are, and nobody can correct it.
constexpr double kMany = 0.05;
constexpr std::size_t kFew = 10;
constexpr const char* kLost =
    "many labels never come: if those of one kind are lost more often, predictions lean to the others, and no learner "
    "can tell";

// The seconds that the labels of each class were waited for; nothing where they are not known.
std::vector<Vec> seconds_by_class(const Table& table) {
  const std::size_t classes = table.loss.classes();
  if (classes == 0 || !table.waits) return {};
  const Dataset& data = *table.data;
  std::vector<Vec> seconds(classes);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (!std::isfinite(data.feedback_time[row]) || std::isnan(data.labels[row])) continue;
    const double label = table.loss.label(data.labels[row]);
    std::size_t c = 0;
    while (c + 1 < classes && table.loss.class_label(c) != label) ++c;
    seconds[c].push_back((data.feedback_time[row] - data.event_time[row]) * data.time_unit);
  }
  return seconds;
}

std::string class_name(const Table& table, std::size_t c, const std::optional<std::string>& positive) {
  const std::vector<std::string>& names = table.data->classes;
  if (!names.empty()) return names[c];
  if (!positive) return fmt::format("{}", c);
  return c == 1 ? *positive : "not " + *positive;
}

// "labels of "yes" come later: half of them within 42 hours, of the others within 12 hours"
std::string spoken(const LateClass& late) {
  return fmt::format("labels of \"{}\" come {}: half of them within {}, of the others within {}", late.name,
                     late.half > late.others ? "later" : "sooner", data::spoken_duration(late.half),
                     data::spoken_duration(late.others));
}

// Round times, as people count them.
constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kWeek = 7 * kDay, kYear = 365 * kDay;
constexpr double kEdges[] = {0,         1,         5,         15,          kMinute,    5 * kMinute, 15 * kMinute,
                             kHour,     3 * kHour, 6 * kHour, 12 * kHour,  kDay,       2 * kDay,    4 * kDay,
                             kWeek,     2 * kWeek, 4 * kWeek, 8 * kWeek,   16 * kWeek, 32 * kWeek,  kYear,
                             2 * kYear, 4 * kYear, 8 * kYear, 1000 * kYear};

}  // namespace

std::optional<LateClass> late_class(const Table& table, const std::optional<std::string>& positive) {
  const std::vector<Vec> seconds = seconds_by_class(table);
  std::optional<LateClass> most;
  double largest = 0;
  // Of two classes the second, +1, says it all.
  for (std::size_t c = seconds.size() == 2 ? 1 : 0; c < seconds.size(); ++c) {
    Vec others;
    for (std::size_t k = 0; k < seconds.size(); ++k)
      if (k != c) others.insert(others.end(), seconds[k].begin(), seconds[k].end());
    if (seconds[c].empty() || others.empty()) continue;
    const auto labels = static_cast<double>(seconds[c].size()), of_others = static_cast<double>(others.size());
    const LateClass one{class_name(table, c, positive), waits_among(seconds[c]).half,
                        waits_among(std::move(others)).half};
    if (!come_apart(labels, of_others, one.half, one.others)) continue;
    const double ratio = std::fabs(tarry::log(std::max(one.half, 1e-9) / std::max(one.others, 1e-9)));
    if (ratio < largest) continue;
    largest = ratio;
    most = one;
  }
  return most;
}

WaitCounts wait_counts(const Table& table) {
  if (!table.waits) return {};
  const Dataset& data = *table.data;
  Vec counts(std::size(kEdges) - 1, 0.0);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (!std::isfinite(data.feedback_time[row])) continue;
    const double wait = data.seconds(data.feedback_time[row] - data.event_time[row]);
    const auto edge = std::lower_bound(std::begin(kEdges) + 1, std::end(kEdges) - 1, wait);
    counts[static_cast<std::size_t>(edge - std::begin(kEdges)) - 1] += 1;
  }
  std::size_t first = 0, last = counts.size();
  while (first < last && counts[first] == 0) ++first;
  while (last > first && counts[last - 1] == 0) --last;
  if (first == last) return {};
  const auto at = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
  return {Vec(std::begin(kEdges) + at(first), std::begin(kEdges) + at(last) + 1),
          Vec(counts.begin() + at(first), counts.begin() + at(last))};
}

std::vector<std::string> how_late(const Table& table, const std::optional<std::string>& positive) {
  const Dataset& data = *table.data;
  std::size_t never = 0, on_its_way = 0;
  for (const double time : data.feedback_time) {
    never += std::isfinite(time) ? 0 : 1;
    on_its_way += std::isfinite(time) && time >= data.event_time.back() ? 1 : 0;
  }
  std::string line;
  if (table.waits)
    line = fmt::format("half of the labels came within {}, 9 in 10 within {}, the last after {}; ",
                       data::spoken_duration(table.waits->half), data::spoken_duration(table.waits->nine_in_ten),
                       data::spoken_duration(table.waits->longest));
  line += fmt::format("{} never come{}", labels(never), never == 1 ? "s" : "");
  if (data.without_time > 0) line += fmt::format(" ({} of them given, but without a time)", data.without_time);
  line += fmt::format(", {} still on {} way at the last row", on_its_way, on_its_way == 1 ? "its" : "their");
  std::vector<std::string> lines{std::move(line)};
  if (!data.corrected.empty())
    lines.push_back(fmt::format("{} corrected later, by rows of the same key",
                                labels(data.corrected.size()) + (data.corrected.size() == 1 ? " was" : " were")));
  if (never >= kFew && static_cast<double>(never) >= kMany * static_cast<double>(data.feedback_time.size()))
    lines.emplace_back(kLost);
  if (const auto late = late_class(table, positive)) lines.push_back(spoken(*late));
  return lines;
}

std::vector<ClassWaits> class_waits(const Table& table, const std::optional<std::string>& positive) {
  std::vector<ClassWaits> all;
  const std::vector<Vec> seconds = seconds_by_class(table);
  for (std::size_t c = 0; c < seconds.size() && seconds.size() <= kMost; ++c)
    if (!seconds[c].empty())
      all.push_back({class_name(table, c, positive), seconds[c].size(), waits_among(seconds[c])});
  return all;
}

}  // namespace tarry::lab
