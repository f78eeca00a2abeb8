// Text as the lines of a data file, and what every data set read from one must be.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include "../unit/data/memory_text.h"
#include "tarry/base/error.h"
#include "tarry/data/formats/dataset.h"
#include "tarry/spec/node.h"

namespace tarry::fuzz {

inline void expect(bool holds) {
  if (!holds) std::abort();
}

// Rows of ascending indices and finite numbers; a label, or none and no time at which it was known.
inline void expect_whole(const data::Dataset& data) {
  expect(data.sparse.size() == data.rows() && data.event_time.size() == data.feedback_time.size());
  expect(data.named.empty() || data.named.size() == data.rows());
  expect(!data.has_times() || data.event_time.size() == data.rows());
  data::Dataset::Made made;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    Index last = -1;
    data.features(row, made).each([&](Index i, double x) {
      expect(i > last && i < data.dimension && std::isfinite(x));
      last = i;
    });
    const bool known = !data.has_times() || std::isfinite(data.feedback_time[row]);
    expect(std::isfinite(data.labels[row]) || (std::isnan(data.labels[row]) && !known) || !data.has_times());
    if (!data.has_times()) continue;
    expect(std::isfinite(data.event_time[row]) && data.feedback_time[row] >= data.event_time[row]);
    expect(row == 0 || data.event_time[row] >= data.event_time[row - 1]);
  }
}

// read(lines) gives a whole data set, or an Error of one line that names the file.
template <class Read>
void expect_rows(std::string_view text, Read read) {
  data::TextLines lines = data::text_lines("fuzz", std::string(text));
  try {
    expect_whole(read(lines));
  } catch (const Error& error) {
    expect(error.code() == Code::kBadInput);
    expect(std::string_view(error.what()).starts_with("fuzz"));
  }
}

}  // namespace tarry::fuzz
