// Uses every public layer through the installed headers: a spec, a model made from it, a snapshot.
#include <cstdio>

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/model/replay.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/toml.h"

int main() {
  const tarry::spec::Value spec = tarry::spec::parse_toml("type = \"l1_ball\"\ndimension = 3\nradius = 2\n");
  const tarry::AnySet set = tarry::make_set(tarry::spec::Node(spec, "set"));
  const tarry::spec::Value rule = tarry::spec::parse_json(R"({"type": "delayed_ofw", "eta": 0.5})");
  tarry::AnyLearner learner = tarry::make_learner(tarry::spec::Node(rule, "learner"), {set, {}});
  const std::string saved = tarry::save_learner(learner);
  tarry::load_learner(learner, saved);

  tarry::Replay replay;
  replay.line(R"({"format": "tarry-replay/1", "set": {"type": "simplex", "dimension": 2},)"
              R"( "learner": {"type": "delayed_ofw_sc", "beta": 1}})");
  replay.line(R"({"play": 1})");
  const tarry::Vec played = replay.model().decision();
  std::printf("tarry %s: dimension %d, plays %g %g\n", tarry::kVersion, static_cast<int>(set.dimension()), played[0],
              played[1]);
  try {
    replay.line(R"({"play": 7})");
  } catch (const tarry::Error& error) {
    std::printf("%s\n", error.what());
    return 0;
  }
  return 1;
}
