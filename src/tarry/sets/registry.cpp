#include "tarry/sets/registry.h"

#include "tarry/sets/balls/ellipsoid.h"
#include "tarry/sets/balls/group_ball.h"
#include "tarry/sets/balls/l1_ball.h"
#include "tarry/sets/balls/l2_ball.h"
#include "tarry/sets/balls/linf_ball.h"
#include "tarry/sets/balls/lp_ball.h"
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
#include "tarry/sets/wrappers/product.h"
#include "tarry/sets/wrappers/scale.h"
#include "tarry/sets/wrappers/translate.h"
#include "tarry/spec/registry.h"

namespace tarry {

std::span<const SetEntry> set_registry() {
  static const std::vector<SetEntry> entries = {
      L1Ball::entry(),    L2Ball::entry(),        LinfBall::entry(),    LpBall::entry(),       Box::entry(),
      Simplex::entry(),   UnitSimplex::entry(),   Ellipsoid::entry(),   Hypersimplex::entry(), KSparse::entry(),
      GroupBall::entry(), Permutahedron::entry(), NuclearBall::entry(), SchattenBall::entry(), Spectrahedron::entry(),
      Fantope::entry(),   Hull::entry(),          Product::entry(),     Translate::entry(),    Scale::entry(),
  };
  return entries;
}

AnySet make_set(const spec::Node& node) { return spec::make_registered(set_registry(), "set", node); }

}  // namespace tarry
