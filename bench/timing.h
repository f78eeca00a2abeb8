// A small stopwatch for several contestants: they take turns, so that a busy moment of the machine hits all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace tarry::bench {

struct Contestant {
  std::string name;
  int updates;  // that one call of `run` makes
  std::function<void()> run;
  std::vector<double> seconds = {};  // for one update, a sample for each turn
};

// `turns` calls of each, in turn, after one that is not counted.
void take_turns(std::vector<Contestant>& contestants, int turns);

// One JSON object a line on standard output: {"name": …, "seconds": […]}.
void print(const std::vector<Contestant>& contestants);

}  // namespace tarry::bench
