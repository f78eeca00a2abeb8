// Counts how the cells of a column are numbers, until it can be decided how all of them are written.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tarry/data/text/number_cell.h"

namespace tarry::data {

// A cell that is not like the others of its column.
struct OddCell {
  std::size_t line = 0;  // 0: there is none
  std::string text = {};
};

// A word that says that there is no number: n/a, unknown, -, #DIV/0!.
bool says_nothing(std::string_view cell);

class NumberTally {
 public:
  // Whether the cell is a number under some habit.
  bool add(std::string_view cell, std::size_t line);

  // What shows whether decimals follow a comma or a point.
  bool needs_comma() const { return comma_.cells > point_.cells; }
  bool needs_point() const { return point_.cells > comma_.cells; }
  bool grouped() const { return grouped_; }

  struct Decided {
    NumberStyle style;
    std::size_t cells = 0;    // that are numbers in it
    std::size_t nothing = 0;  // that say that there is none
    double least = 0, most = 0;
    std::vector<OddCell> odd = {};        // the first of the others, each text once
    std::vector<std::string> units = {};  // all that were seen, four at most
    bool codes = false;                   // 00123
    OddCell limit = {};                   // the first such as <0.5
    bool one_word = false;  // amounts with decimals or units, and one word again and again: it says nothing
  };
  // `comma`: what to assume where the cells show nothing.
  Decided decide(bool comma) const;

  static constexpr std::size_t kOdd = 3;

 private:
  struct Habit {
    std::size_t cells = 0;
    double least = 0, most = 0;
    std::vector<OddCell> odd = {};

    void add(double x);
    void add_odd(std::string_view cell, std::size_t line);
  };
  struct Unit {
    std::string name;
    std::size_t cells;
    OddCell first;
  };

  Decided decide_lengths() const;
  void add_unit(const std::string& name, std::string_view cell, std::size_t line);

  Habit point_, comma_;
  Habit lengths_;                 // of time,
  std::size_t plainly_ = 0;       // those that can be nothing else
  std::vector<Unit> units_;       // the first few
  std::vector<OddCell> nothing_;  // the first of each word that says that there is none
  std::size_t nothing_cells_ = 0;
  std::size_t leading_zeros_ = 0;
  std::size_t minus_behind_ = 0;
  std::size_t limits_ = 0;
  OddCell limit_;
  bool plain_ = true;     // read_number reads every cell that is a number
  bool grouped_ = false;  // some cell may have its thousands divided
};

}  // namespace tarry::data
