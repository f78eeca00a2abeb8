// How long the label of a round can be replaced, and what several labels of one round mean.
#pragma once

#include <optional>

#include "tarry/ledger/settled_rounds.h"
#include "tarry/spec/node.h"

namespace tarry {

enum class LabelsAre : std::uint8_t {
  kFirst,  // the first is the label; another one replaces it where it says `revise`
  kLast,   // the last one is
  kSum,    // their sum is: each is a part of it
};

struct Revisable {
  Round rounds = 0;    // from the label on; 0: not by rounds
  double seconds = 0;  // the same by the times that events carry
  LabelsAre labels = LabelsAre::kFirst;

  bool any() const { return rounds > 0 || seconds > 0; }
  bool ended(const SettledRound& settled, Round issued, double now) const {
    return rounds > 0 ? settled.settled + rounds <= issued : settled.at + seconds < now;
  }

  // From a model's keys `labels` and `revisable`.
  static Revisable read(const spec::Node& model);
  void add_to(spec::Object& model) const;
};

}  // namespace tarry
