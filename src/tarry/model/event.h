// What happens to a model: logs, simulations, services and queues all speak in these. An event owns its data, so that
// it can be kept, sent and replayed.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tarry/features/label_value.h"
#include "tarry/features/named.h"
#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"

namespace tarry {

struct SparseVector {
  std::vector<Index> indices;  // ascending, each once
  Vec values;

  bool operator==(const SparseVector&) const = default;
};

// Features or a gradient: in full, by index, or by name.
struct Features : std::variant<Vec, SparseVector, NamedFeatures> {
  using Kinds = std::variant<Vec, SparseVector, NamedFeatures>;
  using Kinds::Kinds;
  Features(const Covector& numbered);  // NOLINT(google-explicit-constructor): a copy of what it looks at
};

// A round by its number or, where that is 0, by the key that the client gave it.
struct RoundName {
  Round number = 0;
  std::string key = {};

  RoundName(Round round) : number(round) {}                        // NOLINT(google-explicit-constructor)
  RoundName(std::string given_key) : key(std::move(given_key)) {}  // NOLINT(google-explicit-constructor)
  bool operator==(const RoundName&) const = default;
};

// In seconds, of whatever clock: a model has none of its own, and only compares.
struct PlayTimes {
  std::optional<double> now = std::nullopt;  // when it was played
  std::optional<double> due = std::nullopt;  // when its answer is due, or expected

  bool operator==(const PlayTimes&) const = default;
};

struct Action {  // that can be taken
  std::string id;
  NamedFeatures features = {};

  bool operator==(const Action&) const = default;
};

struct ShownInstead {  // of what the model chose
  std::string id;
  std::optional<double> probability = std::nullopt;  // with which it was shown

  bool operator==(const ShownInstead&) const = default;
};

struct Choosing {  // which of these, in this context
  NamedFeatures context = {};
  std::vector<Action> actions = {};  // none: those of the specification
  std::vector<std::string> exclude = {};
  std::optional<ShownInstead> shown = std::nullopt;

  bool operator==(const Choosing&) const = default;
};

struct Play {  // decide the next round; with features, predict
  std::optional<Features> features = std::nullopt;
  std::string key = {};  // empty: none
  Round round = 0;       // what the next round must be; 0: whatever it is
  PlayTimes times = {};
  std::optional<Choosing> choosing = std::nullopt;  // in the place of features, for a model that chooses

  bool operator==(const Play&) const = default;
};

struct Gradient {  // late feedback: the loss's gradient at the point played in `round`
  RoundName round;
  Features gradient;  // by name where the decision's coordinates have names

  bool operator==(const Gradient&) const = default;
};

// How a label relates to others of its round.
struct Revising {
  bool revise = false;                            // it takes the place of the one before
  std::optional<double> sequence = std::nullopt;  // a number that grows, or a time: of two labels the later one counts
  std::string part = {};                          // where labels are parts of a sum, which part it is
  std::optional<double> now = std::nullopt;       // when it came

  bool operator==(const Revising&) const = default;
};

struct ShownLater {  // what was shown in the place of the model's choice, told with its reward
  Action action;     // without features it has those of the specification's action of this id
  std::optional<double> probability = std::nullopt;  // with which it was shown

  bool operator==(const ShownLater&) const = default;
};

struct Label {  // late feedback through the model's loss
  RoundName round;
  LabelValue label = 0.0;
  std::optional<Features> features = std::nullopt;  // where they were not known at play
  Revising revising = {};
  std::optional<ShownLater> shown = std::nullopt;  // of a model that chooses

  bool operator==(const Label&) const = default;
};

struct Expire {  // the feedback for `round` will never come
  RoundName round;

  bool operator==(const Expire&) const = default;
};

struct Void {  // the decision of `round` was never used: there is nothing to learn, and nothing was lost
  RoundName round;

  bool operator==(const Void&) const = default;
};

struct LossValue {  // late feedback: all that is known is what the decision of `round` cost
  RoundName round;
  double loss = 0;
  std::optional<double> at_probe = std::nullopt;  // what the second point cost, where a decision comes with one

  bool operator==(const LossValue&) const = default;
};

using Event = std::variant<Play, Gradient, Label, Expire, Void, LossValue>;

}  // namespace tarry
