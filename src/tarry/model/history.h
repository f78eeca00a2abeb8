// Replay of a model's history, line by line: the format tarry-replay/2 of docs/replay.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry {

inline constexpr std::string_view kHistoryFormat = "tarry-replay/2";

class History {
 public:
  // The log's header. With a snapshot, the model continues from it.
  explicit History(const spec::Value& header, std::optional<std::string_view> snapshot = std::nullopt);

  // Takes the next event and gives the line that answers it; empty: there is nothing to say. Throws Error.
  std::string line(std::string_view text);
  // {"rounds", "outstanding", "hash"}
  std::string last_line() const;

  const Model& model() const { return model_; }

 private:
  spec::JsonReader json_;
  Model model_;
};

}  // namespace tarry
