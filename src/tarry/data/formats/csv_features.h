// The features of a table's rows: numbers first, then hashed words, then the intercept; or all of them by name.
#pragma once

#include <vector>

#include "tarry/data/formats/csv_header.h"
#include "tarry/data/formats/csv_options.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/written_date.h"

namespace tarry::data {

class CsvFeatures {
 public:
  CsvFeatures(const CsvOptions& options, const CsvHeader& header, DatasetBuilder& builder);

  // Of the row under way; `event`: when it was seen.
  void read(const Cells& cells, const TimeCell& event, const Place& place);

  Index dimension() const { return words_end() + (options_.intercept ? 1 : 0); }
  Index words_begin() const { return static_cast<Index>(options_.features.size() + options_.date_features.size()); }

 private:
  struct Numeric {
    std::size_t column;
    double divisor;
    const NumberStyle* style;  // null: plain, and anything else is an error
    NamedRows::Name name;
    bool usual = false;  // a short number is taken as it is written
  };
  enum class Split : std::uint8_t { kNot, kText, kSet };
  struct Words {
    std::size_t column;
    std::uint64_t hash;  // of "column="
    NamedRows::Name name;
    Split split = Split::kNot;
    char between = 0;
  };
  struct Date {
    std::size_t column;
    bool has_hour;
    Words hour, weekday, month;
    NamedRows::Name days;
  };

  Words words_at(std::size_t column, const std::string& name, Split split = Split::kNot, char between = 0);
  void number_named_rows();
  NamedRows::Name name_of(const std::string& column) { return options_.names ? builder_.named().name(column) : 0; }
  Index words_end() const;
  bool is_missing(std::string_view cell) const {
    return options_.missing != Missing::kError && options_.is_empty(cell);
  }

  void read_numbers(const Cells& cells, const Place& place);
  void read_words(const Cells& cells, const Place& place);
  void read_dates(const Cells& cells, const TimeCell& event);
  void add_number(Index place, NamedRows::Name name, double value);
  void add_word(const Words& words, std::string_view word);
  void add_missing(NamedRows::Name name) {
    if (options_.names) builder_.named().add_missing(name);
  }

  const CsvOptions& options_;
  DatasetBuilder& builder_;
  std::vector<Numeric> numeric_;
  std::vector<Words> words_;
  std::vector<Date> dates_;
};

}  // namespace tarry::data
