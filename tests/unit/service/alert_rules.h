// Rules as deploy/alerts.yml has them, and whether they hold over what /metrics told: as much of PromQL as rules about
// models need. Differs from Prometheus: increase() does not extrapolate to the ends of its range.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tarry::alerts {

using Labels = std::map<std::string, std::string>;
using Vector = std::map<Labels, double>;

struct Scrape {
  std::int64_t at_ms = 0;
  std::map<std::string, Vector> metrics = {};
};

inline Labels read_labels(const std::string& text) {
  Labels labels;
  for (std::size_t at = text.find_first_not_of("{, "); at != std::string::npos && text[at] != '}';) {
    const std::size_t quote = text.find("=\"", at), end = text.find('"', quote + 2);
    if (quote == std::string::npos || end == std::string::npos) throw std::runtime_error("alerts: labels: " + text);
    labels[text.substr(at, quote - at)] = text.substr(quote + 2, end - quote - 2);
    at = text.find_first_not_of(", ", end + 1);
  }
  return labels;
}

// Of metrics whose names begin so.
inline Scrape read_metrics(std::int64_t at_ms, const std::string& text, const std::string& about) {
  Scrape scrape{at_ms};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(about)) continue;
    const std::size_t space = line.rfind(' '), brace = std::min(line.find('{'), space);
    scrape.metrics[line.substr(0, brace)][read_labels(line.substr(brace, space - brace))] =
        std::stod(line.substr(space + 1));
  }
  return scrape;
}

