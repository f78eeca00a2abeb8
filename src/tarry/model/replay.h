// Replay of a recorded history, line by line: the formats tarry-replay/1 (a game of gradients) and tarry-replay/2 (a
// model and all of its events) of docs/replay.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/told.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry {

class Replay {
 public:
  Replay() = default;
  // The model continues from this snapshot instead of from the beginning; its header must name the same model.
  explicit Replay(std::string_view snapshot) : snapshot_(snapshot) {}

  // Takes the log's next line and gives the line that answers it; empty: there is nothing to say. Throws Error whose
  // message begins "line N: ".
  std::string line(std::string_view text);
  // To be called after the last line: a log needs at least its header.
  void finish() const;
  // {"rounds", "outstanding", "hash"}
  std::string last_line() const;

  bool started() const { return model_.has_value(); }
  const Model& model() const { return *model_; }

 private:
  std::string read(std::string_view text);
  void start(std::string_view text);
  std::string apply_game_event(const spec::Node& node);

  std::size_t lines_ = 0;
  bool game_ = false;  // tarry-replay/1
  spec::JsonReader json_;
  std::optional<std::string_view> snapshot_;
  std::optional<Model> model_;
  Told told_;  // since this log began: a snapshot has none of it
};

}  // namespace tarry
