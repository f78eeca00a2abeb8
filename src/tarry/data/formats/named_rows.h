// Rows by name in little memory: names and words are kept once, however many rows have them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/features/named.h"
#include "tarry/linalg/covector.h"

namespace tarry::data {

class NamedRows {
 public:
  using Name = std::uint32_t;

  Name name(std::string_view text) { return texts_->names.number(text); }

  // A feature of the row under way.
  void add(Name name, double value) { cells_.push_back({name, kNumber, value}); }
  void add(Name name, std::string_view word);
  void add_missing(Name name) { cells_.push_back({name, kMissing, 0}); }
  void add(Name name, FeatureValue value);
  void end_row() { begin_.push_back(cells_.size()); }

  bool empty() const { return begin_.size() == 1; }
  std::size_t size() const { return begin_.size() - 1; }

  // Row `row`, into features whose memory is used again.
  void write(std::size_t row, NamedFeatures& into) const;

  // How the same rows are numbers: a number is the feature of its column, a word 1 in slot fnv1a("column=word"). In
  // each row the numbers come first, in the order of their places.
  struct Numbering {
    std::vector<Index> place;          // by name: of a column's numbers
    std::vector<std::uint64_t> hash;   // by name: of "column="
    Index words_begin = 0, slots = 1;  // those of words
    Index intercept = -1;              // one more feature, the constant 1; −1: there is none
    bool zeros = false;                // whether a number 0 is stored, and so told from one that is missing
  };
  void number(Numbering numbering) { numbering_ = std::move(numbering); }  // before the first row
  bool numbered() const { return numbering_.has_value(); }
  // Row `row` as numbers, ascending; slots that words share add up.
  void write(std::size_t row, std::vector<Index>& indices, Vec& values) const;

  NamedRows in_order(std::span<const std::size_t> rows) const;  // the given rows in the given order

 private:
  Index slot_of(Name name, std::string_view word) const;

  enum Kind : std::uint8_t { kMissing, kNumber, kWord, kOther };
  struct Cell {
    Name name;
    Kind kind;
    double value;  // or the place among its column's words, or among others
  };

  // Texts, numbered as they come.
  class Texts {
   public:
    std::uint32_t number(std::string_view text);
    const std::string& operator[](std::uint32_t number) const { return *texts_[number]; }

   private:
    struct Hash {
      using is_transparent = void;
      std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> texts_;  // keys of the map, which do not move
  };

  struct Words {
    Texts texts;
    std::vector<Index> slots;  // of each, where rows are numbered: hashed once, not once for each row that has it
  };

  struct Both {
    Texts names;
    std::deque<Words> words;  // by name, up to the last that has any
  };

  std::shared_ptr<Both> texts_ = std::make_shared<Both>();  // copies of these rows share them
  std::vector<FeatureValue> others_;                        // flags and lists
  std::vector<Cell> cells_;
  std::vector<std::size_t> begin_{0};
  std::optional<Numbering> numbering_;
};

}  // namespace tarry::data
