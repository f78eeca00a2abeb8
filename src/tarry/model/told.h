// The feedback that settled rounds received, kept beside the model: repeated feedback is a duplicate and different
// feedback a conflict, at every door alike.
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
  // The answer to an event that the model has taken: its own, or, where it only knows that the round is closed, the
  // one that follows from the feedback the round received.
  Answer answer(const Model& model, const Event& event, const Model::Outcome& outcome) const;
  // The same for feedback to a round that is closed, including one that was declared void.
  Answer compared(const Model& model, const Event& event, const Model::Outcome& outcome) const;
  bool knows(Round round) const { return digests_.find(round).has_value(); }
  // Remembers what was applied.
  void note(const Model& model, const Event& event, const Model::Outcome& outcome);
  // The same for a label that was applied and came with nothing else.
  void note(const Model& model, Round round, const LabelValue& label);

  void save(ByteWriter& out) const { digests_.save(out); }
  void load(ByteReader& in) { digests_.load(in); }

 private:
  SettledDigests digests_;
};

}  // namespace tarry
