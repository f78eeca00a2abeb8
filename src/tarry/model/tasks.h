// Tasks: a word for a whole specification, for those who have late labels and nothing to set.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tarry/spec/node.h"

namespace tarry {

struct TaskEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;  // of its own; every key of its expansion can be given beside them
  spec::Value (*expand)(const spec::Node& node);
  std::vector<std::string> examples;
};

std::span<const TaskEntry> task_registry();

// The specification that {"task": …, …} is short for. Throws Error{kBadSpec}.
spec::Value expand_task(const spec::Node& node);

// What the same words meant in earlier versions, where a task chose less by itself: with the keys it left out said. The
// newest first; empty where there is nothing of the kind.
std::vector<spec::Value> earlier_meanings(const spec::Value& given);

// The task that learns with this loss; regression for any that has none.
std::string task_for_loss(const std::string& loss);
// What tasks are held against: the type of the learner that takes steps of one size, the key `eta`.
std::string plain_learner();
// … and of the one that predicts what has come so far, whatever the features.
std::string baseline_learner();

}  // namespace tarry
