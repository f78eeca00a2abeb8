// Which columns say when a row's features were known, when its label was, and when that was due.
#pragma once

#include "tarry/data/infer/late_labels.h"
#include "tarry/data/infer/questions.h"
#include "tarry/data/text/written_date.h"

namespace tarry::data {

struct FoundTimes {
  const ColumnProfile* event = nullptr;     // null: it was asked for, or rows come in the order of the file
  const ColumnProfile* feedback = nullptr;  // null: it was asked for, or is said by the key `feedback`
  const ColumnProfile* due = nullptr;       // null: nobody named one
};

// A difference of two times as the label: "dropoff − pickup".
struct Difference {
  const ColumnProfile* later = nullptr;
  const ColumnProfile* earlier = nullptr;
};

// What the names and cells say. What they do not say becomes a question.
FoundTimes find_times(const CsvProfile& profile, const LateLabelsKeys& keys, const Difference& label,
                      Questions& questions);

// Every cell of these columns is a number, or is a date; complains about the first that is not, with its line.
void check_times(const Columns& times, const Questions& questions);

// Whether days or months come first in the dates of these columns; the first is the event's and the second the
// feedback's; where nothing shows it, it is asked for.
DateOrder find_date_order(const CsvProfile& profile, const Columns& times, const std::string& said,
                          Questions& questions);

// Could be a time by its cells: no flag, no code of two values, no amount.
bool may_be_time(const ColumnProfile& column, const CsvProfile& profile, const LateLabelsKeys& keys);

// The time in a cell of the profile's sample; NaN: there is none.
double sampled_time(const CsvProfile& profile, std::size_t row, const ColumnProfile& column, DateOrder order);

// How two columns of times lie in the sample: rows that have both, and in how many of these the second is before the
// first. A day without a time of day ends at its end where it is the second.
struct TimesCompared {
  std::size_t both = 0, before = 0, after = 0;
};
TimesCompared compare_times(const CsvProfile& profile, const ColumnProfile& first, const ColumnProfile& second,
                            DateOrder order);

// Whether two columns are missing in the same rows, and in at least one.
bool missing_alike(const CsvProfile& profile, const ColumnProfile& a, const ColumnProfile& b);

// A label that is known on a day is known at the end of it, since nothing says when.
inline constexpr double kEndOfDay = 86399;

}  // namespace tarry::data
