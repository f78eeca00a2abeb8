// Choosing one of several actions: what a specification says of it, and what is answered.
#pragma once

#include <string>
#include <vector>

#include "tarry/choice/exploration.h"
#include "tarry/model/event.h"

namespace tarry {

inline constexpr std::size_t kMostActions = 1000;
inline constexpr const char* kActionFeature = "action";  // a word, the action's id; its features are action.NAME

// `choose` of a specification.
struct ChoiceSpec {
  Exploration explore = {};
  Index seed = 0;                    // of the draws
  std::vector<Action> actions = {};  // where a play brings none
  bool crossed =
      false;  // rows are crossed (features/crossing.h); not so in models that were made before there was that

  static ChoiceSpec read(const spec::Node& node);
  spec::Value to_value() const;

  bool operator==(const ChoiceSpec&) const = default;
};

struct RankedAction {
  std::string id;
  double probability = 0;
  double reward = 0;  // that is predicted

  bool operator==(const RankedAction&) const = default;
};

struct Choice {
  std::string action = {};
  double probability = 0;
  std::vector<RankedAction> ranking = {};  // in the order in which actions came; of a play that is repeated, nothing
  std::string shown = {};                  // what was shown instead, and is learnt from; empty: the action

  bool operator==(const Choice&) const = default;
};

// Throws Error{kBadInput} if no action can be chosen.
void check_actions(const Choosing& asked, const std::vector<Action>& actions);
void check_shown(const ShownLater& shown);
// What is learnt from: the context beside an action and its features.
NamedFeatures row_of(const NamedFeatures& context, const Action& action);
std::uint64_t digest_of(const Choosing& asked, const std::vector<Action>& actions);

// As JSON: `context`, `actions`, `exclude` and `shown` of an event, wherever they stand. Throws Error.
bool has_choosing(const spec::Node& node);
Choosing read_choosing(const spec::Node& node);
std::vector<Action> read_actions(const spec::Node& node);
spec::Value actions_value(const std::vector<Action>& actions);
void add_members(spec::Object& object, const Choosing& choosing);
// `shown` of a label: an id, or {"id", "probability"?, "features"?}.
ShownLater read_shown(const spec::Node& node);
spec::Value shown_value(const ShownLater& shown);

}  // namespace tarry
