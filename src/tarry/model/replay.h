// Replay of a recorded game, line by line: the format tarry-replay/1 of docs/replay.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "tarry/model/model.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry {

class Replay {
 public:
  struct Played {
    Round round;
    std::span<const double> decision;  // until the next line
  };

  // Takes the log's next line. A play gives its decision. Throws Error whose message begins "line N: ".
  std::optional<Played> line(std::string_view text);
  // To be called after the last line: a log needs at least its header.
  void finish() const;

  bool started() const { return model_.has_value(); }
  const Model& model() const { return *model_; }
  const spec::Value& header() const { return header_; }

 private:
  std::optional<Played> read(std::string_view text);
  void start(std::string_view text);
  Played play(const spec::Node& node);
  void receive(const spec::Node& node);

  std::size_t lines_ = 0;
  spec::JsonReader json_;
  spec::Value header_;
  std::optional<Model> model_;
  Vec decision_;
};

}  // namespace tarry
