// Columns that say what the label is, since they were written down with it: churn_reason, days_late, dispute_amount.
#pragma once

#include <string>

#include "tarry/data/infer/find_times.h"

namespace tarry::data {

class Leaks {
 public:
  // `label`: null where it is not a column.
  Leaks(const CsvProfile& profile, const FoundTimes& times, const ColumnProfile* label, DateOrder order);

  std::string why(const ColumnProfile& column) const;  // empty: it is none
  // In the rows of some classes alone.
  bool is_given_by_class(const ColumnProfile& column) const { return divides_labels(column, false); }

 private:
  bool divides_labels(const ColumnProfile& column, bool by_zero) const;
  bool is_delay_since(const ColumnProfile& column, const ColumnProfile& since, bool from_zero) const;

  const CsvProfile& profile_;
  const FoundTimes& times_;
  const ColumnProfile* label_;
  DateOrder order_;
  Columns dates_;  // but the feedback's
};

}  // namespace tarry::data
