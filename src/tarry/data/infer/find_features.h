// Which columns are features and how they are read, and what the reading says about each column.
#pragma once

#include "tarry/data/infer/column_kind.h"
#include "tarry/data/infer/find_label.h"
#include "tarry/data/infer/find_times.h"

namespace tarry::data {

class FeatureFinder {
 public:
  FeatureFinder(const CsvProfile& profile, const LateLabelsKeys& keys, const FoundTimes& times, const FoundLabel& label,
                DateOrder order, const Questions& questions)
      : profile_(profile), keys_(keys), times_(times), label_(label), order_(order), questions_(questions) {}

  // Into the options, the lines for people and the reading. `clear`: nothing is asked for, so it is an error if no
  // feature is left.
  void find(LateLabels& found, bool clear);

 private:
  spec::Value first_of(const ColumnProfile& column, ColumnKind kind) const;
  std::string role_of(const ColumnProfile& column) const;
  void add(LateLabels& found, const ColumnProfile& column, ColumnKind kind);
  void say_numbers(LateLabels& found, const ColumnProfile& column);
  void say_words(const ColumnProfile& column);
  void say(LateLabels& found) const;
  bool stands_for_words(const ColumnProfile& column) const;

  const CsvProfile& profile_;
  const LateLabelsKeys& keys_;
  const FoundTimes& times_;
  const FoundLabel& label_;
  DateOrder order_;
  const Questions& questions_;
  std::vector<std::string> ignored_, odd_, units_;
};

}  // namespace tarry::data
