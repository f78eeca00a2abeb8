#include "tarry/data/formats/dataset_builder.h"

#include <algorithm>

namespace tarry::data {

// Entries that come in ascending order, each once, as those of most files do.
bool DatasetBuilder::add_ascending() {
  const auto not_after = [](const Entry& a, const Entry& b) { return a.index >= b.index; };
  if (std::adjacent_find(row_.begin(), row_.end(), not_after) != row_.end()) return false;
  for (const Entry& entry : row_) {
    if (entry.value == 0 && !entry.stored) continue;
    data_.indices.push_back(entry.index);
    data_.values.push_back(0 + entry.value);  // as a sum: −0 is 0
  }
  return true;
}

void DatasetBuilder::add_summed() {
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
    data_.indices.push_back(index);
    data_.values.push_back(sum);
  }
}

void DatasetBuilder::end_row(double label) {
  if (!add_ascending()) add_summed();
  row_.clear();
  if (has_names_) named().end_row();
  data_.begin.push_back(data_.indices.size());
  data_.labels.push_back(label);
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
    const Covector features = data.features(row);
    picked.indices.insert(picked.indices.end(), features.indices().begin(), features.indices().end());
    picked.values.insert(picked.values.end(), features.values().begin(), features.values().end());
    picked.begin.push_back(picked.indices.size());
    picked.labels.push_back(data.labels[row]);
    if (!data.has_times()) continue;
    picked.event_time.push_back(data.event_time[row]);
    picked.feedback_time.push_back(data.feedback_time[row]);
    if (!data.due_time.empty()) picked.due_time.push_back(data.due_time[row]);
  }
  return picked;
}

Dataset with_intercept(const Dataset& data) {
  Dataset wider = data;
  wider.dimension = data.dimension + 1;
  wider.begin = {0};
  wider.indices.clear();
  wider.values.clear();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const Covector features = data.features(row);
    wider.indices.insert(wider.indices.end(), features.indices().begin(), features.indices().end());
    wider.values.insert(wider.values.end(), features.values().begin(), features.values().end());
    wider.indices.push_back(data.dimension);
    wider.values.push_back(1);
    wider.begin.push_back(wider.indices.size());
  }
  return wider;
}

}  // namespace tarry::data
