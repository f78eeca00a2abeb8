#include "tarry/sets/registry.h"

#include "tarry/sets/box.h"
#include "tarry/sets/ellipsoid.h"
#include "tarry/sets/fantope.h"
#include "tarry/sets/group_ball.h"
#include "tarry/sets/hull.h"
#include "tarry/sets/hypersimplex.h"
#include "tarry/sets/k_sparse.h"
#include "tarry/sets/l1_ball.h"
#include "tarry/sets/l2_ball.h"
#include "tarry/sets/linf_ball.h"
#include "tarry/sets/lp_ball.h"
#include "tarry/sets/nuclear_ball.h"
#include "tarry/sets/permutahedron.h"
#include "tarry/sets/product.h"
#include "tarry/sets/scale.h"
#include "tarry/sets/schatten_ball.h"
#include "tarry/sets/simplex.h"
#include "tarry/sets/spectrahedron.h"
#include "tarry/sets/translate.h"
#include "tarry/sets/unit_simplex.h"
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
