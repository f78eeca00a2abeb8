// What to show a user next: the items that a learner, as it is now, would rate highest for them.
#pragma once

#include "tarry/lab/plan/experiment.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/learners/any_learner.h"

namespace tarry::lab {

struct TopItems {
  std::string user;
  std::vector<std::string> items;  // best first, without those that the user has rated
  Vec predictions;                 // clipped to the range of ratings
};

// Throws Error{kBadSpec} where the stream has no ratings, or none by such a user.
void check_top(const TopSpec& top, const Stream& stream);

// After the first `rounds` rows of a stream of ratings. A prediction for each item: O(items × rank) a user.
std::vector<TopItems> top_items(const AnyLearner& learner, const Table& table, Round rounds, const TopSpec& top);

}  // namespace tarry::lab
