// What a model knows about waiting, as people see it: its settings, which rounds are open and how old they are,
// what it believes about the labels of each class, and what it made of that. Worked out once, for `tarry explain`, the
// report, the service and the dashboard.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/learners/believed_waits.h"
#include "tarry/model/model.h"
#include "tarry/spec/value.h"

namespace tarry {

struct WaitingView {
  // Rounds of one age, in rounds; those with a due time are not among them.
  struct Age {
    double from = 0;
    double open = 0;      // by now
    double given_up = 0;  // at that age, without a label; 0 where the learner does not know
  };

  Round rounds = 0;
  std::uint64_t answered = 0, open = 0, given_up = 0, voided = 0;
  Expiry expiry = {};
  Revisable revisable = {};
  std::optional<spec::Value> lost = std::nullopt;  // what the user said of labels that never come
  std::vector<Age> by_age = {};                    // empty where too many rounds are open
  std::vector<std::string> classes = {};           // that the learner distinguishes, by name
  std::optional<BelievedWaits> believed = std::nullopt;
};

WaitingView waiting_view(const Model& model);

// In sentences, without a full stop: which labels come later, then what is believed and what was made of it.
std::vector<std::string> spoken(const WaitingView& view);
std::vector<std::string> spoken_lateness(const WaitingView& view);
std::vector<std::string> spoken_beliefs(const WaitingView& view);
spec::Value to_value(const WaitingView& view);

}  // namespace tarry
