#include "tarry/data/formats/csv_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tarry/data/formats/feature_hash.h"
#include "tarry/data/text/short_number.h"
#include "tarry/data/text/word_list.h"

namespace tarry::data {
namespace {

// True and TRUE are the words true and false, as which models take the flags of JSON and Python.
std::string_view as_flag(std::string_view cell) {
  if (cell == "True" || cell == "TRUE") return "true";
  return cell == "False" || cell == "FALSE" ? "false" : cell;
}

}  // namespace

CsvFeatures::CsvFeatures(const CsvOptions& options, const CsvHeader& header, DatasetBuilder& builder)
    : options_(options), builder_(builder) {
  for (const std::string& name : options.features) {
    const auto divisor = options.divide.find(name);
    const auto style = options.styles.find(name);
    numeric_.push_back({header.column(name), divisor == options.divide.end() ? 1 : divisor->second,
                        style == options.styles.end() ? nullptr : &style->second, name_of(name)});
    Numeric& one = numeric_.back();
    one.usual = one.divisor == 1 && (one.style == nullptr || (one.style->plain && !one.style->length));
  }
  for (const std::string& name : options.categorical) words_.push_back(words_at(header.column(name), name));
  for (const std::string& name : options.texts) words_.push_back(words_at(header.column(name), name, Split::kText));
  for (const SetColumn& set : options.sets)
    words_.push_back(words_at(header.column(set.name), set.name, Split::kSet, set.between));
  for (const DateColumn& date : options.date_features) {
    const std::size_t column = header.column(date.name);
    dates_.push_back({column, date.hour, words_at(column, date.name + ".hour"),
                      words_at(column, date.name + ".weekday"), words_at(column, date.name + ".month"),
                      name_of(date.name + ".days")});
  }
  if (options.names) number_named_rows();
}

CsvFeatures::Words CsvFeatures::words_at(std::size_t column, const std::string& name, Split split, char between) {
  return {column, fnv1a(name + "="), name_of(name), split, between};
}

// Rows by name are the only ones that are kept: what they are as numbers follows from them.
void CsvFeatures::number_named_rows() {
  const std::size_t names = numeric_.size() + words_.size() + 4 * dates_.size();
  NamedRows::Numbering numbering{.place = std::vector<Index>(names, -1),
                                 .hash = std::vector<std::uint64_t>(names, 0),
                                 .words_begin = words_begin(),
                                 .slots = options_.hash_dimension,
                                 .intercept = options_.intercept ? words_end() : -1,
                                 .zeros = options_.missing == Missing::kAbsent};
  for (std::size_t i = 0; i < numeric_.size(); ++i) numbering.place[numeric_[i].name] = static_cast<Index>(i);
  for (const Words& words : words_) numbering.hash[words.name] = words.hash;
  for (std::size_t i = 0; i < dates_.size(); ++i) {
    const Date& date = dates_[i];
    numbering.place[date.days] = static_cast<Index>(numeric_.size() + i);
    for (const Words* words : {&date.hour, &date.weekday, &date.month}) numbering.hash[words->name] = words->hash;
  }
  builder_.named().number(std::move(numbering));
}

Index CsvFeatures::words_end() const {
  const bool any = !words_.empty() || !dates_.empty();
  return words_begin() + (any ? options_.hash_dimension : 0);
}

void CsvFeatures::read(const Cells& cells, const TimeCell& event, const Place& place) {
  read_numbers(cells, place);
  read_words(cells, place);
  read_dates(cells, event);
  if (options_.intercept && !options_.names) builder_.add(words_end(), 1);
}

void CsvFeatures::add_number(Index place, NamedRows::Name name, double value) {
  if (options_.names)
    builder_.named().add(name, value);
  else if (options_.missing == Missing::kAbsent)
    builder_.add_number(place, value);
  else
    builder_.add(place, value);
}

void CsvFeatures::read_numbers(const Cells& cells, const Place& place) {
  const std::size_t longest_usual = options_.lenient ? 9 : 16;  // 9999-12-31 and its like may stand for nothing
  for (std::size_t i = 0; i < numeric_.size(); ++i) {
    const Numeric& one = numeric_[i];
    const std::string_view cell = cells[one.column];
    double value = 0;
    if (one.usual && cell.size() <= longest_usual && read_short_number(cell, value)) {
      add_number(static_cast<Index>(i), one.name, value);
      continue;
    }
    if (is_missing(cell) || (one.style != nullptr && !read_styled(cell, *one.style, value))) {
      add_missing(one.name);
      continue;
    }
    const bool plain = one.style == nullptr || one.style->plain;
    add_number(static_cast<Index>(i), one.name,
               plain ? place.number(options_.features[i], cell, one.divisor) : value / one.divisor);
  }
}

void CsvFeatures::add_word(const Words& words, std::string_view word) {
  const auto slots = static_cast<std::uint64_t>(options_.hash_dimension);
  if (options_.names)
    builder_.named().add(words.name, word);
  else
    builder_.add(words_begin() + static_cast<Index>(fnv1a(word, words.hash) % slots), 1);
}

void CsvFeatures::read_words(const Cells& cells, const Place& place) {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const Words& words = words_[i];
    const std::string_view cell = cells[words.column];
    if (is_missing(cell)) {
      add_missing(words.name);
      continue;
    }
    if (words.split == Split::kNot) {
      if (cell.empty()) place.fail_cell(options_.categorical[i], "given", cell);
      add_word(words, options_.lenient ? as_flag(cell) : cell);
      continue;
    }
    std::vector<std::string> all = words.split == Split::kText ? words_of_text(cell) : elements_of(cell, words.between);
    if (options_.names)
      builder_.named().add(words.name, FeatureValue(std::move(all)));
    else
      for (const std::string& word : all) add_word(words, word);
  }
}

// Of an event whose time is a date, too.
void CsvFeatures::read_dates(const Cells& cells, const TimeCell& event) {
  using namespace std::chrono;
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  for (std::size_t i = 0; i < dates_.size(); ++i) {
    const Date& date = dates_[i];
    TimeCell time;
    const std::string_view cell = cells[date.column];
    if (options_.is_empty(cell) || !(read_time_cell(cell, options_.dates, time) || read_compact_date(cell, time))) {
      for (const Words* words : {&date.hour, &date.weekday, &date.month})
        if (words != &date.hour || date.has_hour) add_missing(words->name);
      add_missing(date.days);
      continue;
    }
    const double local = time.seconds + time.zone;
    const sys_days day(days(static_cast<int>(std::floor(local / 86400))));
    const double seconds = local - 86400.0 * static_cast<double>(day.time_since_epoch().count());
    if (date.has_hour) add_word(date.hour, fmt::format("{}", static_cast<int>(seconds / 3600)));
    add_word(date.weekday, kDays[weekday(day).c_encoding()]);
    add_word(date.month, fmt::format("{}", static_cast<unsigned>(year_month_day(day).month())));
    add_number(static_cast<Index>(numeric_.size() + i), date.days, (event.seconds - time.seconds) / 86400);
  }
}

}  // namespace tarry::data
