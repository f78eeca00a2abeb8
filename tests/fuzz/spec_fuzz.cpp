// Any JSON as a set or a learner: it is made or refused with Error, and what is made can be used.
#include <cmath>
#include <cstdlib>

#include "small.h"
#include "tarry/base/error.h"
#include "tarry/geometry/dense_direction.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace {

using namespace tarry;

void expect(bool holds) {
  if (!holds) std::abort();
}

void use(const AnySet& set, bool plain) {
  const auto n = static_cast<std::size_t>(set.dimension());
  expect(n > 0 && set.diameter() >= 0);
  expect(!plain || set.contains(set.start().dense(), 1e-9));
  Vec c(n), v(n);
  for (std::size_t i = 0; i < n; ++i) c[i] = static_cast<double>((7 * i + 3) % 11) - 5;
  const Atom vertex = set.oracle(DenseDirection(c, set.shape()));
  write(vertex, v);
  expect(!plain || set.contains(v, 1e-6));
  expect(!plain || std::isfinite(inner(vertex, c)));
}

// {"set": …, "learner": …, "initial": […]}, or a set alone.
void make(const spec::Value& value) {
  const spec::Node node(value, "input");
  if (!node.has("learner")) return use(make_set(node), fuzz::is_plain(value));
  LearnerSetting setting{make_set(node.at("set")), {}};
  if (const auto initial = node.find("initial")) setting.initial = initial->numbers();
  AnyLearner learner = make_learner(node.at("learner"), setting);
  use(setting.set, fuzz::is_plain(value));
  Memo memo;
  learner.play(1, nullptr, memo);
  Vec g(static_cast<std::size_t>(setting.set.dimension()), 1.5);
  learner.receive(1, {.gradient = Covector::dense(g)}, memo);
  learner.write(g);
  expect(!fuzz::is_plain(value) || setting.set.contains(g, 1e-6));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  try {
    const spec::Value value = spec::parse_json({reinterpret_cast<const char*>(data), size});
    const spec::Value again = spec::parse_json(spec::to_json(value));
    expect(spec::to_json(again) == spec::to_json(value));
    expect(spec::brief(value).size() <= 80);
    if (fuzz::is_small(value)) make(value);
  } catch (const Error&) {
  }
  return 0;
}
