// What is to be read of a table, and how.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarry/data/formats/reader_options.h"
#include "tarry/data/text/number_cell.h"
#include "tarry/data/text/table_shape.h"
#include "tarry/data/text/written_date.h"
#include "tarry/linalg/covector.h"

namespace tarry::data {

// What a feature's empty cell means.
enum class Missing : std::uint8_t {
  kError,
  kZero,    // the number 0
  kAbsent,  // it is missing, which is not 0 to a standardising model (Dataset::numbers)
};

// The label of rows that have none after so long.
struct DefaultLabel {
  double seconds = 0;
  std::string label = {};
};

struct SetColumn {
  std::string name;
  char between;  // its elements
};

// A date among the features: its hour, weekday and month, and the days from it to the event.
struct DateColumn {
  std::string name;
  bool hour;  // whether it has any
};

struct CsvOptions {
  std::string label;                                  // the column to predict
  std::string label_minus = {};                       // "", or both are times and the label is their difference
  double label_divide = 1;                            // by which it is divided
  std::optional<std::string> positive;                // the label is +1 where its cell is this text, else −1
  bool label_given = false;                           // the label is yes where its cell is given, and else no
  std::map<std::string, std::string> spellings = {};  // of labels: PAID and paid are Paid
  std::vector<std::string> no_labels = {};            // words that say that there is no label yet: pending
  std::optional<std::string> blank = {};  // what a label that is not given means, in a row whose feedback came
  std::vector<std::string> classes;       // or it is the place of its cell's text among these
  std::vector<std::string> features;      // columns of numbers, one feature each
  Divisors divide;                        // by which features are divided
  std::vector<std::string> categorical;   // columns of words: 1 in slot fnv1a("column=word") mod hash_dimension
  std::vector<std::string> texts = {};    // columns of text: each of its words, in lower case
  std::vector<SetColumn> sets = {};       // columns of lists: each element
  std::vector<DateColumn> date_features = {};
  // How numbers are written, by column, the label's included; a cell that is none is missing then. Others: plainly.
  std::map<std::string, NumberStyle> styles = {};
  Index hash_dimension = 4096;
  bool intercept = true;            // the last feature is the constant 1
  std::string event_time;           // the column that says when the features were known; "": none
  std::string feedback_time;        // and when the label was; an empty cell: never. "": the data set has no times
  std::optional<double> wait = {};  // instead of feedback_time: so long after the event, in the unit of the times
  std::optional<DefaultLabel> expiry = {};
  std::string due;                        // and when it is due, or expected; an empty cell: not known. "": none
  std::string key;                        // rows that share its cell are one round, whose label was corrected; "": none
  double time_unit = 0;                   // of the times, in seconds; 0: not known
  DateOrder dates = DateOrder::kNone;     // of times such as 01/02/2024
  std::vector<std::string> compact = {};  // columns of times such as 20240131
  bool zero_is_never = false;             // a feedback time at the beginning of 1970 is none
  bool end_of_day = false;                // a feedback time without a time of day is the end of that day
  bool local = false;                     // times without a zone may be those of clocks that change
  bool sort = false;                      // by event_time; otherwise the file must be in that order
  Missing missing = Missing::kError;
  // Cells such as NA are empty; a label needs both a text and a feedback time: otherwise it never comes.
  bool lenient = false;
  bool names = false;  // keep the rows by name: numbers under their columns, words under theirs
  char delimiter = ',';
  TableShape shape = {};  // where it is tidy, instead of the delimiter
  std::size_t limit = 0;  // rows, in the order of the data set; 0: all
  AsLabel as_label;

  bool is_empty(std::string_view cell) const;
};

// An empty cell, or one of the words that programs write for nothing: NA, N/A, NaN, NaT, NULL, None, ?, 0000-00-00,
// 9999-12-31 ….
bool means_missing(std::string_view cell);

// Without as_label. `found`: the features are looked for in the file, and so is what the specification leaves out.
CsvOptions csv_options(const spec::Node& node, bool found = false);

}  // namespace tarry::data
