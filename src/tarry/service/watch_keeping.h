// Keeps what the watch remembers in the folder `watch` of a store: a file for each model, named by its incarnation, and
// one for all together. Each is written every few minutes if there is news, and at the end. What cannot be written or
// read is not there: history is no reason to stop a service.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tarry/service/models/service.h"
#include "tarry/store/disk/disk.h"

namespace tarry::service {

// One thread at a time.
class WatchKeeping {
 public:
  // Gives the service's models the history that was kept. The disk and the service must outlive it.
  WatchKeeping(store::Disk& disk, const std::string& store, Service& service);

  void tick();      // once a second: some of the models
  void keep_all();  // that have news

 private:
  void keep(Served& served);
  void keep_total();
  void forget_deleted();

  store::Disk& disk_;
  std::string folder_;
  Service& service_;
  std::uint64_t ticks_ = 0;
  std::map<hosting::Position, std::uint64_t> kept_;  // by incarnation, the timeline's revision as it was kept
};

}  // namespace tarry::service
