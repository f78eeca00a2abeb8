#include "tarry/quality/bins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tarry/base/error.h"

namespace tarry::quality {
namespace {

constexpr std::size_t kLongestShown = 40;  // bytes of a word; longer ones are told apart by their beginning

std::string_view shortened(std::string_view word) { return word.substr(0, kLongestShown); }

// Quantiles. A number that many values have is a bin of its own.
std::vector<double> cuts_of(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  std::vector<double> cuts;
  const auto add = [&](double cut) {
    if (cuts.size() < kValueBins - 1 && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
  };
  constexpr std::size_t kParts = kValueBins;
  for (std::size_t k = 1; k < kParts; ++k) {
    const std::size_t at = k * sample.size() / kParts, before = (k - 1) * sample.size() / kParts;
    const bool again = sample[before] == sample[at];
    add(sample[at]);
    if (again) add(std::nextafter(sample[at], std::numeric_limits<double>::infinity()));
  }
  return cuts;
}

std::vector<std::string> most_frequent(const std::vector<std::string>& sample) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& word : sample) ++counts[word];
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [word, count] : counts) order.emplace_back(count, word);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (std::size_t k = 0; k < order.size() && k < kValueBins; ++k) words.push_back(order[k].second);
  return words;
}

}  // namespace

void Bins::learn(const ColumnValue& value, double uniform) {
  ++seen_;
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && !std::isfinite(*number)) return;
  if (numbers_.size() + words_.size() < kSample) {
    if (number != nullptr)
      numbers_.push_back(*number);
    else
      words_.emplace_back(shortened(std::get<std::string_view>(value)));
    return;
  }
  const auto place = static_cast<std::size_t>(uniform * seen_);
  if (place >= kSample) return;
  if (number != nullptr && !numbers_.empty()) numbers_[place % numbers_.size()] = *number;
  if (number == nullptr && !words_.empty())
    words_[place % words_.size()] = shortened(std::get<std::string_view>(value));
}

void Bins::fix() {
  if (numbers_.size() > words_.size()) {
    numbers_ = cuts_of(std::move(numbers_));
    words_ = {};
  } else {
    words_ = most_frequent(words_);
    numbers_ = {};
  }
  fixed_ = true;
}

std::size_t Bins::bin_of(const ColumnValue& value) const {
  if (const auto* number = std::get_if<double>(&value)) {
    if (numbers_.empty() || std::isnan(*number)) return kOtherBin;
    return static_cast<std::size_t>(std::upper_bound(numbers_.begin(), numbers_.end(), *number) - numbers_.begin());
  }
  const std::string_view word = shortened(std::get<std::string_view>(value));
  for (std::size_t k = 0; k < words_.size(); ++k)
    if (words_[k] == word) return k;
  return kOtherBin;
}

BinName Bins::name_of(std::size_t bin) const {
  if (bin == kMissingBin) return {.kind = BinName::kMissing};
  if (bin < words_.size()) return {.kind = BinName::kIs, .word = words_[bin]};
  if (bin > numbers_.size() || numbers_.empty()) return {.kind = BinName::kOther};
  if (bin == 0) return {.kind = BinName::kBelow, .high = numbers_.front()};
  if (bin == numbers_.size()) return {.kind = BinName::kFrom, .low = numbers_.back()};
  return {.kind = BinName::kBetween, .low = numbers_[bin - 1], .high = numbers_[bin]};
}

void Bins::save(ByteWriter& out) const {
  out.u64(fixed_ ? 1 : 0);
  out.f64(seen_);
  out.reals(numbers_);
  out.u64(words_.size());
  for (const std::string& word : words_) out.text(word);
}

Bins Bins::load(ByteReader& in) {
  Bins bins;
  bins.fixed_ = in.flag();
  bins.seen_ = in.size();
  bins.numbers_ = in.reals();
  const std::uint64_t words = in.count();
  for (std::uint64_t k = 0; k < words; ++k) bins.words_.push_back(in.text());
  const std::size_t most = bins.fixed_ ? kValueBins : kSample;
  if (bins.numbers_.size() + bins.words_.size() > most || (bins.fixed_ && bins.numbers_.size() >= kValueBins) ||
      !std::is_sorted(bins.numbers_.begin(), bins.fixed_ ? bins.numbers_.end() : bins.numbers_.begin()))
    throw Error(Code::kCorrupt, "drift: bins that cannot be");
  return bins;
}

}  // namespace tarry::quality
