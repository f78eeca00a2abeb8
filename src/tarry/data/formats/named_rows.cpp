#include "tarry/data/formats/named_rows.h"

#include <algorithm>

#include "tarry/data/formats/feature_hash.h"

namespace tarry::data {

std::uint32_t NamedRows::Texts::number(std::string_view text) {
  const auto known = numbers_.find(text);
  if (known != numbers_.end()) return known->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  const auto added = numbers_.emplace(std::string(text), number).first;
  texts_.push_back(&added->first);
  return number;
}

void NamedRows::add(Name name, FeatureValue value) {
  if (const auto* number = std::get_if<double>(&value)) return add(name, *number);
  if (const auto* word = std::get_if<std::string>(&value)) return add(name, std::string_view(*word));
  if (std::holds_alternative<std::monostate>(value)) return add_missing(name);
  cells_.push_back({name, kOther, static_cast<double>(others_.size())});
  others_.push_back(std::move(value));
}

void NamedRows::write(std::size_t row, NamedFeatures& into) const {
  const std::span<const Cell> cells = std::span(cells_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  into.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    NamedFeature& feature = into[i];
    if (const std::string& name = texts_->names[cell.name]; feature.name != name) feature.name = name;
    const auto place = static_cast<std::size_t>(cell.value);
    switch (cell.kind) {
      case kMissing:
        feature.value = std::monostate{};
        break;
      case kNumber:
        feature.value = cell.value;
        break;
      case kWord:
        if (auto* word = std::get_if<std::string>(&feature.value))
          *word = texts_->words[static_cast<std::uint32_t>(place)];
        else
          feature.value = texts_->words[static_cast<std::uint32_t>(place)];
        break;
      case kOther:
        feature.value = others_[place];
        break;
    }
  }
}

void NamedRows::write(std::size_t row, std::vector<Index>& indices, Vec& values) const {
  indices.clear();
  const auto slot_of = [&](Name name, const std::string& word) {
    const auto slots = static_cast<std::uint64_t>(numbering_->slots);
    return numbering_->words_begin + static_cast<Index>(fnv1a(word, numbering_->hash[name]) % slots);
  };
  std::vector<Index> words;
  values.clear();
  for (const Cell& cell : std::span(cells_).subspan(begin_[row], begin_[row + 1] - begin_[row])) {
    if (cell.kind == kNumber && (cell.value != 0 || numbering_->zeros)) {
      indices.push_back(numbering_->place[cell.name]);
      values.push_back(cell.value);
    } else if (cell.kind == kWord) {
      words.push_back(slot_of(cell.name, texts_->words[static_cast<std::uint32_t>(cell.value)]));
    } else if (cell.kind == kOther) {
      if (const auto* list = std::get_if<std::vector<std::string>>(&others_[static_cast<std::size_t>(cell.value)]))
        for (const std::string& word : *list) words.push_back(slot_of(cell.name, word));
    }
  }
  std::sort(words.begin(), words.end());
  for (const Index slot : words) {
    if (!indices.empty() && indices.back() == slot) {
      values.back() += 1;
      continue;
    }
    indices.push_back(slot);
    values.push_back(1);
  }
  if (numbering_->intercept < 0) return;
  indices.push_back(numbering_->intercept);
  values.push_back(1);
}

NamedRows NamedRows::in_order(std::span<const std::size_t> rows) const {
  NamedRows picked;
  picked.numbering_ = numbering_;
  picked.texts_ = texts_;
  picked.others_ = others_;
  picked.begin_.reserve(rows.size() + 1);
  picked.cells_.reserve(cells_.size());
  for (const std::size_t row : rows) {
    const auto at = [&](std::size_t place) { return cells_.begin() + static_cast<std::ptrdiff_t>(place); };
    picked.cells_.insert(picked.cells_.end(), at(begin_[row]), at(begin_[row + 1]));
    picked.end_row();
  }
  return picked;
}

}  // namespace tarry::data
