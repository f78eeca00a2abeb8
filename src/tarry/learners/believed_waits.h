// What a learner believes about waiting, for people to read: how long the labels of each class take, what share of each
// class is still open at each age, and what it made of rounds that stay open (docs/theory.md, 12.2). Nothing learns
// from it; model/waiting_view.h is what people see.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "tarry/linalg/covector.h"

namespace tarry {

struct BelievedWaits {
  // What the beliefs come from.
  enum class From : std::uint8_t {
    kNothing,   // there are none yet: rounds that stay open say nothing
    kLabels,    // labels of several classes
    kOneClass,  // labels of a single class
    kWindow,    // the user, who said what becomes of rounds that stay open
  };
  struct OfClass {
    double labels = 0;                          // that came
    std::optional<double> half = std::nullopt;  // the age by which half of those that came had come
    double others = 0;                          // labels of all other classes
    std::optional<double> others_half = std::nullopt;
    Vec open = {};  // by age: the share that is still open, as it is believed
  };
  // Rounds whose ages are counted alike.
  struct Clock {
    bool by_due = false;  // ages are shares of the time until a round is due; otherwise they are rounds
    From from = From::kNothing;
    double rounds = 0;      // that were played
    Vec ages = {};          // the first is 0
    Vec reached = {};       // by age: rounds that were open then
    Vec left = {};          // by age: rounds that have got no older and have no label: open, or given up
    Vec open = {};          // by age: the share of all rounds that is still open
    std::size_t known = 0;  // the last age that anything is known about
    double trust = 0;       // of the differences between classes that labels show, the share that is believed
    std::vector<OfClass> classes = {};
  };

  std::vector<Clock> clocks;
  double moves = 0;      // of the targets of open rounds, so far
  double mean_move = 0;  // the probability that changed class in such a move, on average
};

// Whether it is worth a line that labels of one class come later than the others, or sooner: half of each, by `half`
// and by `others_half`.
inline bool come_apart(double labels, double others, double half, double others_half) {
  constexpr double kFewest = 20, kRatio = 1.25;
  if (labels < kFewest || others < kFewest) return false;
  const double a = std::max(half, 1e-9), b = std::max(others_half, 1e-9);
  return std::max(a, b) >= kRatio * std::min(a, b);
}

}  // namespace tarry
