#include "tarry/sets/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "tarry/sets/balls/ellipsoid.h"
#include "tarry/sets/balls/group_ball.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/balls/linf_ball.h"
#include "tarry/sets/balls/lp_ball.h"
#include "tarry/sets/combinatorial/birkhoff.h"
#include "tarry/sets/combinatorial/budget.h"
#include "tarry/sets/combinatorial/flow.h"
#include "tarry/sets/combinatorial/spanning_tree.h"
#include "tarry/sets/matrices/fantope.h"
#include "tarry/sets/matrices/nuclear_ball.h"
#include "tarry/sets/matrices/schatten_ball.h"
#include "tarry/sets/matrices/spectrahedron.h"
#include "tarry/sets/polytopes/box.h"
#include "tarry/sets/polytopes/hull.h"
#include "tarry/sets/polytopes/hypersimplex.h"
#include "tarry/sets/polytopes/k_sparse.h"
#include "tarry/sets/polytopes/permutahedron.h"
#include "tarry/sets/polytopes/simplex.h"
#include "tarry/sets/polytopes/unit_simplex.h"
#include "tarry/sets/wrappers/cached.h"
#include "tarry/sets/wrappers/product.h"
#include "tarry/sets/wrappers/scale.h"
#include "tarry/sets/wrappers/translate.h"
#include "tarry/spec/registry.h"

namespace tarry {

namespace {

struct Registry {
  std::mutex mutex;
  bool used = false;
  std::vector<SetEntry> entries = {
      L1Ball::entry(),       L2Ball::entry(),       LinfBall::entry(),      LpBall::entry(),
      Box::entry(),          Simplex::entry(),      UnitSimplex::entry(),   Ellipsoid::entry(),
      Hypersimplex::entry(), KSparse::entry(),      GroupBall::entry(),     Permutahedron::entry(),
      NuclearBall::entry(),  SchattenBall::entry(), Spectrahedron::entry(), Fantope::entry(),
      Hull::entry(),         Budget::entry(),       Flow::entry(),          Birkhoff::entry(),
      SpanningTree::entry(), Product::entry(),      Translate::entry(),     Scale::entry(),
      Cached::entry(),
  };
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

std::span<const SetEntry> set_registry() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.used = true;
  return all.entries;
}

void add_set(SetEntry entry) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto same = [&](const SetEntry& other) { return other.name == entry.name; };
  if (std::any_of(all.entries.begin(), all.entries.end(), same))
    throw Error(Code::kInternal, fmt::format("set registry: there is a set named {} already", entry.name));
  if (all.used)
    throw Error(Code::kInternal, fmt::format("set registry: {} must be added before the first use", entry.name));
  all.entries.push_back(std::move(entry));
}

AnySet make_set(const spec::Node& node) { return spec::make_registered(set_registry(), "set", node); }

}  // namespace tarry
