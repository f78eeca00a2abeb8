#include "tarry/data/formats/csv_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/clock_changes.h"

namespace tarry::data {
namespace {

constexpr double kHour = 3600, kEndOfDay = 86399;

}  // namespace

CsvTimes::CsvTimes(const CsvOptions& options, const CsvHeader& header) : options_(options), last_event_(-kNeverKnown) {
  if (!options.event_time.empty()) event_ = header.column(options.event_time);
  if (!options.feedback_time.empty()) feedback_ = header.column(options.feedback_time);
  if (!options.due.empty()) due_ = header.column(options.due);
}

CsvTimes::OfRow CsvTimes::read(const Cells& cells, const Place& place) {
  OfRow row;
  ++rows_;
  if (event_)
    row.event = read_event(cells, place);
  else if (options_.wait)
    row.event.seconds = static_cast<double>(rows_);
  if (feedback_)
    row.feedback = read_feedback(row.event, cells, place);
  else if (options_.wait)
    row.feedback = row.event.seconds + *options_.wait;
  return row;
}

TimeCell CsvTimes::read_cell(const std::string& column, std::string_view cell, const Place& place) const {
  TimeCell time;
  if (std::find(options_.compact.begin(), options_.compact.end(), column) != options_.compact.end()) {
    if (!read_compact_date(cell, time)) place.fail_cell(column, "a date as in 20240301", cell);
    return time;
  }
  if (read_number(cell, time.seconds)) return {.seconds = place.number(column, cell), .has_time = true, .zoned = true};
  if (read_time_cell(cell, options_.dates, time)) return time;
  WrittenDate date;
  if (options_.dates != DateOrder::kNone && read_written_date(cell, date))
    place.fail_cell(
        column, options_.dates == DateOrder::kDayFirst ? "a date as day/month/year" : "a date as month/day/year", cell);
  if (read_written_date(cell, date))
    place.fail_cell(column, "as in 2024-03-01T12:30 unless dates = \"day/month/year\" or \"month/day/year\" is given",
                    cell);
  place.fail_cell(column, "a number, or a date and time as in 2024-03-01T12:30", cell);
}

TimeCell CsvTimes::read_event(const Cells& cells, const Place& place) {
  const TimeCell event = read_cell(options_.event_time, cells[*event_], place);
  if (!options_.sort && event.seconds < last_event_)
    place.fail(fmt::format("{} must not go backwards ({} after {}); sort = true puts the rows in order",
                           options_.event_time, trimmed(cells[*event_]), last_event_cell_));
  if (!options_.sort) last_event_cell_ = trimmed(cells[*event_]);
  last_event_ = event.seconds;
  if (!options_.local || !event.has_time || event.zoned || options_.time_unit != 1) return event;
  spring_.add(event.seconds);
  if (in_repeated_hour(event.seconds)) {
    ++twice_;
    night_ = event.seconds;
  }
  return event;
}

double CsvTimes::read_feedback(const TimeCell& event, const Cells& cells, const Place& place) {
  const std::string_view cell = cells[*feedback_];
  if (options_.is_empty(cell)) return kNeverKnown;
  TimeCell time = read_cell(options_.feedback_time, cell, place);
  if (options_.zero_is_never && time.seconds <= 0) return kNeverKnown;
  if (event.zoned && !time.zoned) time.seconds -= event.zone;  // it has none of its own
  if (options_.end_of_day && !time.has_time) time.seconds += kEndOfDay;
  if (time.seconds >= event.seconds) return time.seconds;
  if (options_.local && !event.zoned && !time.zoned && event.seconds - time.seconds <= kHour &&
      in_repeated_hour(time.seconds)) {
    ++went_back_;
    night_ = time.seconds;
    return event.seconds;
  }
  place.fail(fmt::format("{} must not be before {} ({} before {})", options_.feedback_time, options_.event_time,
                         trimmed(cell), trimmed(cells[*event_])));
}

double CsvTimes::read_due(const Cells& cells, const Place& place) const {
  const std::string_view cell = cells[*due_];
  return options_.is_empty(cell) ? kNotDue : read_cell(options_.due, cell, place).seconds;
}

std::vector<std::string> CsvTimes::told() const {
  std::vector<std::string> lines;
  const auto rows = [](std::size_t count) { return fmt::format("{} row{}", count, count == 1 ? "" : "s"); };
  if (went_back_ > 0)
    lines.push_back(fmt::format(
        "clocks go back on {}, and times have no zone: {} would have a label before being seen, which counts as "
        "known at once",
        day_of_time(night_), rows(went_back_)));
  else if (twice_ > 0)
    lines.push_back(fmt::format(
        "clocks go back on {}, and times have no zone: {} may be of either of two hours, and are read as if clocks "
        "never change",
        day_of_time(night_), rows(twice_)));
  if (const std::string day = spring_.skipped(); !day.empty())
    lines.push_back(fmt::format(
        "clocks seem to go forward on {}, and times have no zone: waits across that night are an hour too long", day));
  return lines;
}

}  // namespace tarry::data
