// How likely each action is to be taken, given what each is expected to earn: mostly the best, and the others often
// enough to learn of them. By default inverse gap weighting (SquareCB, Foster and Rakhlin 2020; docs/theory.md, 16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tarry/spec/node.h"

namespace tarry {

struct Exploration {
  enum class Kind : std::uint8_t {
    kGaps,     // 1 / (K + γ · gap), the best takes the rest; γ grows with the rewards that have come
    kEpsilon,  // the best, but with probability epsilon any
    kSoftmax,  // ∝ exp(reward / temperature)
    kFirst,    // any, until `rounds` rewards have come; then the best
    kNone,     // the best
  };
  Kind kind = Kind::kGaps;
  double gamma = 128;     // γ = gamma · √(K · rewards that came)
  double optimism = 0.5;  // with kGaps: by how many deviations of a prediction actions count as better than predicted
  double epsilon = 0.1;
  double temperature = 0.1;  // in units of the range of rewards
  double rounds = 1000;
  double floor = 0, cap = 1;  // of each action's probability

  // `explore` of a specification: a word, or an object with its numbers.
  static Exploration read(const spec::Node& node, Exploration unless_said);
  // Where nothing is said of rows that are not crossed, of whose predictions no deviation is known: as it always was.
  static Exploration without_deviations() {
    Exploration explore;
    explore.gamma = 16;
    explore.optimism = 0;
    return explore;
  }
  spec::Value to_value(const Exploration& unless_said) const;

  // Of actions that are expected to earn `rewards`, in units of their range, after `answered` rewards have come: writes
  // a probability for each, their sum 1; one action alone has 1. Throws Error{kBadInput} where floor or cap do not fit
  // so many actions.
  void probabilities(std::span<const double> rewards, double answered, std::span<double> each) const;

  bool operator==(const Exploration&) const = default;
};

// The action that a number from [0, 1) draws; never one with probability 0.
std::size_t drawn(std::span<const double> probabilities, double uniform);

}  // namespace tarry
