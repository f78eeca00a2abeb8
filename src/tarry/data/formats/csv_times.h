// The times of a table's rows: when a row was seen, when its label was known, when that was due.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/data/formats/csv_header.h"
#include "tarry/data/formats/csv_options.h"
#include "tarry/data/text/clock_changes.h"
#include "tarry/data/text/written_date.h"

namespace tarry::data {

class CsvTimes {
 public:
  CsvTimes(const CsvOptions& options, const CsvHeader& header);

  // Of the row in these cells; complains with its line.
  struct OfRow {
    TimeCell event = {};
    double feedback = 0;
  };
  OfRow read(const Cells& cells, const Place& place);
  double read_due(const Cells& cells, const Place& place) const;
  // A time in any cell.
  TimeCell read_cell(const std::string& column, std::string_view cell, const Place& place) const;

  bool has_event() const { return event_ || counts_rows(); }
  bool has_feedback() const { return feedback_ || options_.wait; }
  bool has_due() const { return due_.has_value(); }
  std::string_view feedback_cell(const Cells& cells) const { return feedback_ ? trimmed(cells[*feedback_]) : ""; }
  std::vector<std::string> told() const;  // what people should know of them

 private:
  bool counts_rows() const { return options_.wait && !event_; }
  TimeCell read_event(const Cells& cells, const Place& place);
  double read_feedback(const TimeCell& event, const Cells& cells, const Place& place);

  const CsvOptions& options_;
  std::optional<std::size_t> event_, feedback_, due_;
  double last_event_;
  std::string last_event_cell_;
  std::size_t rows_ = 0;
  SpringNights spring_;
  std::size_t went_back_ = 0, twice_ = 0;  // labels before their rows, and times that may be of either hour,
  double night_ = 0;                       // where clocks went back
};

}  // namespace tarry::data
