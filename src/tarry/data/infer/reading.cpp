#include "tarry/data/infer/reading.h"

namespace tarry::data {
namespace {

using spec::Array, spec::Object, spec::Value;

Value text(const std::string& x) { return {x}; }
Value text_or_null(const std::string& x) { return x.empty() ? Value{} : Value{x}; }
Value whole(std::size_t x) { return {static_cast<std::int64_t>(x)}; }

Value texts(const std::vector<std::string>& all) {
  Array array;
  for (const std::string& one : all) array.push_back(text(one));
  return {array};
}

Value column_value(const ColumnReading& column) {
  Object object{{"name", text(column.name)}, {"role", text(column.role)}, {"kind", text(column.kind)}};
  if (!column.unit.empty()) object.push_back({"unit", text(column.unit)});
  if (!column.why.empty()) object.push_back({"why", text(column.why)});
  if (column.role == "feature" || column.role == "label") object.push_back({"first", column.first});
  return {object};
}

}  // namespace

Value to_value(const Reading& reading, const std::vector<std::string>& notes) {
  Array columns, bad, questions;
  for (const ColumnReading& column : reading.columns) columns.push_back(column_value(column));
  for (const auto& [column, cell] : reading.bad_cells)
    bad.push_back({Object{{"column", text(column)}, {"line", whole(cell.line)}, {"text", text(cell.text)}}});
  for (const Question& question : reading.questions)
    questions.push_back(
        {Object{{"key", text(question.key)}, {"what", text(question.what)}, {"lines", texts(question.lines)}}});
  Object object{{"file", text(reading.file)}, {"format", text(reading.format)}, {"encoding", text(reading.encoding)}};
  if (reading.format == "csv") object.push_back({"delimiter", text(std::string(1, reading.delimiter))});
  const Value label{Object{{"column", text_or_null(reading.label)},
                           {"kind", text_or_null(reading.label_kind)},
                           {"positive", text_or_null(reading.positive)},
                           {"classes", texts(reading.classes)},
                           {"loss", text_or_null(reading.loss)}}};
  Value expiry;
  if (reading.expiry)
    expiry = {Object{{"days", Value{reading.expiry->seconds / 86400}}, {"label", text(reading.expiry->label)}}};
  for (auto& member : Object{{"header_line", whole(reading.header_line)},
                             {"rows", whole(reading.rows)},
                             {"event_time", text_or_null(reading.event_time)},
                             {"feedback_time", text_or_null(reading.feedback_time)},
                             {"feedback", text(reading.feedback)},
                             {"end_of_day", Value{reading.end_of_day}},
                             {"dates", text(reading.dates)},
                             {"due", text_or_null(reading.due)},
                             {"label", label},
                             {"expiry", expiry},
                             {"key", text_or_null(reading.key)},
                             {"columns", {columns}},
                             {"bad_cells", {bad}},
                             {"questions", {questions}},
                             {"notes", texts(notes)}})
    object.push_back(std::move(member));
  return {object};
}

}  // namespace tarry::data
