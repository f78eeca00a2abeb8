// What `tarry verify` plays of a learner beside its examples. Rows are part of a learner's entry, and the lab plays
// them; so they name learners, sets and instances by value, and no stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarry/ledger/round.h"

namespace tarry {

// In a specification $T is replaced by the rounds of the game, and $C by the rounds of a copy in a pool.
struct NamedSpec {
  std::string name, spec;
};

// Raw losses along the first axis, with gradients of length 1.
enum class Instance : std::uint8_t {
  kConstant,    // "constant gradient"
  kSquareWave,  // its half-period is twice the delay
  kSigns,       // "random signs": drawn for each round
  kQuadratics,  // "random quadratics": in all directions
};

// An exponent of T that theory gives beside the one that is measured.
struct RateRow {
  NamedSpec learner;
  std::string set;
  Instance instance = Instance::kConstant;
  double theory = 0;
  bool exact = false;                          // a hard instance: also not far below
  std::optional<double> start = std::nullopt;  // of the first coordinate; nothing: the set's own
  int seeds = 1;                               // whose mean is taken
};

// A game on [−1, 1] whose regret is known exactly (docs/theory.md, "Known answers").
struct AnswerRow {
  std::string instance;
  NamedSpec learner;
  Instance stream = Instance::kConstant;
  double start = 0;
  Round rounds = 0, delay = 1;
  double exact = 0, tolerance = 0;
};

struct VerifyRows {
  std::vector<NamedSpec> drawn = {};    // for drawn games, with a bound for each of them; empty: its examples
  std::vector<NamedSpec> climbed = {};  // for small games, beside its examples
  std::vector<RateRow> rates = {};
  std::vector<AnswerRow> answers = {};
  std::vector<NamedSpec> pools = {};    // side by side at growing delays
  std::vector<NamedSpec> planted = {};  // given feedback too soon: the check must see that the future leaks
};

}  // namespace tarry
