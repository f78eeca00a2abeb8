#include "tarry/data/infer/label_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tarry/data/infer/column_names.h"
#include "tarry/features/label_value.h"

namespace tarry::data {
namespace {

// In small letters, with spaces for underscores.
std::string folded(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? ' ' : c;
  });
  return text;
}

bool is_flag(const std::string& word) { return std::holds_alternative<bool>(plain_label(word)); }

bool says_yes(const std::string& word) {
  if (plain_label(word) == LabelValue(true)) return true;
  const std::vector<std::string> words = words_of(word);
  return words.size() == 1 && (words[0] == "ja" || words[0] == "oui" || words[0] == "si" || words[0] == "s\xC3\xAD" ||
                               words[0] == "sim" || words[0] == "tak" || words[0] == "igen");
}

// One of two words says that the other is not the case: unpaid, not returned, no show.
bool negates(const std::string& word, const std::string& other) {
  const std::string a = folded(word), b = folded(other);
  for (const std::string_view no : {"un", "not ", "non", "non-", "no ", "in", "dis", "not-", "no-"})
    if (a.size() == no.size() + b.size() && a.starts_with(no) && a.ends_with(b)) return true;
  return false;
}

// The first of each is what is looked for: what was wanted, or what went another way than usual.
struct Opposites {
  std::string_view plus, minus;
};
constexpr std::array<Opposites, 44> kOpposites = {{{"approved", "declined"},
                                                   {"approved", "rejected"},
                                                   {"approved", "denied"},
                                                   {"approve", "decline"},
                                                   {"approve", "reject"},
                                                   {"accepted", "rejected"},
                                                   {"accepted", "declined"},
                                                   {"accept", "reject"},
                                                   {"won", "lost"},
                                                   {"win", "loss"},
                                                   {"win", "lose"},
                                                   {"closed won", "closed lost"},
                                                   {"paid", "defaulted"},
                                                   {"paid", "open"},
                                                   {"paid", "overdue"},
                                                   {"fully paid", "charged off"},
                                                   {"pass", "fail"},
                                                   {"passed", "failed"},
                                                   {"success", "failure"},
                                                   {"succeeded", "failed"},
                                                   {"good", "bad"},
                                                   {"hit", "miss"},
                                                   {"met", "missed"},
                                                   {"met", "breached"},
                                                   {"returned", "kept"},
                                                   {"churned", "active"},
                                                   {"churned", "retained"},
                                                   {"churned", "stayed"},
                                                   {"left", "active"},
                                                   {"left", "stayed"},
                                                   {"fraud", "legit"},
                                                   {"fraud", "ok"},
                                                   {"fraud", "genuine"},
                                                   {"spam", "ham"},
                                                   {"late", "on time"},
                                                   {"late", "in time"},
                                                   {"delayed", "on time"},
                                                   {"canceled", "check-out"},
                                                   {"cancelled", "completed"},
                                                   {"canceled", "completed"},
                                                   {"malignant", "benign"},
                                                   {"sick", "healthy"},
                                                   {"\xF0\x9F\x91\x8D", "\xF0\x9F\x91\x8E"},
                                                   {"\xE2\x9C\x93", "\xE2\x9C\x97"}}};

bool are_opposites(const std::string& plus, const std::string& minus) {
  const std::string a = folded(plus), b = folded(minus);
  return std::any_of(kOpposites.begin(), kOpposites.end(),
                     [&](const Opposites& pair) { return a == pair.plus && b == pair.minus; });
}

// Which of two words is +1: the one that says yes, that the other negates, that is known as the other's opposite, or
// that the column is named after; else the later by alphabet.
std::string positive_of(const std::string& a, const std::string& b, const std::string& column) {
  if (says_yes(a) != says_yes(b)) return says_yes(a) ? a : b;
  if (negates(a, b) != negates(b, a)) return negates(a, b) ? b : a;
  if (are_opposites(a, b) || are_opposites(b, a)) return are_opposites(a, b) ? a : b;
  const bool first = share_a_word(a, column), second = share_a_word(b, column);
  if (first != second) return first ? a : b;
  return std::max(a, b);
}

// Beside yes and no.
bool is_no_label(const std::string& word) {
  static constexpr std::array<std::string_view, 7> kOpen = {
      "pending", "open", "undecided", "in progress", "in-progress", "undecided", "to be determined"};
  return says_nothing(word) || std::find(kOpen.begin(), kOpen.end(), folded(word)) != kOpen.end();
}

}  // namespace

