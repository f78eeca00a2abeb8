// What settled rounds were told: the passer-on of events keeps it beside the model, so that feedback which comes again
// is a duplicate and feedback that says something else a conflict, at every door alike.
#pragma once

#include <cstdint>

#include "tarry/model/event.h"
#include "tarry/model/model.h"
#include "tarry/model/settled_digests.h"

namespace tarry {

// One number that identifies the contents of feedback, whichever way they were written; the round does not count.
std::uint64_t content_digest(const Event& feedback);

class Told {
 public:
  // The answer to an event that the model has taken: its own, or, where it only knows that the round is closed, what
  // the round was told says.
  Answer answer(const Model& model, const Event& event, const Model::Outcome& outcome) const;
  // The same for feedback to a round that is closed, one that was declared void included: what that was told counts
  // too.
  Answer compared(const Model& model, const Event& event, const Model::Outcome& outcome) const;
  bool knows(Round round) const { return digests_.find(round).has_value(); }
  // Remembers what was applied.
  void note(const Model& model, const Event& event, const Model::Outcome& outcome);

  void save(ByteWriter& out) const { digests_.save(out); }
  void load(ByteReader& in) { digests_.load(in); }

 private:
  SettledDigests digests_;
};

}  // namespace tarry
