#include "tarry/model/update_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tarry {
namespace {

using spec::Value;

constexpr Index kDenseMatrixUpTo = 100;  // entries: smaller matrices are kept in full (tracks/iterate.cpp)

std::string text_at(const Value& learner, const std::string& key) {
  const Value* value = learner.find(key);
  const auto* text = value != nullptr ? std::get_if<std::string>(&value->as) : nullptr;
  return text != nullptr ? *text : "";
}

Index whole_at(const Value& learner, const std::string& key) {
  const Value* value = learner.find(key);
  const auto* whole = value != nullptr ? std::get_if<std::int64_t>(&value->as) : nullptr;
  return whole != nullptr ? *whole : 1;
}

bool flag_at(const Value& learner, const std::string& key) {
  const Value* value = learner.find(key);
  return value != nullptr && std::holds_alternative<bool>(value->as) && std::get<bool>(value->as);
}

const spec::Array& learners_in(const Value& learner) {
  static const spec::Array none;
  const Value* list = learner.find("learners");
  const auto* array = list != nullptr ? std::get_if<spec::Array>(&list->as) : nullptr;
  return array != nullptr ? *array : none;
}

bool is_frank_wolfe(const std::string& type) { return type == "delayed_ofw" || type == "delayed_ofw_sc"; }
bool is_by_coordinate(const std::string& type) {
  return type == "adagrad" || type == "patient" || type == "box_ftrl" || type == "box_ftrl_sc" || type == "stay";
}
bool is_pool(const std::string& type) { return type == "bold" || type == "round_robin"; }

// How a Frank-Wolfe learner would keep a decision of this shape.
enum class Kept { kFull, kTouched, kFactors };

Kept kept_as(const Shape& shape, const std::string& storage) {
  if (storage == "dense") return Kept::kFull;
  if (shape.need == Need::kTopPair)
    return shape.start.dimension > kDenseMatrixUpTo || storage == "factored" ? Kept::kFactors : Kept::kFull;
  return shape.need != Need::kDense && shape.start.values.empty() ? Kept::kTouched : Kept::kFull;
}

Index kept_in(const Shape& shape, const std::string& storage) {
  if (shape.need != Need::kBlocks) return kept_as(shape, storage) == Kept::kFull ? shape.start.dimension : 0;
  Index sum = 0;
  for (const Shape& block : shape.blocks) sum += kept_in(block, storage);
  return sum;
}

// What is done in one update, and how often.
struct Part {
  std::string words;
  Index times = 1;
};
using Parts = std::vector<Part>;

void add(Parts& parts, const Part& more) {
  const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.words == more.words; });
  if (same == parts.end())
    parts.push_back(more);
  else
    same->times += more.times;
}

std::string pass_over(Index n) { return fmt::format("a pass over {} coordinate{}", n, n == 1 ? "" : "s"); }

void add_steps(Parts& parts, const Shape& shape, const Value& learner, const std::string& what) {
  for (const Shape& block : shape.blocks) add_steps(parts, block, learner, what);
  if (!shape.blocks.empty()) return;
  const Index calls = whole_at(learner, "oracle_calls"), batch = whole_at(learner, "batch");
  const std::string often = batch > 1 ? fmt::format(" for every {} gradients", batch) : "";
  const std::string oracle = (calls > 1 ? fmt::format("up to {} oracle calls", calls) : "one oracle call") + often;
  switch (kept_as(shape, text_at(learner, "storage"))) {
    case Kept::kFull:
      return add(parts, {oracle + " and " + pass_over(shape.start.dimension)});
    case Kept::kTouched:
      return add(parts, {oracle + ", " + what + " and the atoms in the decision"});
    case Kept::kFactors:
      return add(parts, {oracle + ", a top singular pair by products with the rows and columns seen"});
  }
}

bool add_parts(Parts& parts, const Value& learner, const AnySet& set, const std::string& what);

// One part of the set for each learner, or all of it for each.
bool add_learners(Parts& parts, const Value& learner, const std::vector<AnySet>& sets, const std::string& what) {
  const spec::Array& learners = learners_in(learner);
  bool known = !learners.empty() && sets.size() == learners.size();
  for (std::size_t k = 0; known && k < learners.size(); ++k) known = add_parts(parts, learners[k], sets[k], what);
  return known;
}

