#include "tarry/trees/bins.h"

#include <algorithm>
#include <utility>

namespace tarry::trees {
namespace {

constexpr std::size_t kRowsAStep = 256;
constexpr std::size_t kSampled = 4096;  // rows that cuts are made from
constexpr std::size_t kFewest = 10;     // rows that have a slot, for it to be a column

// Most often a row has all columns, and its slots are theirs.
float value_at(const KeptRow& row, std::uint32_t slot, std::size_t guess) {
  if (guess < row.slots.size() && row.slots[guess] == slot) return row.values[guess];
  const auto at = std::lower_bound(row.slots.begin(), row.slots.end(), slot);
  return at != row.slots.end() && *at == slot ? row.values[static_cast<std::size_t>(at - row.slots.begin())] : 0.0F;
}

// Between two neighbours, at or above the lower one.
float between(float low, float high) {
  const float middle = low + (high - low) / 2;
  return middle < high && middle >= low ? middle : low;
}

// As many rows in each bin as can be; a value that many rows have is a bin of its own.
std::vector<float> cuts_of(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  std::vector<float> cuts;
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < values.size(); ++i) distinct += i == 0 || values[i] != values[i - 1] ? 1 : 0;
  const bool all = distinct <= Bins::kMost;
  for (std::size_t i = 0, begin = 0; i + 1 < values.size() && cuts.size() + 1 < Bins::kMost; ++i) {
    if (values[i] == values[i + 1]) continue;
    const std::size_t bins_left = Bins::kMost - cuts.size(), left = values.size() - begin;
    if (!all && (i + 1 - begin) * bins_left < left) continue;
    cuts.push_back(between(values[i], values[i + 1]));
    begin = i + 1;
  }
  return cuts;
}

}  // namespace

std::size_t Bins::work(const KeptRows& kept) {
  if (counted_ < rows_) return count(kept);
  if (cuts_.size() < slots_.size()) return cut_column(kept);
  return filled_ < rows_ && !slots_.empty() ? fill(kept) : 0;
}

std::size_t Bins::count(const KeptRows& kept) {
  const std::size_t end = std::min(rows_, counted_ + kRowsAStep), begin = counted_;
  for (; counted_ < end; ++counted_) {
    auto next = rows_with_.begin();  // the one behind the last is most often there
    for (std::uint32_t slot : kept.row(first_ + counted_).slots) {
      if (next == rows_with_.end() || next->first != slot) next = rows_with_.try_emplace(slot).first;
      ++next->second;
      ++next;
    }
  }
  if (counted_ == rows_) choose();
  return end - begin;
}

// The slots that most rows have.
void Bins::choose() {
  std::vector<std::pair<std::size_t, std::uint32_t>> all;
  for (const auto& [slot, rows] : rows_with_)
    if (rows >= kFewest) all.emplace_back(rows, slot);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  all.resize(std::min(all.size(), kMostColumns));
  for (const auto& [rows, slot] : all) slots_.push_back(slot);
  std::sort(slots_.begin(), slots_.end());
  rows_with_.clear();
  if (slots_.empty()) ends_.assign(rows_ + 1, 0);
}

std::size_t Bins::cut_column(const KeptRows& kept) {
  const std::size_t sampled = std::min(rows_, kSampled);
  std::vector<float> values;
  values.reserve(sampled);
  for (std::size_t i = 0; i < sampled; ++i)
    values.push_back(value_at(kept.row(first_ + i * rows_ / sampled), slots_[cuts_.size()], cuts_.size()));
  cuts_.push_back(cuts_of(std::move(values)));
  if (cuts_.size() == slots_.size()) {
    for (std::size_t c = 0; c < columns(); ++c) {
      zero_.push_back(bin_of(c, 0));
      offsets_.push_back(offsets_.back() + cuts(c) + 1);
    }
    bytes_.reserve(rows_ * columns());
    for (std::size_t c = 0; c < columns(); ++c) bytes_.resize((c + 1) * rows_, zero_[c]);
  }
  return sampled;
}

// How many cuts are below the value, by halves and without branches: which half it is in is hard to foresee.
std::uint8_t Bins::bin_of(std::size_t column, float value) const {
  const float* const cuts = cuts_[column].data();
  const float* at = cuts;
  std::size_t left = cuts_[column].size();
  for (; left > 1; left -= left / 2) at += left / 2 * (at[left / 2 - 1] < value ? 1 : 0);
  return static_cast<std::uint8_t>(at - cuts + (left == 1 && *at < value ? 1 : 0));
}

std::size_t Bins::fill(const KeptRows& kept) {
  const std::size_t end = std::min(rows_, filled_ + kRowsAStep), begin = filled_;
  for (; filled_ < end; ++filled_) {
    const KeptRow row = kept.row(first_ + filled_);
    for (std::size_t i = 0, c = 0; i < row.slots.size() && c < columns(); ++i) {
      while (c < columns() && slots_[c] < row.slots[i]) ++c;
      if (c == columns() || slots_[c] != row.slots[i]) continue;
      const std::uint8_t bin = bin_of(c, row.values[i]);
      bytes_[c * rows_ + filled_] = bin;
      if (bin != zero_[c]) entries_.push_back(static_cast<std::uint16_t>(offsets_[c] + bin));
    }
    while (entries_.size() % kTogether != 0)
      entries_.push_back(static_cast<std::uint16_t>(all() + entries_.size() % kTogether));
    ends_.push_back(entries_.size());
  }
  return end - begin;
}

}  // namespace tarry::trees
