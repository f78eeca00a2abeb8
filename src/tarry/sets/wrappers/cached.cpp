#include "tarry/sets/wrappers/cached.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "tarry/sets/registry.h"

namespace tarry {

struct Cached::Memory {
  struct Answer {
    Vec direction;
    Atom vertex;
  };
  using List = std::array<std::shared_ptr<const Answer>, 8>;

  List snapshot() {
    const std::lock_guard lock(mutex);
    return last;
  }
  void put_first(std::shared_ptr<const Answer> answer) {
    const std::lock_guard lock(mutex);
    std::rotate(last.begin(), last.end() - 1, last.end());
    last.front() = std::move(answer);
  }

  std::mutex mutex;
  List last;  // the latest first
};

Cached::Cached(AnySet set) : set_(std::move(set)), memory_(std::make_shared<Memory>()) {}

SetEntry Cached::entry() {
  return {.name = "cached",
          .summary = "another set whose last answers are remembered, for directions that come again",
          .keys = {{"set", "a set", ""}},
          .make = [](const spec::Node& node) -> AnySet { return Cached(make_set(node.at("set", "a set"))); },
          .examples = {R"({"type": "cached", "set": {"type": "birkhoff", "size": 2}})",
                       R"({"type": "cached", "set": {"type": "ellipsoid", "semi_axes": [1, 0.5]}})"}};
}

// Only a direction that is there in full can be compared; the others' oracles are cheap, or have slack.
Atom Cached::oracle(const Direction& direction) const {
  if (need() != Need::kDense || direction.slack() != 0) return set_.oracle(direction);
  const auto c = direction.dense();
  for (const auto& answer : memory_->snapshot())
    if (answer && std::memcmp(answer->direction.data(), c.data(), c.size_bytes()) == 0) return answer->vertex;
  Atom vertex = set_.oracle(direction);
  memory_->put_first(std::make_shared<const Memory::Answer>(Memory::Answer{Vec(c.begin(), c.end()), vertex}));
  return vertex;
}

}  // namespace tarry