LabelWords label_words(const std::vector<std::string>& cells) {
  LabelWords words;
  std::map<std::string, std::string> first;  // by what it is in small letters
  for (const std::string& cell : cells) {
    const bool letter = cell.size() == 1 && !is_flag(cell);  // a and A may be two
    const auto [known, is_new] = first.emplace(letter ? cell : folded(cell), cell);
    if (is_new)
      words.values.push_back(cell);
    else
      words.spellings.emplace(cell, known->second);
  }
  std::vector<std::string> said, none;
  for (const std::string& value : words.values) (is_no_label(value) ? none : said).push_back(value);
  if (said.size() == 2 && !none.empty() && std::all_of(said.begin(), said.end(), is_flag) && are_two_classes(said)) {
    words.values = std::move(said);
    words.none = std::move(none);
  }
  return words;
}

bool are_two_classes(const std::vector<std::string>& values) {
  if (!values.empty() && std::all_of(values.begin(), values.end(), is_flag)) return true;
  bool zero = false, minus = false, one = false;
  for (const std::string& value : values) {
    const LabelValue label = plain_label(value);
    const auto* flag = std::get_if<bool>(&label);
    const auto* number = std::get_if<double>(&label);
    const double x = flag != nullptr ? *flag : number != nullptr ? *number : 2;
    if (x != 0 && x != 1 && x != -1) return false;
    (x == 0 ? zero : x == 1 ? one : minus) = true;
  }
  return one && zero != minus;
}

bool are_two_numbers(const ColumnProfile& label) {
  constexpr std::size_t kFewest = 6;
  if (label.values.size() != 2 || label.given < kFewest || !label.numbers() || !label.style.plain) return false;
  return std::all_of(label.values.begin(), label.values.end(), [](const std::string& value) {
    double x = 0;
    return read_number(value, x) && x == std::round(x) && value.find_first_of(".eE") == std::string::npos;
  });
}

bool has_several_currencies(const ColumnProfile& column) {
  return column.units.size() > 1 && std::all_of(column.units.begin(), column.units.end(), is_money);
}

std::string opposite(const std::string& word) {
  const LabelValue value = plain_label(word);
  if (const auto* flag = std::get_if<bool>(&value)) {
    const bool capital = word.front() >= 'A' && word.front() <= 'Z';
    const bool letter = word.size() == 1;
    if (letter) return capital ? "N" : "n";
    if (word.size() == 3) return capital ? "No" : "no";
    return *flag ? "false" : "true";
  }
  return word == "1" ? "0" : "not " + word;
}

void ask_for_deadline(const std::string& word, const ColumnProfile& label, const std::string& feedback,
                      Questions& questions) {
  std::vector<std::string> others;
  for (const std::string& value : label_words(label.values).values)
    if (folded(value) != folded(word)) others.push_back(value);
  if (others.empty()) others.push_back(opposite(word));
  std::vector<std::string> lines;
  for (const std::string& other : others)
    lines.push_back(fmt::format("expiry = {{ days = 30, label = {} }}", quoted(other)));
  questions.ask_lines("expiry",
                      fmt::format("after how many days a row without {} counts as {} (expiry), since only {} ever has "
                                  "a time",
                                  feedback, others.front(), quoted(word)),
                      std::move(lines));
}

void refuse_words(const ColumnProfile& label, const Questions& questions) {
  const auto& values = label.values;
  if (label.mostly_numbers())
    questions.fail(label.not_number.line, fmt::format("{} must be a number, as in the other rows ({} came)", label.name,
                                                      quoted(label.not_number.text)));
  questions.fail(
      fmt::format("{} has {} ({}…): predictions are of 2 to {} classes, or of numbers; positive = {} makes it that "
                  "word against all others, label = \"…\" names another column",
                  label.name, values.size() == 1 ? "one word only" : "too many words",
                  fmt::join(values.begin(), values.begin() + std::min<long>(3, std::ssize(values)), ", "),
                  ColumnProfile::kValues - 1, quoted(values.front())));
}

LabelKind kind_of_labels(std::vector<std::string> values, bool numbers, const LossNames& usual,
                         const std::string& column, bool all_classes) {
  if (all_classes) {
    std::sort(values.begin(), values.end());
    return {usual.classes, std::nullopt, std::move(values)};
  }
  if (!numbers && values.size() == 2) return {usual.two_classes, positive_of(values[0], values[1], column)};
  if (are_two_classes(values)) return {usual.two_classes};
  if (numbers) return {usual.numbers};
  std::sort(values.begin(), values.end());
  return {usual.classes, std::nullopt, std::move(values)};
}

}  // namespace tarry::data
