#include "tarry/data/infer/time_units.h"

#include "tarry/data/infer/column_names.h"

namespace tarry::data {

double epoch_unit(double least, double most) {
  constexpr double kFirst = 631152000, kLast = 4102444800;  // 1990-01-01 and 2100-01-01, in seconds
  for (const double unit : {1.0, 1e-3, 1e-6, 1e-9})
    if (least * unit >= kFirst && most * unit < kLast) return unit;
  return 0;
}

bool is_epoch(const ColumnProfile& column) {
  return column.mostly_numbers() && epoch_unit(column.least, column.most) > 0;
}

double time_unit(const ColumnProfile& column) {
  if (column.mostly_dates()) return 1;
  if (const double unit = unit_in_name(column.name); unit > 0) return unit;
  return epoch_unit(column.least, column.most);
}

}  // namespace tarry::data