inline std::int64_t read_duration(const std::string& text) {
  const std::map<char, std::int64_t> units{{'s', 1000}, {'m', 60'000}, {'h', 3'600'000}, {'d', 86'400'000}};
  return std::stoll(text) * units.at(text.back());
}

// An expression over the last of some scrapes, and for ranges over those before.
class Expression {
 public:
  Expression(const std::string& text, const std::deque<Scrape>& scrapes) : text_(text), scrapes_(scrapes) {}

  // What it selects; of "a < 2" those rows of a that are.
  Vector rows() {
    at_ = 0;
    const Value found = either();
    if (take_space(); at_ != text_.size()) fail();
    return found.rows;
  }

 private:
  struct Value {
    bool is_number = false;
    double number = 0;
    Vector rows = {};
  };

  [[noreturn]] void fail() const {
    throw std::runtime_error("alerts: cannot read \"" + text_.substr(at_) + "\" of \"" + text_ + "\"");
  }
  void take_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(const std::string& wanted) {
    take_space();
    const bool word = std::isalpha(static_cast<unsigned char>(wanted.front())) != 0;
    const std::size_t end = at_ + wanted.size();
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    if (word && end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      return false;
    at_ = end;
    return true;
  }
  std::string until(char end) {
    const std::size_t from = at_;
    at_ = text_.find(end, from);
    if (at_ == std::string::npos) fail();
    return text_.substr(from, at_++ - from);
  }

  Value either() {
    Value left = both();
    while (take("or"))
      for (const auto& row : both().rows) left.rows.insert(row);
    return left;
  }
  Value both() {
    Value left = compared();
    while (take("and")) {
      const Value right = compared();
      std::erase_if(left.rows, [&](const auto& row) { return !right.rows.contains(row.first); });
    }
    return left;
  }
  Value compared() {
    const Value left = sum();
    if (take("=="))
      return joined(
          left, sum(), [](double a, double b) { return a == b; }, true);
    if (take("<"))
      return joined(
          left, sum(), [](double a, double b) { return a < b; }, true);
    if (take(">"))
      return joined(
          left, sum(), [](double a, double b) { return a > b; }, true);
    return left;
  }
  Value sum() {
    Value left = product();
    for (;;) {
      if (take("+"))
        left = joined(
            left, product(), [](double a, double b) { return a + b; }, false);
      else if (take("-"))
        left = joined(
            left, product(), [](double a, double b) { return a - b; }, false);
      else
        return left;
    }
  }
  Value product() {
    Value left = one();
    while (take("*"))
      left = joined(
          left, one(), [](double a, double b) { return a * b; }, false);
    return left;
  }
  // Of rows with the same labels; a comparison leaves the left ones for which it is true.
  template <class F>
  static Value joined(const Value& left, const Value& right, F f, bool compares) {
    if (left.is_number && right.is_number) return {true, static_cast<double>(f(left.number, right.number))};
    Value found;
    for (const auto& [labels, number] : (left.is_number ? right : left).rows) {
      const auto other = right.rows.find(labels);
      if (!left.is_number && !right.is_number && other == right.rows.end()) continue;
      const double a = left.is_number ? left.number : number;
      const double b = right.is_number ? right.number : other->second;
      const auto result = f(a, b);
      if (!compares) found.rows[labels] = static_cast<double>(result);
      if (compares && result) found.rows[labels] = number;
    }
    return found;
  }
  Value one() {
    take_space();
    if (take("(")) {
      Value inner = either();
      if (!take(")")) fail();
      return inner;
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      std::size_t length = 0;
      const double number = std::stod(text_.substr(at_), &length);
      at_ += length;
      return {true, number};
    }
    for (const char* name : {"increase", "avg_over_time", "count_over_time"})
      if (take(name)) return over_time(name);
    const Selector selector = read_selector();
    Value found;
    selector.each(scrapes_.back(), [&](const Labels& labels, double number) { found.rows[labels] = number; });
    return found;
  }

  struct Selector {
    std::string name;
    std::map<std::string, std::regex> labels = {};

    template <class F>
    void each(const Scrape& scrape, F f) const {
      const auto metric = scrape.metrics.find(name);
      if (metric == scrape.metrics.end()) return;
      for (const auto& [of, number] : metric->second)
        if (std::all_of(labels.begin(), labels.end(), [&of = of](const auto& one) {
              const auto label = of.find(one.first);
              return label != of.end() && std::regex_match(label->second, one.second);
            }))
          f(of, number);
    }
  };
  Selector read_selector() {
    take_space();
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    Selector selector{text_.substr(from, at_ - from)};
    if (!selector.name.starts_with("tarry_")) fail();
    if (take("{"))
      for (const auto& [name, value] : read_labels(std::regex_replace(until('}'), std::regex("=~"), "=")))
        selector.labels.emplace(name, value);
    return selector;
  }
  Value over_time(const std::string& function) {
    if (!take("(")) fail();
    const Selector selector = read_selector();
    if (!take("[")) fail();
    const std::int64_t range = read_duration(until(']'));
    std::int64_t offset = 0;
    if (take("offset")) {
      take_space();
      offset = read_duration(until(')'));
    } else if (!take(")")) {
      fail();
    }
    std::map<Labels, std::vector<double>> all;
    const std::int64_t end = scrapes_.back().at_ms - offset;
    for (const Scrape& scrape : scrapes_)
      if (scrape.at_ms > end - range && scrape.at_ms <= end)
        selector.each(scrape, [&](const Labels& labels, double number) { all[labels].push_back(number); });
    Value found;
    for (const auto& [labels, numbers] : all) {
      double total = 0;
      for (const double number : numbers) total += number;
      const auto count = static_cast<double>(numbers.size());
      found.rows[labels] = function == "increase"        ? numbers.back() - numbers.front()
                           : function == "avg_over_time" ? total / count
                                                         : count;
    }
    return found;
  }
  const std::string& text_;
  const std::deque<Scrape>& scrapes_;
  std::size_t at_ = 0;
};

struct Rule {
  std::string name = {}, expression = {};
  std::int64_t for_ms = 0;
};

// Those whose expression names a metric that begins so.
inline std::vector<Rule> read_rules(const std::string& path, const std::string& about) {
  std::ifstream file(path);
  std::vector<Rule> rules;
  bool in_expression = false;
  for (std::string line; std::getline(file, line);) {
    const std::size_t from = line.find_first_not_of(' ');
    const std::string text = from == std::string::npos ? "" : line.substr(from);
    const auto value_of = [&](const std::string& key) { return text.substr(std::min(text.size(), key.size())); };
    if (text.starts_with("- alert: ")) rules.push_back({.name = value_of("- alert: ")});
    if (rules.empty()) continue;
    if (text.starts_with("for: ") || text.starts_with("labels: ")) in_expression = false;
    if (text.starts_with("for: ")) rules.back().for_ms = read_duration(value_of("for: "));
    if (in_expression) rules.back().expression += text + " ";
    if (text.starts_with("expr: ")) {
      in_expression = value_of("expr: ") == "|";
      if (!in_expression) rules.back().expression = value_of("expr: ");
    }
  }
  std::erase_if(rules, [&](const Rule& rule) { return rule.expression.find(about) == std::string::npos; });
  return rules;
}

}  // namespace tarry::alerts
