// What a model answers an event with: values, and their one form as JSON, the same in a replay, over HTTP and in a
// queue.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarry/model/event.h"
#include "tarry/model/model.h"

namespace tarry {

// "applied", "duplicate", "unknown", "expired", "conflict" or "untracked".
std::string_view name_of(Answer answer);

// A prediction as clients see it: in the labels' units, or the likeliest class with the probability of each.
struct ShownPrediction {
  std::optional<LabelValue> value = std::nullopt;  // nothing: no class has a name yet
  std::optional<std::vector<std::pair<std::string, double>>> scores = std::nullopt;

  bool operator==(const ShownPrediction&) const = default;
};
ShownPrediction shown_prediction(const Model& model, const Model::Outcome& outcome);

struct ShownDecision {
  Vec x;
  std::vector<std::string> names;  // of its coordinates; empty: they have none

  bool operator==(const ShownDecision&) const = default;
};

struct PlayReply {
  Round round = 0;
  std::optional<ShownPrediction> prediction = std::nullopt;  // of a play with features
  std::optional<ShownDecision> decision = std::nullopt;      // of one without; a repeated one has none
  std::optional<SparseVector> sample = std::nullopt;         // of a learner that draws
  std::optional<Vec> probe = std::nullopt;                   // of one that wants the loss at two points
  Answer answer = Answer::kApplied;
  std::optional<Choice> choice = std::nullopt;  // of a play that chooses

  bool operator==(const PlayReply&) const = default;
};
PlayReply reply_to_play(const Model& model, const Play& play, const Model::Outcome& outcome);

// The members of an object, without its braces. {"round", "prediction"}, for classes the likeliest name and "scores"
// by name, or {"round", "decision"}; one whose learner samples has "sample": {"indices", "values"}, one that wants the
// loss at two points "probe", and a repeated one "answer": "duplicate" too. One that chooses has {"round", "action",
// "probability", "ranking": [{"id", "probability", "reward"}, …]}, and "shown" where that was something else; of a
// repeated one there is no ranking.
void append_members(std::string& out, const PlayReply& reply);
void append_members(std::string& out, const ShownPrediction& prediction);
std::string to_json(const PlayReply& reply);
// Gives back what to_json was given, to the bit. Throws Error{kCorrupt}.
PlayReply read_play_reply(const spec::Value& json);
PlayReply read_play_reply(std::string_view json);

// Of a play its reply; of feedback that was not applied {"round" or "key", "answer"}. Empty for feedback that was.
std::string reply_json(const Model& model, const Event& event, const Model::Outcome& outcome);

}  // namespace tarry
