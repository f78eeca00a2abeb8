// When simulated feedback arrives: a delay of d rounds is delivered at the end of round t + d − 1.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tarry/ledger/round.h"
#include "tarry/linalg/covector.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

// What a round's feedback will say: nobody works it out unless it is asked for.
using AskGradient = std::function<Covector()>;

class Delays {
 public:
  virtual ~Delays() = default;
  // Round t was played. Only an adversary asks what its feedback will say.
  virtual void played(Round t, const AskGradient& gradient) = 0;
  // The rounds whose feedback arrives at the end of round t, in the order of arrival: ascending in simulations.
  virtual std::vector<Round> arriving(Round t) = 0;
  // When the feedback of a round arrives, in seconds; nothing: rounds are all that counts.
  virtual std::optional<double> time_of(Round) const { return std::nullopt; }
  // Whether labels that take the place of others arrive, too, each by its own number (world/world.h). Where they do
  // not, the last label of a round is all that comes.
  virtual bool corrects() const { return false; }
  // Whether the feedback of a round that was played never comes, however long one waits.
  virtual bool never(Round) const { return false; }
};

// Makes the delays of a world's own times, with feedback no sooner than `wait` after its round; empty: it has none.
using Recorded = std::function<std::unique_ptr<Delays>(double wait)>;

struct DelayEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  std::unique_ptr<Delays> (*make)(const spec::Node& node, std::uint64_t seed, const Recorded& recorded);
  std::vector<std::string> examples;
};

std::span<const DelayEntry> delay_registry();

// The delays that `node` describes, drawn by `seed`; any type may also have `lost`, the probability that feedback never
// comes.
std::unique_ptr<Delays> make_delays(const spec::Node& node, std::uint64_t seed, const Recorded& recorded = {});

// Feedback at the end of given rounds: entry t has those that arrive after round t, in their order; entry 0 is empty.
std::unique_ptr<Delays> arriving_at(std::vector<std::vector<Round>> rounds);

}  // namespace tarry::lab
