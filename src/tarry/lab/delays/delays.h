// When simulated feedback arrives: a delay of d rounds is delivered at the end of round t + d − 1.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tarry/data/formats/dataset.h"
#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

using data::Dataset;

class Delays {
 public:
  virtual ~Delays() = default;
  // Round t was played, and this is what its feedback will say (which only an adversary looks at).
  virtual void played(Round t, const Covector& gradient) = 0;
  // The rounds whose feedback arrives at the end of round t, in the order of arrival: ascending in simulations.
  virtual std::vector<Round> arriving(Round t) = 0;
  // Whether the feedback of a round that was played never comes, however long one waits.
  virtual bool never(Round) const { return false; }
};

struct DelayEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  std::unique_ptr<Delays> (*make)(const spec::Node& node, std::uint64_t seed, const Dataset* recorded);
  std::vector<std::string> examples;
};

std::span<const DelayEntry> delay_registry();

// The delays that `node` describes, drawn by `seed`; any type may also have `lost`, the probability that feedback never
// comes. `recorded` are the delays of the stream's own times, where it has them.
// They must outlive what is made.
std::unique_ptr<Delays> make_delays(const spec::Node& node, std::uint64_t seed, const Dataset* recorded = nullptr);

}  // namespace tarry::lab
