// Some records of a table, copied: so that threads can go through their columns, each through some.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tarry::data {

class RecordBatch {
 public:
  explicit RecordBatch(std::size_t columns) : columns_(columns) {}

  // As many cells as there are columns; `line`: where it begins in its file.
  void add(const std::vector<std::string_view>& cells, std::size_t line) {
    for (const std::string_view cell : cells) {
      text_ += cell;
      ends_.push_back(text_.size());
    }
    lines_.push_back(line);
  }
  void clear() {
    text_.clear();
    ends_.resize(1);
    lines_.clear();
  }

  std::size_t size() const { return lines_.size(); }
  std::size_t bytes() const { return text_.size(); }
  std::size_t line(std::size_t record) const { return lines_[record]; }
  std::string_view cell(std::size_t record, std::size_t column) const {
    const std::size_t at = record * columns_ + column;
    return std::string_view(text_).substr(ends_[at], ends_[at + 1] - ends_[at]);
  }

 private:
  std::size_t columns_;
  std::string text_;                     // all cells
  std::vector<std::size_t> ends_ = {0};  // of each, the first behind where it begins
  std::vector<std::size_t> lines_;
};

}  // namespace tarry::data
