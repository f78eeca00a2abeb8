// The losses that a specification can name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tarry/losses/loss.h"
#include "tarry/spec/node.h"

namespace tarry {

// What predictions are measured by, beside the loss itself.
enum class Measure : std::uint8_t {
  kNone,     // nothing
  kError,    // p − label: root mean square and mean absolute error
  kMargin,   // labels −1 and +1, p > 0 means +1: log loss, accuracy, AUC
  kClasses,  // log loss and accuracy over several classes
  kWealth,   // p is the factor by which wealth grows; there is no label
  kGain,     // what −loss brings in
};

// All that is to be known of a loss before it is made. Whatever other code asks about one loss is here, so that no
// other file need name it (tests/layers/check_names). What follows the examples may be left out.
struct LossEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  AnyLoss (*make)(const spec::Node& node);
  std::vector<std::string> examples;

  Measure measure = Measure::kError;
  // (p − label)²: sums of it are sums of squares, and some label makes any gradient as short as is wanted.
  bool quadratic = false;
  // Where features come in the games that `tarry verify` plays with it; nowhere: there are no such games.
  struct Games {
    bool at_play = false, with_label = false;
  } verify = {};
};

// Every entry: those of this library, then those that others added. From the first call on, nothing can be added.
std::span<const LossEntry> loss_registry();

// Adds a loss of another library; throws as add_set does.
void add_loss(LossEntry entry);

// The entry of this name, or null. Entries live as long as the program.
const LossEntry* loss_entry(const std::string& name);
Measure measure_of(const std::string& name);  // kError where no loss has this name
bool is_quadratic(const std::string& name);

// The loss that is taken where nothing is said but what is measured: the first of the registry, by name.
const std::string& usual_loss(Measure measure);

// An object with a `type`, or the type's name alone.
AnyLoss make_loss(const spec::Node& node);

}  // namespace tarry
