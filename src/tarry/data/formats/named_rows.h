// Rows by name in little memory: names and words are kept once, however many rows have them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarry/features/named.h"

namespace tarry::data {

class NamedRows {
 public:
  using Name = std::uint32_t;

  Name name(std::string_view text) { return texts_->names.number(text); }

  // A feature of the row under way.
  void add(Name name, double value) { cells_.push_back({name, kNumber, value}); }
  void add(Name name, std::string_view word) {
    cells_.push_back({name, kWord, static_cast<double>(texts_->words.number(word))});
  }
  void add_missing(Name name) { cells_.push_back({name, kMissing, 0}); }
  void add(Name name, FeatureValue value);
  void end_row() { begin_.push_back(cells_.size()); }

  bool empty() const { return begin_.size() == 1; }
  std::size_t size() const { return begin_.size() - 1; }

  // Row `row`, into features whose memory is used again.
  void write(std::size_t row, NamedFeatures& into) const;

  NamedRows in_order(std::span<const std::size_t> rows) const;  // the given rows in the given order

 private:
  enum Kind : std::uint8_t { kMissing, kNumber, kWord, kOther };
  struct Cell {
    Name name;
    Kind kind;
    double value;  // or the place among words, or others
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

  struct Both {
    Texts names, words;
  };

  std::shared_ptr<Both> texts_ = std::make_shared<Both>();  // copies of these rows share them
  std::vector<FeatureValue> others_;                        // flags and lists
  std::vector<Cell> cells_;
  std::vector<std::size_t> begin_{0};
};

}  // namespace tarry::data
