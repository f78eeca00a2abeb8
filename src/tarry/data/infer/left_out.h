// Which columns are no features, and why: ids, dates, and what was not known yet when the row was seen.
#pragma once

#include <string>

#include "tarry/data/infer/column_kind.h"
#include "tarry/data/infer/find_times.h"
#include "tarry/data/infer/leaks.h"

namespace tarry::data {

class LeftOut {
 public:
  // `keys` with their lists in order.
  LeftOut(const CsvProfile& profile, const LateLabelsKeys& keys, const FoundTimes& times, const ColumnProfile* label,
          DateOrder order)
      : profile_(profile), keys_(keys), times_(times), order_(order), leaks_(profile, times, label, order) {}

  std::string why(const ColumnProfile& column, Kind kind) const;  // empty: it is a feature

 private:
  bool counts_rows(const ColumnProfile& column) const;
  std::string why_date(const ColumnProfile& column) const;
  bool is_known_with_the_label(const ColumnProfile& column) const;
  bool is_later_time(const ColumnProfile& column) const;

  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const FoundTimes& times_;
  DateOrder order_;
  Leaks leaks_;
};

}  // namespace tarry::data
