// Reads all partitions of a topic together, each from its last record on, as they grow.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

class TailReader {
 public:
  TailReader(const Brokers& brokers, const std::string& topic, int partitions);
  ~TailReader();

  // Visits the next record, if one comes in time. Throws Error{kIo} for what cannot be waited out.
  bool poll(int wait_ms, const std::function<void(const Record&)>& visit);
  // Every partition has been read to its end once: from then on nothing new is missed.
  bool began() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tarry::kafka
