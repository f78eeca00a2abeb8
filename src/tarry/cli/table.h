// Text tables for the terminal, aligned by what is seen, not by bytes.
#pragma once

#include <string>
#include <vector>

namespace tarry::cli {

// How many columns a terminal needs for UTF-8 text without combining or wide characters.
std::size_t shown_width(const std::string& text);
std::string padded(const std::string& text, std::size_t width);       // to the left
std::string padded_left(const std::string& text, std::size_t width);  // to the right

// Columns as wide as their widest cell; numbers to the right.
class Table {
 public:
  struct Column {
    std::string head;
    bool numeric = false;
    bool spare = false;  // goes first where there is no room
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;
  // Leaves spare columns out, from the last on, until lines are no longer than `width` (0: any length), and returns how
  // many that took.
  std::size_t fit(std::size_t width);

 private:
  std::vector<std::size_t> widths() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Four significant digits, without an exponent where that can be read.
std::string short_number(double x);

}  // namespace tarry::cli
