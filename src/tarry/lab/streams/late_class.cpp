#include "tarry/lab/streams/late_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/data/text/duration.h"

namespace tarry::lab {
namespace {

constexpr std::size_t kFewest = 20;  // labels of a class, and of the others, without which nothing is said
constexpr double kRatio = 1.25;      // of the medians, from which on it is worth a line

double median(Vec waits) {
  const auto middle = waits.begin() + static_cast<std::ptrdiff_t>((waits.size() - 1) / 2);
  std::nth_element(waits.begin(), middle, waits.end());
  return *middle;
}

}  // namespace

std::optional<LateClass> late_class(const Stream& stream) {
  const std::size_t classes = stream.loss ? stream.loss->classes() : 0;
  if (classes == 0 || !stream.waits) return std::nullopt;
  const Dataset& data = *stream.data;
  std::optional<LateClass> most;
  double largest = tarry::log(kRatio);
  // Of two classes the second, +1, says it all.
  for (std::size_t c = classes == 2 ? 1 : 0; c < classes; ++c) {
    Vec own, others;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (!std::isfinite(data.feedback_time[row]) || std::isnan(data.labels[row])) continue;
      const bool is_own = stream.loss->label(data.labels[row]) == stream.loss->class_label(c);
      (is_own ? own : others).push_back((data.feedback_time[row] - data.event_time[row]) * data.time_unit);
    }
    if (own.size() < kFewest || others.size() < kFewest) continue;
    const LateClass one{c, median(own), median(others), own.size(), own.size() + others.size()};
    const double ratio = std::fabs(tarry::log(std::max(one.half, 1e-9) / std::max(one.others, 1e-9)));
    if (ratio < largest) continue;
    largest = ratio;
    most = one;
  }
  return most;
}

std::string spoken(const LateClass& late, const Stream& stream, const std::optional<std::string>& positive) {
  const std::vector<std::string>& names = stream.data->classes;
  const std::string name = !names.empty() ? names[late.number] : positive.value_or(fmt::format("{}", late.number));
  return fmt::format("labels of \"{}\" come {}: half of them within {}, of the others within {}", name,
                     late.half > late.others ? "later" : "sooner", data::spoken_duration(late.half),
                     data::spoken_duration(late.others));
}

}  // namespace tarry::lab