bool add_auto(Parts& parts, const AnySet& set, const std::string& what) {
  const Index n = set.dimension();
  Parts each;
  if (set.simplex_radius())
    add(each, {pass_over(n)});
  else if (set.lp_shape() || set.bounds())
    add(each, {what});
  else if (set.can_project())
    add(each, {fmt::format("one projection of {} coordinates", n)});
  else
    add_steps(each, set.shape(), {}, what);
  for (const Part& part : each) add(parts, {"for each of its learners " + part.words, part.times});
  return true;
}

// False where the cost of a learner is not known here.
bool add_parts(Parts& parts, const Value& learner, const AnySet& set, const std::string& what) {
  const std::string type = text_at(learner, "type");
  const Index n = set.dimension();
  if (type == "stay") return true;
  if (is_frank_wolfe(type)) {
    add_steps(parts, set.shape(), learner, what);
    if (flag_at(learner, "sample")) add(parts, {"the weights of the vertices kept"});
    return true;
  }
  if (is_by_coordinate(type) || (type == "gauge_ftrl" && flag_at(learner, "light") && set.lp_shape())) {
    add(parts, {what});
    return true;
  }
  if (type == "hedge") return add_learners(parts, learner, std::vector<AnySet>(learners_in(learner).size(), set), what);
  if (type == "per_block") return add_learners(parts, learner, set.parts(), what);
  if (type == "auto") return add_auto(parts, set, what);
  if (is_pool(type) && learner.find("base") != nullptr) return add_parts(parts, *learner.find("base"), set, what);
  if (type == "delayed_ospf" && text_at(learner, "setting") == "linear") {
    add(parts, {fmt::format("one oracle call and {} random numbers", n)});
    return true;
  }
  if (type == "gauge_ftrl") add(parts, {"one oracle call and " + pass_over(n)});
  if (type == "delayed_eg") add(parts, {pass_over(n)});
  if (type == "delayed_ogd" || type == "delayed_ogd_sc")
    add(parts, {fmt::format("one projection of {} coordinate{}", n, n == 1 ? "" : "s")});
  return type == "gauge_ftrl" || type == "delayed_eg" || type == "delayed_ogd" || type == "delayed_ogd_sc";
}

}  // namespace

Index coordinates_kept(const Value& learner, const AnySet& set) {
  const std::string type = text_at(learner, "type");
  if (is_by_coordinate(type) || (type == "gauge_ftrl" && flag_at(learner, "light") && set.lp_shape())) return 0;
  if (is_frank_wolfe(type)) return kept_in(set.shape(), text_at(learner, "storage"));
  if (is_pool(type) && learner.find("base") != nullptr) return coordinates_kept(*learner.find("base"), set);
  Index sum = 0;
  if (type == "hedge") {
    for (const Value& base : learners_in(learner)) sum += coordinates_kept(base, set);
    return sum;
  }
  if (type == "per_block") {
    const std::vector<AnySet> parts = set.parts();
    const spec::Array& learners = learners_in(learner);
    for (std::size_t k = 0; k < std::min(parts.size(), learners.size()); ++k)
      sum += coordinates_kept(learners[k], parts[k]);
    return sum;
  }
  if (type == "auto") {
    if (set.simplex_radius()) return set.dimension();
    if (set.lp_shape() || set.bounds()) return 0;
    return set.can_project() ? set.dimension() : kept_in(set.shape(), "");
  }
  return set.dimension();
}

std::optional<std::string> update_cost(const Value& learner, const AnySet& set, const std::string& what) {
  Parts parts;
  if (!add_parts(parts, learner, set, what)) return std::nullopt;
  if (parts.empty()) return "nothing";
  std::string words;
  for (const Part& part : parts) {
    words += words.empty() ? "" : "; ";
    words += part.times > 1 ? fmt::format("{} × {}", part.times, part.words) : part.words;
  }
  return words;
}

}  // namespace tarry
