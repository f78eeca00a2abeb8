#include "tarry/lab/streams/late_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/data/text/duration.h"
#include "tarry/lab/streams/data_stream.h"

namespace tarry::lab {
namespace {

constexpr std::size_t kFewest = 20;  // labels of a class, and of the others, without which nothing is said
constexpr double kRatio = 1.25;      // of the medians, from which on it is worth a line
constexpr std::size_t kMost = 20;    // classes in a table

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

}  // namespace

std::vector<ClassWaits> class_waits(const Table& table, const std::optional<std::string>& positive) {
  std::vector<ClassWaits> all;
  const std::vector<Vec> seconds = seconds_by_class(table);
  for (std::size_t c = 0; c < seconds.size() && seconds.size() <= kMost; ++c)
    if (!seconds[c].empty())
      all.push_back({class_name(table, c, positive), seconds[c].size(), waits_among(seconds[c])});
  return all;
}

std::optional<LateClass> late_class(const Table& table) {
  const std::vector<Vec> seconds = seconds_by_class(table);
  std::optional<LateClass> most;
  double largest = tarry::log(kRatio);
  // Of two classes the second, +1, says it all.
  for (std::size_t c = seconds.size() == 2 ? 1 : 0; c < seconds.size(); ++c) {
    Vec others;
    for (std::size_t k = 0; k < seconds.size(); ++k)
      if (k != c) others.insert(others.end(), seconds[k].begin(), seconds[k].end());
    if (seconds[c].size() < kFewest || others.size() < kFewest) continue;
    const LateClass one{c, waits_among(seconds[c]).half, waits_among(std::move(others)).half};
    const double ratio = std::fabs(tarry::log(std::max(one.half, 1e-9) / std::max(one.others, 1e-9)));
    if (ratio < largest) continue;
    largest = ratio;
    most = one;
  }
  return most;
}

std::string spoken(const LateClass& late, const Table& table, const std::optional<std::string>& positive) {
  return fmt::format("labels of \"{}\" come {}: half of them within {}, of the others within {}",
                     class_name(table, late.number, positive), late.half > late.others ? "later" : "sooner",
                     data::spoken_duration(late.half), data::spoken_duration(late.others));
}

}  // namespace tarry::lab
