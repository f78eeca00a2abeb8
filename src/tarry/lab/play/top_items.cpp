#include "tarry/lab/play/top_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tarry/base/error.h"

namespace tarry::lab {
namespace {

// The row of a user; one behind the last where there is none.
Index row_of(const std::string& user, const RatingSpace& space) {
  const auto& names = space.user_names;
  return std::find(names.begin(), names.end(), user) - names.begin();
}

std::set<Index> rated_by(Index user, const Table& table, Round rounds) {
  std::set<Index> items;
  for (std::size_t row = 0; row < rounds; ++row) {
    const Index entry = table.data->features(row).indices()[0];
    if (entry / table.ratings->items == user) items.insert(entry % table.ratings->items);
  }
  return items;
}

double predict(const AnyLearner& learner, const RatingSpace& space, Index user, Index item) {
  static constexpr double kOnes[] = {1, 1, 1, 1};
  const auto indices = entry_indices(space, user, item);
  return learner.predict(Covector::sparse(indices, kOnes));
}

}  // namespace

void check_top(const TopSpec& top, const Stream& stream) {
  if (top.users.empty()) return;
  const Table* table = stream.table();
  if (table == nullptr || !table->ratings)
    throw Error(Code::kBadSpec, fmt::format("top: stream {} has no ratings", stream.name));
  for (const std::string& user : top.users)
    if (row_of(user, *table->ratings) == static_cast<Index>(table->ratings->user_names.size()))
      throw Error(Code::kBadSpec, fmt::format("top: stream {} has no user {}", stream.name, spec::brief({user})));
}

std::vector<TopItems> top_items(const AnyLearner& learner, const Table& table, Round rounds, const TopSpec& top) {
  std::vector<TopItems> lists;
  if (top.users.empty()) return lists;
  const RatingSpace& space = *table.ratings;
  for (const std::string& user : top.users) {
    const Index row = row_of(user, space);
    const std::set<Index> rated = rated_by(row, table, rounds);
    std::vector<std::pair<double, Index>> best;  // −prediction, item: ties go to the item that appeared first
    for (Index item = 0; item < static_cast<Index>(space.item_names.size()); ++item)
      if (!rated.contains(item)) best.emplace_back(-predict(learner, space, row, item), item);
    const std::size_t count = std::min(top.count, best.size());
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end());
    TopItems list{user, {}, {}};
    for (std::size_t i = 0; i < count; ++i) {
      list.items.push_back(space.item_names[static_cast<std::size_t>(best[i].second)]);
      list.predictions.push_back(space.clip(-best[i].first));
    }
    lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace tarry::lab
