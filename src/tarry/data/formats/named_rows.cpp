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

Index NamedRows::slot_of(Name name, std::string_view word) const {
  const auto slots = static_cast<std::uint64_t>(numbering_->slots);
  return numbering_->words_begin + static_cast<Index>(fnv1a(word, numbering_->hash[name]) % slots);
}

void NamedRows::add(Name name, std::string_view word) {
  if (name >= texts_->words.size()) texts_->words.resize(name + 1);
  auto& [texts, slots] = texts_->words[name];
  const std::uint32_t place = texts.number(word);
  if (numbering_ && place == slots.size()) slots.push_back(slot_of(name, word));
  cells_.push_back({name, kWord, static_cast<double>(place)});
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
    const auto place = [&] { return static_cast<std::size_t>(cell.value); };
    switch (cell.kind) {
      case kMissing:
        feature.value = std::monostate{};
        break;
      case kNumber:
        feature.value = cell.value;
        break;
      case kWord: {
        const std::string& word = texts_->words[cell.name].texts[static_cast<std::uint32_t>(place())];
        if (auto* text = std::get_if<std::string>(&feature.value))
          *text = word;
        else
          feature.value = word;
        break;
      }
      case kOther:
        feature.value = others_[place()];
        break;
    }
  }
}

void NamedRows::write(std::size_t row, std::vector<Index>& indices, Vec& values) const {
  indices.clear();
  values.clear();
  const std::span<const Cell> cells = std::span(cells_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  for (const Cell& cell : cells) {
    if (cell.kind != kNumber || (cell.value == 0 && !numbering_->zeros)) continue;
    indices.push_back(numbering_->place[cell.name]);
    values.push_back(cell.value);
  }
  for (const Cell& cell : cells) {
    if (cell.kind == kWord) indices.push_back(texts_->words[cell.name].slots[static_cast<std::size_t>(cell.value)]);
    if (cell.kind != kOther) continue;
    if (const auto* list = std::get_if<std::vector<std::string>>(&others_[static_cast<std::size_t>(cell.value)]))
      for (const std::string& word : *list) indices.push_back(slot_of(cell.name, word));
  }
  const std::size_t numbers = values.size();
  std::sort(indices.begin() + static_cast<std::ptrdiff_t>(numbers), indices.end());
  std::size_t last = numbers;  // of the slots that differ
  for (std::size_t i = numbers; i < indices.size(); ++i) {
    if (last > numbers && indices[last - 1] == indices[i]) {
      values.back() += 1;
      continue;
    }
    indices[last++] = indices[i];
    values.push_back(1);
  }
  indices.resize(last);
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
