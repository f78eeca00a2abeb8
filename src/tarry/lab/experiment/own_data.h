// The experiment on a file of late labels of which nothing else is said: what `tarry run my.csv` plays, and what
// `tarry init --csv my.csv` writes to be changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tarry::lab {

// Whether this names a table rather than a specification: .csv or .tsv, perhaps with .gz.
bool is_table(const std::string& path);

// The experiment as TOML, with what was found in the file as comments. Throws Error where the columns do not decide,
// and overrides such as stream.label=paid do not say it.
std::string own_data_experiment(const std::string& path, const std::vector<std::string>& overrides = {});

// The same to be written into a file in `folder`: the path is as seen from there, and what overrides say of the stream
// stands in it.
std::string own_data_file(const std::string& path, const std::vector<std::string>& overrides,
                          const std::filesystem::path& folder);

}  // namespace tarry::lab
