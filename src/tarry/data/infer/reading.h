// How a table was read, for programs: what `tarry read --json` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/infer/questions.h"
#include "tarry/spec/value.h"

namespace tarry::data {

struct ColumnReading {
  std::string name;
  std::string role;        // event_time, feedback_time, due, label, feature, ignored
  std::string kind;        // time, number, words, text, set, empty
  std::string unit = {};   // of numbers: $, %, kg
  std::string why = {};    // of what is ignored
  spec::Value first = {};  // of a feature or the label: its value in the first row, null where that is missing
};

struct BadCell {
  std::string column;
  OddCell cell;
};

struct Reading {
  std::string file, format = "csv", encoding = "utf-8";
  char delimiter = ',';
  std::size_t header_line = 1, rows = 0;
  std::string event_time, feedback_time, due;  // columns; empty: none, or asked for
  std::string feedback = "column";             // or "none", or a wait such as "3 days"
  bool end_of_day = false;
  std::string dates;
  std::string label, label_kind, positive, loss;
  std::vector<std::string> classes;
  std::optional<DefaultLabel> expiry;
  std::string key;  // an id that never repeats
  std::vector<ColumnReading> columns;
  std::vector<BadCell> bad_cells;
  std::vector<Question> questions;
};

// One object; `notes` are what people are told.
spec::Value to_value(const Reading& reading, const std::vector<std::string>& notes);

}  // namespace tarry::data
