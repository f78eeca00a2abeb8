// What a model answers an event with, as a line of JSON: the same in a replay, over HTTP and in a queue.
#pragma once

#include <string>

#include "tarry/model/event.h"
#include "tarry/model/model.h"

namespace tarry {

// "applied", "duplicate", "unknown", "expired" or "conflict".
std::string_view name_of(Answer answer);

// Of a play: {"round", "prediction"}, for classes the likeliest name and "scores" by name, or {"round", "decision"}; a
// one whose learner samples has "sample": {"indices", "values"}, and a repeated one "answer": "duplicate" too. Of
// feedback that was not applied: {"round" or "key", "answer"}. Empty for feedback that was.
std::string reply_json(const Model& model, const Event& event, const Model::Outcome& outcome);

// The members of a prediction alone: "prediction": … and, for classes, "scores": {…}.
void append_prediction(std::string& out, const Model& model, const Model::Outcome& outcome);

}  // namespace tarry
