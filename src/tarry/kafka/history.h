// A model's history between a partition and tarry-replay/2.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tarry/kafka/client.h"
#include "tarry/kafka/topics.h"

namespace tarry::kafka {

struct Exported {
  std::uint64_t events = 0;  // lines without the header
  std::string hash;          // of the model at the end
};

// Gives the history of the model that has this name now, line by line: the header, then the events that changed it.
// Throws Error{kBadInput} where there is no such model.
Exported export_model(const Brokers& brokers, const Topics& topics, const std::string& name,
                      const std::function<void(std::string_view line)>& line);

// What to send for a line of a history: {"create": SPEC} for the header, the line itself for an event. Throws
// Error{kBadInput}.
class HistoryToRecords {
 public:
  std::string record(std::string_view line);  // empty: nothing to send

 private:
  bool started_ = false;
};

}  // namespace tarry::kafka
