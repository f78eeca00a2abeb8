// The losses that a specification can name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tarry/losses/loss.h"
#include "tarry/spec/node.h"

namespace tarry {

struct LossEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  AnyLoss (*make)(const spec::Node& node);
  std::vector<std::string> examples;
};

// Every entry: those of this library, then those that others added. From the first call on, nothing can be added.
std::span<const LossEntry> loss_registry();

// Adds a loss of another library; throws as add_set does.
void add_loss(LossEntry entry);

// An object with a `type`, or the type's name alone.
AnyLoss make_loss(const spec::Node& node);

}  // namespace tarry
