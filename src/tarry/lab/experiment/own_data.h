// The experiment on a file of late labels, or a log of choices, with nothing else given: what `tarry run my.csv`
// plays, and what `tarry init --csv my.csv` writes to be changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tarry/data/infer/late_labels.h"
#include "tarry/lab/plan/experiment.h"

namespace tarry::lab {

// Whether this names a table rather than a specification, even one that can only be refused: .csv, .jsonl, .xlsx …,
// perhaps with .gz.
bool is_table(const std::string& path);
// Whether this names data rather than a specification: a table, or a log of events (.jsonl or .dsjson).
bool is_data(const std::string& path);
std::string stem_of(std::filesystem::path path);  // its name, without what says what it is

struct OwnData {
  Experiment experiment;  // with what was found in the file, which is not looked through again
  std::string text;       // the same for people, as TOML: what was found is in its comments
};

// Throws Error where the columns do not decide, and overrides such as stream.label=paid do not say it.
OwnData own_data(const std::string& path, const std::vector<std::string>& overrides = {});

// How the table is read, with the questions that are open; where there are none, all of it is read.
data::LateLabels own_reading(const std::string& path, const std::vector<std::string>& overrides = {});

// The text, to be written into a file in `folder`: the path is as seen from there, and what overrides say of the stream
// is in it. Questions that are open are in its comments.
struct OwnDataFile {
  std::string text;
  std::size_t questions;  // that are open in it
};
OwnDataFile own_data_file(const std::string& path, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder);

}  // namespace tarry::lab
