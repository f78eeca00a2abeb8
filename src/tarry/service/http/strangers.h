// Connections that have not shown a valid token. They may be so many, in all and from one address; a new one beyond
// that is taken, and one of the older half of those in its way has to go: a client with something to say says it at
// once, and one that only holds a connection loses it. Which one is drawn: if it were always the oldest, then beside a
// flood from its address a client that needs longer than the flood takes to fill its places would never be heard,
// however often it comes again. No header is believed about addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tarry/base/random.h"

namespace tarry::service {

class Stranger {
 public:
  virtual ~Stranger() = default;
  virtual void turn_away() = 0;  // from any thread
};

class Strangers {
 public:
  struct Limits {
    std::size_t all = 512;
    std::size_t of_one_address = 256;
  };
  using Id = std::uint64_t;

  explicit Strangers(Limits limits) : limits_(limits) {}

  Id add(const std::string& address, const std::shared_ptr<Stranger>& who);
  void remove(Id id);  // it ends, or is none any more; one that had to go is not there
  // Makes room, at the address that has most. False: there is none.
  bool drop_one();
  std::size_t size() const;

 private:
  struct Known {
    std::string address;
    std::weak_ptr<Stranger> who;
  };
  std::shared_ptr<Stranger> taken_out(Id id);  // with the mutex held
  const std::set<Id>& of_most() const;
  Id one_of_the_older_half(const std::set<Id>& ids);

  Limits limits_;
  mutable std::mutex mutex_;
  Id last_ = 0;
  RandomSequence draw_{1};
  std::map<Id, Known> all_;
  std::map<std::string, std::set<Id>> by_address_;
};

// Addresses that one machine has at will count as one: of IPv6 the first 64 bits.
std::string counted_address(const std::string& address);

}  // namespace tarry::service
