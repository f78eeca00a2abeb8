// Who decides in a log that is judged: a learner's model, or one of the simple policies beside it.
#pragma once

#include <string>
#include <vector>

#include "tarry/lab/logged/logged.h"
#include "tarry/model/choice.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

struct Policy {
  enum class Kind {
    kModel,        // the learner itself
    kLogged,       // what was taken
    kUniform,      // any action
    kAlways,       // the action that `name` says
    kColumn,       // the action that the log has in column `name`
    kProbability,  // it would have taken what was taken with the probability in column `name`
  };
  Kind kind = Kind::kModel;
  std::string name = {};

  // "logged", "uniform", {always = "…"}, {column = "…"} or {probability = "…"}.
  static Policy read(const spec::Node& node);
  std::string spoken() const;  // a name for it

  // Throws Error{kBadSpec} where the log has no such column or action.
  void check(const Logged& log) const;

  bool operator==(const Policy&) const = default;
};

// What the policy makes of a row of the log, given what the learner's model said of each action at the play.
evaluation::LoggedReward judged_by(const Policy& policy, const Logged& log, std::size_t row,
                                   const std::vector<RankedAction>& ranking);
// The policy's weight on actions of that row which the log is known never to take there.
double unsupported(const Policy& policy, const Logged& log, std::size_t row, const std::vector<RankedAction>& ranking);

}  // namespace tarry::lab
