// The sets that a specification can name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tarry/sets/any_set.h"
#include "tarry/spec/node.h"

namespace tarry {

struct SetEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  AnySet (*make)(const spec::Node& node);  // reads its keys in braces, which fix the order, and so the first complaint
  std::vector<std::string> examples;       // small specs, in JSON: shown to users, and run by the conformance suite
};

// Every entry: those of this library, then those that others added. From the first call on, nothing can be added.
std::span<const SetEntry> set_registry();

// Adds a set of another library. Throws Error{kInternal} when its name is taken, or when the registry has been used:
// what a specification can name must not depend on when it is asked. Any thread may call it.
void add_set(SetEntry entry);

// The set that `node` describes; throws Error naming the key that is wrong.
AnySet make_set(const spec::Node& node);

}  // namespace tarry
