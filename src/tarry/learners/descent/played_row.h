// The row that was played last: where its numbers are, and what was predicted. A label that comes before anything else
// is learnt needs neither again. A copy begins without one, since its numbers are elsewhere.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

class PlayedRow {
 public:
  static constexpr std::size_t kMost = 4096;  // entries; longer rows are not worth a copy

  PlayedRow() = default;
  PlayedRow(const PlayedRow&) {}
  PlayedRow& operator=(const PlayedRow&) {
    forget();
    return *this;
  }

  // Forgets what was there. Where the numbers of each entry are is for the caller to write.
  std::span<const double*> begin(std::size_t entries) {
    forget();
    at_.resize(entries);
    return at_;
  }
  void remember(const Covector& row, std::span<const double> predictions) {
    indices_.assign(row.indices().begin(), row.indices().end());
    values_.assign(row.values().begin(), row.values().end());
    predictions_.assign(predictions.begin(), predictions.end());
    offset_ = row.offset();
    known_ = true;
  }
  void forget() { known_ = false; }

  // Whether it is this one, bit for bit.
  bool is(const Covector& row) const {
    return known_ && row.offset() == offset_ && same(row.values(), values_) && same(row.indices(), indices_);
  }
  std::span<const double* const> at() const { return at_; }
  std::span<const double> predictions() const { return predictions_; }

 private:
  template <class T>
  static bool same(std::span<const T> a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
  }

  bool known_ = false;
  std::vector<Index> indices_;
  Index offset_ = 0;
  Vec values_, predictions_;
  std::vector<const double*> at_;
};

}  // namespace tarry
