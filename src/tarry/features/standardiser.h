// Features brought to a common size as they come, so that one rule of steps suits all of them.
//
// A named number is centred and divided by its standard deviation over the rows that had it; where it is missing, it
// says nothing. Of other features, in which absent means 0, one is frequent from when it is non-zero in more than half
// of the rows so far until it is in less than two fifths: it is centred and divided by its deviation, its zeros
// included. A rarer one, an indicator or a hashed word, is only divided by the root mean square of its non-zero values,
// which keeps rows sparse. What has not varied yet says nothing and counts as 0, unless it is 1 in every row, an
// intercept. A value far beyond all that came before, and beyond five deviations, is taken as less: twice the largest
// so far, so that one absurd value spoils neither the deviation nor a weight. A row is prepared with what was seen up
// to itself, and keeps its form for the label (docs/theory.md says what is guaranteed).
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/features/row.h"
#include "tarry/linalg/sparse/paged.h"
#include "tarry/linalg/standard_kernel.h"

namespace tarry {

class Standardiser {
 public:
  explicit Standardiser(Index dimension) : dimension_(dimension) {}

  // Counts the row, then gives it prepared: indices ascending.
  void prepare(const RowView& row, std::vector<Index>& indices, Vec& values);
  // Prepares without counting: what was never seen is left out.
  void view(const RowView& row, std::vector<Index>& indices, Vec& values) const;

  // Of a named number over the rows that had it; a deviation of 0 where it has not varied.
  struct Spread {
    double mean = 0, deviation = 0;
  };
  Spread spread(Index slot) const;

  // Rows that were counted, and those that had a value here which was not 0; of a named number, any value.
  std::uint64_t rows() const { return static_cast<std::uint64_t>(rows_); }
  std::uint64_t rows_with(Index slot) const {
    const Seen* seen = seen_.find(slot);
    return seen != nullptr ? seen->count() : 0;
  }

  std::size_t bytes() const { return seen_.bytes(); }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // into one made alike; on error it must not be used further

 private:
  // Half a cache line: rows of many rare features are spent on fetching these.
  struct Seen {
    // Of rows where it was not 0, or of a named number where it was there: 51 bits. Then 12 of `size`, and one that
    // says whether it is in frequent_.
    std::uint64_t counts = 0;
    double first = 0;    // its first value: sums are taken from there, so that an offset costs no digits
    double sum = 0;      // Σ (value − first) over those rows
    double squares = 0;  // Σ (value − first)²

    std::uint64_t count() const { return counts & kCount; }
    // A power of two that no |value − first| has exceeded, as its exponent + kExponents.
    std::uint64_t size() const { return (counts & ~kFrequent) >> 51; }
    bool frequent() const { return counts >= kFrequent; }
    void set_size(std::uint64_t size) { counts = (counts & (kFrequent | kCount)) | size << 51; }
    void set_frequent(bool is) { counts = (counts & ~kFrequent) | (is ? kFrequent : 0); }

   private:
    static constexpr std::uint64_t kFrequent = std::uint64_t{1} << 63, kCount = (std::uint64_t{1} << 51) - 1;
  };
  struct Prepared;
  // Numbers and frequent features of one row, so many at a time, side by side for the kernel.
  struct Together {
    static constexpr std::size_t kMost = 64;
    struct Feature {
      Seen* seen;
      std::size_t place;  // in the prepared row
    };
    std::size_t size = 0;
    std::vector<kernels::StandardBlock> blocks;
    std::vector<Feature> features;

    void add(Seen& x, double value, bool number, double rows, std::size_t place);
  };
  void prepare_one(Index i, double value, bool number, Seen* x, Prepared& to);
  void settle(Prepared& to);
  Index frequent_at(std::size_t next) const;
  void add_absent(Index end, Prepared& to);
  static void count(Seen& x, double value);
  double prepared(const Seen& x, double value, bool number) const;
  bool is_frequent(const Seen& x) const;
  double standardised(const Seen& x, double value) const;
  static double standardised_number(const Seen& x, double value);
  static double scaled(const Seen& x, double value);
  static double within(const Seen& x, double value, double times);
  static void grow(Seen& x, double value);

  Index dimension_;
  double rows_ = 0;
  Paged<Seen> seen_;
  std::vector<Index> frequent_;  // ascending
  std::vector<Seen*> at_;        // of one row, null where it was never seen: its memory is used again
  Together together_;            // the same
};

}  // namespace tarry
