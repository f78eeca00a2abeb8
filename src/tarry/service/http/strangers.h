// Connections that have not shown a valid token. They may be so many, in all and from one address; a new one beyond
// that is taken, and the oldest of those in its way has to go: whoever has something to say says it at once, and
// whoever only holds a connection loses it first. No header is believed about addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

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
  // Makes room: the oldest from the address that has most. False: there is none.
  bool drop_one();
  std::size_t size() const;

 private:
  struct Known {
    std::string address;
    std::weak_ptr<Stranger> who;
  };
  std::shared_ptr<Stranger> taken_out(Id id);  // with the mutex held
  Id oldest_of_most() const;

  Limits limits_;
  mutable std::mutex mutex_;
  Id last_ = 0;
  std::map<Id, Known> all_;
  std::map<std::string, std::set<Id>> by_address_;
};

// Addresses that one machine has at will count as one: of IPv6 the first 64 bits.
std::string counted_address(const std::string& address);

}  // namespace tarry::service
