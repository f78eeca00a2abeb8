// Takes a model back to where it was when code written in Python throws in the middle of an event. It keeps the model's
// state from time to time, the events since then, and what that code answered to them: to go back it loads the state
// and plays the events again, without calling that code. A state is kept again only when as much has been noted as it
// is long, so that an event costs what it brings, however large the model is.
#pragma once

#include <string>
#include <vector>

#include "own.h"
#include "tarry/model/model.h"

namespace tarry::python {

class Rewind {
 public:
  explicit Rewind(Own own) : own_(std::move(own)) {}

  // Before something that may throw; then either `done`, or `go_back`, after which the model is as it was.
  void begin(const Model& model);
  void note(Event event);  // was applied since
  void done() { own_->answers.off(); }
  void go_back(Model& model);

 private:
  void keep(const Model& model);

  Own own_;
  bool kept_ = false;
  bool lost_ = false;           // it could not go back: a learner's load failed
  std::string state_;           // when it was last kept
  std::vector<Event> events_;   // since then
  std::size_t bytes_ = 0;       // of these, about
  std::size_t begun_ = 0;       // how many there were at `begin` …
  std::size_t plays_ = 0;       // … and how many plays of learners written in Python
  std::string learner_before_;  // where such learners are there: only they can say what they were
};

}  // namespace tarry::python
