// For monitoring: who owns the partitions of a topic in a group, and where the partitions end.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

struct Owner {
  std::string name;  // the instance's, or else what the group calls the member
  std::string host;

  bool operator==(const Owner&) const = default;
};

class GroupWatch {
 public:
  GroupWatch(const Brokers& brokers, std::string group, std::string topic, int partitions);
  ~GroupWatch();

  // By partition; those without an owner are not in it. Throws Error{kIo} when no broker answers in time.
  std::map<int, Owner> owners(int wait_ms);
  // By partition; -1: nobody told in time. Throws Error{kIo} when nothing is known at all.
  std::vector<Offset> ends(int wait_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tarry::kafka
