#include "tarry/quality/reliability.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tarry::quality {
namespace {

constexpr double kLabelsKept = 20'000;  // labels: then what there was counts half
constexpr double kCuts[Reliability::kBins - 1] = {0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97};

}  // namespace

void Reliability::add(double probability, bool happened) {
  if (!(probability >= 0 && probability <= 1)) return;
  Bin& bin = bins_[static_cast<std::size_t>(std::upper_bound(std::begin(kCuts), std::end(kCuts), probability) -
                                            std::begin(kCuts))];
  ++bin.labels;
  bin.predicted += probability;
  bin.outcome += happened;
  if (all().labels < kLabelsKept) return;
  for (Bin& each : bins_)
    for (double Bin::*part : {&Bin::labels, &Bin::predicted, &Bin::outcome}) each.*part /= 2;
}

Reliability::Bin Reliability::all() const {
  Bin sum;
  for (const Bin& bin : bins_)
    for (double Bin::*part : {&Bin::labels, &Bin::predicted, &Bin::outcome}) sum.*part += bin.*part;
  return sum;
}

double Reliability::error() const {
  const double labels = all().labels;
  double off = 0;
  for (const Bin& bin : bins_) off += std::fabs(bin.outcome - bin.predicted);
  return labels > 0 ? off / labels : 0;
}

// The mean of |N(0, v)| is √(2v/π).
double Reliability::error_by_chance() const {
  const double labels = all().labels;
  double off = 0;
  for (const Bin& bin : bins_) {
    if (bin.labels <= 0) continue;
    const double p = bin.predicted / bin.labels;
    off += std::sqrt(2 / std::numbers::pi * bin.labels * p * (1 - p));
  }
  return labels > 0 ? off / labels : 0;
}

}  // namespace tarry::quality
