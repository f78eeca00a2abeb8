// A file of late labels, given only its path: which columns are the times, the label, numbers and
// words is found from their names and cells.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/data/formats/csv_reader.h"
#include "tarry/data/infer/csv_profile.h"
#include "tarry/data/infer/reading.h"

namespace tarry::data {

// The names of the losses for what labels turn out to be.
struct LossNames {
  std::string numbers, two_classes, classes;
};

// What the user said all the same; empty: to be found.
struct LateLabelsKeys {
  std::string event_time = {}, feedback_time = {}, label = {}, loss = {};
  std::string feedback = {};                // "none": labels are known at once; or after so long: "3 days"
  std::optional<DefaultLabel> expiry = {};  // of rows that have no label by then
  std::optional<std::string> blank = {};    // what a label that is not given means
  std::string due = {}, key = {};           // empty: there is none, and none is looked for
  std::optional<std::string> positive = {};
  std::vector<std::string> categorical = {};  // columns of numbers that stand for words
  std::vector<std::string> ignore = {};
  std::vector<std::string> include = {};  // columns that would be left out
  std::string dates = {};                 // "day/month/year" or "month/day/year"
  LossNames usual = {};                   // where the user names no loss
};

struct LateLabels {
  CsvOptions options;                // for read_csv, without as_label; incomplete while questions are open
  std::string loss;                  // its name
  std::vector<std::string> read_as;  // for people: what each column was taken for
  Reading reading;                   // the same for programs, with the questions that are open
};

// The profile of a column over the rows in which another is not missing, both by their places.
using ProfileWhereGiven = std::function<ColumnProfile(std::size_t column, std::size_t where)>;

// What the columns do not decide is left as questions. Throws Error{kBadInput}, naming `file`, for what cannot be.
LateLabels look_for_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
                                const ProfileWhereGiven& where_given = {});

// The same, but questions are an Error{kBadInput}, too: it asks for all keys that are needed, with the likeliest
// answers as lines to paste. Without `where_given`, words of rows without a feedback time may be classes.
LateLabels infer_late_labels(const std::string& file, const CsvProfile& profile, const LateLabelsKeys& keys,
                             const ProfileWhereGiven& where_given = {});
void throw_if_questions(const std::string& file, const LateLabels& found);

}  // namespace tarry::data
