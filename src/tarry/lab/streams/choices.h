// A table of classes played as choices: the classes are the actions, the right one earns 1, the others nothing, and
// what the others would have earned is never seen. Rewards may come sooner than the news that there is none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tarry/data/formats/dataset.h"
#include "tarry/lab/delays/delays.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/model/event.h"

namespace tarry::lab {

struct Choices {
  Dataset data;                  // rows by name; labels are places among the actions
  std::vector<Action> actions;   // one for each class
  std::optional<double> window;  // no reward is known so long after its round: rounds, or in the unit of the times
  Vec early;                     // by row: after how many rounds its reward comes, where the data has no times

  // When a round's outcome is known, on a scale on which row `row` is seen at seen(row); infinite: never.
  double seen(std::size_t row) const { return data.has_times() ? data.event_time[row] : static_cast<double>(row); }
  double known(std::size_t row, bool reward) const;
};

// Delays by what was earned: `reward` is the last round's, and `wait` the least that is waited for anything.
std::unique_ptr<Delays> late_by_reward(const Choices& choices, const bool& reward, double wait);

StreamEntry choices_entry();

}  // namespace tarry::lab
