#include "tarry/data/infer/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tarry/data/infer/column_names.h"
#include "tarry/data/infer/time_units.h"

namespace tarry::data {

Leaks::Leaks(const CsvProfile& profile, const FoundTimes& times, const ColumnProfile* label, DateOrder order)
    : profile_(profile), times_(times), label_(label), order_(order) {
  constexpr std::size_t kMost = 20;  // a wide table of dates is looked at in part
  for (const ColumnProfile& column : profile.columns)
    if (column.mostly_dates() && &column != times.feedback && dates_.size() < kMost) dates_.push_back(&column);
}

std::string Leaks::why(const ColumnProfile& column) const {
  if (label_ != nullptr && divides_labels(column, false))
    return fmt::format("given or not, it says what {} is: known with the label", label_->name);
  const bool same_name = label_ != nullptr && share_a_word(column.name, label_->name);
  if (same_name && column.numbers() && divides_labels(column, true))
    return fmt::format("0 or not, it says what {} is: known with the label", label_->name);
  if (!column.numbers() || !times_.feedback) return "";
  if (times_.event && is_delay_since(column, *times_.event, false))
    return fmt::format("it is {} − {}", times_.feedback->name, times_.event->name);
  for (const ColumnProfile* since : dates_)
    for (const bool from_zero : {false, true})
      if (is_delay_since(column, *since, from_zero))
        return fmt::format("it is {} − {}{}", times_.feedback->name, since->name, from_zero ? ", at least 0" : "");
  return "";
}

// Whether no class has rows with the column and rows without: given and not, or 0 and not. Of numbers and of many
// classes that may be chance.
bool Leaks::divides_labels(const ColumnProfile& column, bool by_zero) const {
  constexpr std::size_t kClasses = 10;
  const bool same_name = share_a_word(column.name, label_->name);  // then it is less likely to be chance
  const std::size_t fewest = same_name ? 6 : 12, each = same_name ? 2 : 3;
  if (label_->values.size() > kClasses || &column == label_ || (!by_zero && column.given == profile_.rows))
    return false;
  const auto place = [&](const ColumnProfile* one) { return static_cast<std::size_t>(one - profile_.columns.data()); };
  const std::size_t at = place(&column), label = place(label_);
  std::set<std::string> with, without;
  std::size_t rows_with = 0, rows_without = 0;
  for (const auto& row : profile_.sample) {
    if (label_->lacks(row[label]) || (times_.feedback && times_.feedback->lacks(row[place(times_.feedback)]))) continue;
    double x = 0;
    const bool has = !column.lacks(row[at]) && (!by_zero || (read_styled(row[at], column.style, x) && x != 0));
    std::string word = row[label];
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    (has ? with : without).insert(std::move(word));
    ++(has ? rows_with : rows_without);
  }
  if (rows_with + rows_without < fewest || rows_with < each || rows_without < each) return false;
  for (const std::string& one : with)
    if (without.count(one) > 0) return false;
  return true;
}

// Proportional to feedback time − that time, up to rounding, wherever we look. `from_zero`: where that is less than
// nothing, it is 0.
bool Leaks::is_delay_since(const ColumnProfile& column, const ColumnProfile& since, bool from_zero) const {
  constexpr std::size_t kFewest = 10;
  constexpr double kUnexplained = 0.005;  // of the delays' variance: whole minutes of some seconds
  double n = 0, xx = 0, xd = 0, d1 = 0, dd = 0;
  for (std::size_t row = 0; row < profile_.sample.size(); ++row) {
    double delay = sampled_time(profile_, row, *times_.feedback, order_) - sampled_time(profile_, row, since, order_);
    const double x = sampled_time(profile_, row, column, order_);
    if (!std::isfinite(delay) || !std::isfinite(x)) continue;
    if (from_zero) delay = std::max(delay, 0.0);
    n += 1;
    xx += x * x;
    xd += x * delay;
    d1 += delay;
    dd += delay * delay;
  }
  const double variance = n > 0 ? dd - d1 * d1 / n : 0;
  if (n < kFewest || !(xx > 0) || !(xd > 0) || !(variance > 1e-12 * dd)) return false;
  return dd - xd * xd / xx <= kUnexplained * variance;
}

}  // namespace tarry::data
