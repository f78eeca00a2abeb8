#include "tarry/sets/registry.h"

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
#include "tarry/spec/open_registry.h"
#include "tarry/spec/registry.h"

namespace tarry {

namespace {

std::vector<SetEntry> entries() {
  return {L1Ball::entry(),       L2Ball::entry(),       LinfBall::entry(),      LpBall::entry(),
          Box::entry(),          Simplex::entry(),      UnitSimplex::entry(),   Ellipsoid::entry(),
          Hypersimplex::entry(), KSparse::entry(),      GroupBall::entry(),     Permutahedron::entry(),
          NuclearBall::entry(),  SchattenBall::entry(), Spectrahedron::entry(), Fantope::entry(),
          Hull::entry(),         Budget::entry(),       Flow::entry(),          Birkhoff::entry(),
          SpanningTree::entry(), Product::entry(),      Translate::entry(),     Scale::entry(),
          Cached::entry()};
}

spec::OpenRegistry<SetEntry>& registry() {
  static spec::OpenRegistry<SetEntry> all("set", entries());
  return all;
}

}  // namespace

std::span<const SetEntry> set_registry() { return registry().all(); }

void add_set(SetEntry entry) { registry().add(std::move(entry)); }

AnySet make_set(const spec::Node& node) { return spec::make_registered(set_registry(), "set", node); }

}  // namespace tarry
