// Any bytes as a snapshot, once as they come and once correctly sealed: a learner loads them or throws Error, and one
// that has loaded can be played on.
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/learners/snapshot.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace {

using namespace tarry;

AnyLearner make(const char* set, const char* learner) {
  const spec::Value set_spec = spec::parse_json(set), learner_spec = spec::parse_json(learner);
  return make_learner(spec::Node(learner_spec, "learner"), {make_set(spec::Node(set_spec, "set")), {}});
}

void load_and_play(AnyLearner learner, std::string_view snapshot) {
  try {
    load_learner(learner, snapshot);
  } catch (const Error&) {
    return;
  }
  const Vec g{1, -2, 3};
  Memo memo;
  for (Round t = 1; t <= 3; ++t) {
    learner.play(t, nullptr, memo);
    learner.receive(t, {.gradient = Covector::dense(g)}, memo);
    Vec x(3);
    learner.write(x);
  }
  save_learner(learner);
}

void try_all(std::string_view snapshot) {
  constexpr const char* kL1 = R"({"type": "l1_ball", "dimension": 3, "radius": 2})";
  constexpr const char* kL2 = R"({"type": "l2_ball", "dimension": 3, "radius": 2})";
  constexpr const char* kSimplex = R"({"type": "simplex", "dimension": 3})";
  constexpr const char* kOfw = R"({"type": "delayed_ofw", "eta": 0.5, "storage": "sparse"})";
  constexpr const char* kOfwSc = R"({"type": "delayed_ofw_sc", "beta": 0.5})";
  load_and_play(make(kL1, kOfw), snapshot);
  load_and_play(make(kSimplex, kOfwSc), snapshot);
  load_and_play(make(kL2, kOfwSc), snapshot);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_all(bytes);
  try_all(seal_snapshot(bytes));
  return 0;
}
