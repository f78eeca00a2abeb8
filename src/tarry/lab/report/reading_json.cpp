#include "tarry/lab/report/reading_json.h"

namespace tarry::lab {
namespace {

using spec::Value;

Value whole(std::size_t x) { return {static_cast<std::int64_t>(x)}; }

Value column_value(const data::ColumnReading& column) {
  return {spec::Object{{"name", Value{column.name}},
                       {"role", Value{column.role}},
                       {"kind", Value{column.kind}},
                       {"unit", Value{column.unit}},
                       {"why", Value{column.why}}}};
}

}  // namespace

Value waits_value(const std::optional<Waits>& waits) {
  if (!waits) return {};
  return {spec::Object{
      {"half", Value{waits->half}}, {"nine_in_ten", Value{waits->nine_in_ten}}, {"longest", Value{waits->longest}}}};
}

Value reading_value(const Reading& reading) {
  spec::Array lines, classes, columns;
  for (const std::string& line : reading.lines) lines.push_back({line});
  spec::Object value{{"stream", Value{reading.stream}}, {"read_as", Value{lines}}};
  for (const ClassWaits& one : reading.by_class)
    classes.push_back(
        {spec::Object{{"label", Value{one.name}}, {"labels", whole(one.labels)}, {"seconds", waits_value(one.waits)}}});
  if (!classes.empty()) value.push_back({"by_class", Value{classes}});
  for (const data::ColumnReading& column : reading.table.columns) columns.push_back(column_value(column));
  if (!columns.empty()) value.push_back({"columns", Value{columns}});
  if (!reading.table.label.empty())
    value.push_back({"label", Value{spec::Object{{"column", Value{reading.table.label}},
                                                 {"positive", Value{reading.table.positive}},
                                                 {"unit", Value{reading.table.label_unit}}}}});
  if (!reading.table.waits.counts.empty())
    value.push_back({"waits", Value{spec::Object{{"edges", Value{reading.table.waits.edges}},
                                                 {"counts", Value{reading.table.waits.counts}}}}});
  return {std::move(value)};
}

}  // namespace tarry::lab
