#include "tarry/lab/play/quality.h"

#include <algorithm>
#include <cmath>

namespace tarry::lab {
namespace {

using Bin = Quality::Bin;

constexpr std::size_t kTenths = 10;
constexpr double kFewest = 5;            // rounds whose share says something
constexpr std::size_t kMostClasses = 9;  // in a table; the others are one more
constexpr std::size_t kShownWeights = 40, kShownCurves = 6;
constexpr const char* kOthers = "(others)";

std::size_t tenth_of(double p) { return std::min(kTenths - 1, static_cast<std::size_t>(p * kTenths)); }

Bin mean_of(const Bin& sum) {
  if (sum.rounds == 0) return sum;
  return {sum.rounds, sum.predicted / sum.rounds, sum.outcome / sum.rounds, sum.error / sum.rounds};
}

// Ten parts of as many rounds each, or one for each round where there are fewer.
std::vector<Bin> in_tenths(const std::vector<std::pair<double, double>>& sorted) {
  std::vector<Bin> bins;
  const std::size_t parts = std::min(kTenths, sorted.size());
  for (std::size_t k = 0; k < parts; ++k) {
    Bin sum;
    for (std::size_t i = k * sorted.size() / parts; i < (k + 1) * sorted.size() / parts; ++i) {
      const auto& [p, y] = sorted[i];
      sum = {sum.rounds + 1, sum.predicted + p, sum.outcome + y, sum.error + std::fabs(p - y)};
    }
    bins.push_back(mean_of(sum));
  }
  return bins;
}

}  // namespace

QualityCount::QualityCount(const Table& table, const Model& model)
    : table_(table), model_(model), measure_(measure_of(table.loss_name)), tenths_(kTenths) {
  for (const data::Corrected& later : table.data->corrected) last_label_[later.row] = later.label;
}

void QualityCount::add(const RoundPlayed& round) {
  if (!round.judged || table_.known != Known::kAtPlay) return;
  if (measure_ == Measure::kError) return add_number(round.prediction, round.label);
  if (measure_ == Measure::kClasses) return add_class(round);
  if (measure_ != Measure::kMargin) return;
  const bool is = round.label > 0, taken = round.prediction > 0;
  taken_[{is ? 1 : 0, taken ? 1 : 0}] += 1;
  const double p = table_.loss.shown(round.prediction);
  if (!(p >= 0 && p <= 1)) return;  // a loss that knows no probabilities
  Bin& bin = tenths_[tenth_of(p)];
  bin = {bin.rounds + 1, bin.predicted + p, bin.outcome + (is ? 1 : 0), 0};
}

// A model of named classes numbers them as they come; the data, as it has them.
std::size_t QualityCount::known_class(double predicted) const {
  const std::vector<std::string>& classes = table_.data->classes;
  if (predicted < 0) return classes.size();
  const auto number = static_cast<std::size_t>(predicted);
  if (!model_.names_classes()) return number;
  if (number >= model_.class_names().size()) return classes.size();
  const auto at = std::find(classes.begin(), classes.end(), model_.class_names()[number]);
  return static_cast<std::size_t>(at - classes.begin());
}

void QualityCount::add_class(const RoundPlayed& round) {
  const std::size_t row = round.round - 1;
  const auto corrected = last_label_.find(row);
  const double given = corrected == last_label_.end() ? table_.data->labels[row] : corrected->second;
  const auto is = static_cast<std::size_t>(table_.loss.label(given));
  const std::size_t taken = known_class(round.prediction);
  const Vec p = model_.probabilities(round.scores);
  if (p.empty() || round.prediction < 0) return;  // nothing was known yet
  taken_[{is, taken}] += 1;
  const double likeliest = *std::max_element(p.begin(), p.end());
  Bin& bin = tenths_[tenth_of(likeliest)];
  bin = {bin.rounds + 1, bin.predicted + likeliest, bin.outcome + (is == taken ? 1 : 0), 0};
}

Quality QualityCount::quality() const {
  Quality told;
  if (measure_ == Measure::kError) {
    auto sorted = numbers_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    told.calibration = in_tenths(sorted);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    told.by_size = in_tenths(sorted);
  } else if (measure_ == Measure::kMargin || measure_ == Measure::kClasses) {
    for (const Bin& bin : tenths_)
      if (bin.rounds >= kFewest) told.calibration.push_back(mean_of(bin));
    std::map<std::size_t, double> often;
    for (const auto& [pair, count] : taken_) often[pair.first] += count;
    std::vector<std::size_t> order;
    if (measure_ == Measure::kMargin) often = {{0, 1}, {1, 1}};
    for (const auto& [number, count] : often) order.push_back(number);
    if (measure_ == Measure::kClasses)
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return often[a] > often[b]; });
    const bool cut = order.size() > kMostClasses;
    if (cut) order.resize(kMostClasses);
    const std::vector<std::string>& names = table_.data->classes;
    for (std::size_t number : order)
      if (measure_ == Measure::kClasses)
        told.classes.push_back(number < names.size() ? names[number] : std::to_string(number));
    const auto place = [&](std::size_t number) {
      return static_cast<std::size_t>(std::find(order.begin(), order.end(), number) - order.begin());
    };
    bool others = cut;
    for (const auto& [pair, count] : taken_) others = others || place(pair.second) == order.size();
    if (others) told.classes.emplace_back(kOthers);
    told.confusion.assign(order.size() + (others ? 1 : 0), Vec(order.size() + (others ? 1 : 0), 0.0));
    for (const auto& [pair, count] : taken_) told.confusion[place(pair.first)][place(pair.second)] += count;
  }
  const AnyEncoder* encoder = model_.features().encoder();
  if (encoder != nullptr && std::holds_alternative<Encoder>(*encoder) && !model_.choice()) {
    told.weights = model_.weights(kShownWeights, true);
    told.curves = model_.curves(kShownCurves);
  }
  return told;
}

}  // namespace tarry::lab
