#include "tarry/data/formats/dataset_builder.h"

#include <algorithm>
#include <bit>

namespace tarry::data {

// The row under way in ascending order, entries of one index as one.
void DatasetBuilder::sum_up() {
  const auto indices = data_.sparse.open_indices();
  const auto values = data_.sparse.open_values();
  for (std::size_t j = 0; j < stored_.size(); ++j) row_.push_back({indices[j], values[j], stored_[j] != 0});
  data_.sparse.clear_open();
  const auto before = [](const Entry& a, const Entry& b) { return a.index < b.index; };
  if (!std::is_sorted(row_.begin(), row_.end(), before)) std::stable_sort(row_.begin(), row_.end(), before);
  for (std::size_t j = 0; j < row_.size();) {
    const Index index = row_[j].index;
    double sum = 0;
    bool stored = false;
    for (; j < row_.size() && row_[j].index == index; ++j) {
      sum += row_[j].value;
      stored = stored || row_[j].stored;
    }
    if (sum == 0 && !stored) continue;
    data_.sparse.add(index, sum);
  }
  row_.clear();
}

void DatasetBuilder::end_row(double label) {
  if (!ascending_) sum_up();
  stored_.clear();
  ascending_ = true;
  last_ = -1;
  if (has_names_) named().end_row();
  data_.sparse.end_row();
  data_.labels.push_back(label);
}

void DatasetBuilder::expect(double share) {
  constexpr std::size_t kMany = 4096;
  if (rows() < kMany || !std::has_single_bit(rows()) || share <= 0) return;
  data_.sparse.make_room(share);
}

void DatasetBuilder::end_row(double label, double event_time, double feedback_time) {
  end_row(label);
  data_.event_time.push_back(event_time);
  data_.feedback_time.push_back(feedback_time);
}

Dataset DatasetBuilder::take(Index dimension) {
  data_.dimension = dimension;
  return std::exchange(data_, {});
}

Dataset in_order(const Dataset& data, std::span<const std::size_t> rows) {
  Dataset picked;
  picked.dimension = data.dimension;
  picked.classes = data.classes;
  picked.numbers = data.numbers;
  picked.time_unit = data.time_unit;
  picked.without_time = data.without_time;
  picked.told = data.told;
  if (!data.named.empty()) picked.named = data.named.in_order(rows);
  for (const std::size_t row : rows) {
    data.features(row).each([&](Index index, double value) { picked.sparse.add(index, value); });
    picked.sparse.end_row();
    picked.labels.push_back(data.labels[row]);
    if (!data.has_times()) continue;
    picked.event_time.push_back(data.event_time[row]);
    picked.feedback_time.push_back(data.feedback_time[row]);
    if (!data.due_time.empty()) picked.due_time.push_back(data.due_time[row]);
  }
  return picked;
}

Dataset with_intercept(Dataset data) {
  SparseRows wider;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    data.features(row).each([&](Index index, double value) { wider.add(index, value); });
    wider.add(data.dimension, 1);
    wider.end_row();
  }
  data.sparse = std::move(wider);
  ++data.dimension;
  return data;
}

}  // namespace tarry::data
