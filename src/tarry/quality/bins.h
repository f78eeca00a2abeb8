// The values of a column in a few bins: of numbers by quantiles, of words the most frequent ones. Learnt from a sample
// of what came first, then fixed. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarry/base/bytes.h"

namespace tarry::quality {

inline constexpr std::size_t kBins = 10, kValueBins = 8;
inline constexpr std::size_t kOtherBin = 8, kMissingBin = 9;  // a value of no bin; none
using BinCounts = std::array<float, kBins>;

using ColumnValue = std::variant<double, std::string_view>;

// What is in a bin: of numbers an interval, [low, high).
struct BinName {
  enum Kind : std::uint8_t { kBetween, kBelow, kFrom, kIs, kOther, kMissing } kind = kOther;
  double low = 0, high = 0;
  std::string word = {};

  bool operator==(const BinName&) const = default;
};

class Bins {
 public:
  static constexpr std::size_t kSample = 256;

  // Before fix(): one more value to learn from; each is kept with the same probability.
  void learn(const ColumnValue& value, double uniform);
  double learnt() const { return seen_; }
  void fix();
  bool fixed() const { return fixed_; }
  std::size_t bin_of(const ColumnValue& value) const;  // once fixed
  BinName name_of(std::size_t bin) const;

  void save(ByteWriter& out) const;
  static Bins load(ByteReader& in);

 private:
  bool fixed_ = false;
  double seen_ = 0;
  std::vector<double> numbers_;     // the sample; then ascending cuts
  std::vector<std::string> words_;  // the sample; then the most frequent words
};

}  // namespace tarry::quality
