// A hosted model as it was at one position of the log, for another thread to save while the model goes on.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tarry/base/shared.h"
#include "tarry/base/shared_map.h"
#include "tarry/hosting/challenger.h"
#include "tarry/hosting/log.h"
#include "tarry/hosting/retries.h"
#include "tarry/model/event.h"
#include "tarry/model/frozen_model.h"
#include "tarry/model/told.h"

namespace tarry::hosting {

// Rounds that wait to be activated, with the labels that came meanwhile.
using DeferredRounds = SharedMap<Shared<std::vector<Label>>>;

inline constexpr std::uint8_t kDeferredFormat = 1;
inline constexpr std::uint8_t kChallengersFormat = 1;

struct FrozenHosted {
  std::string name;
  Position incarnation = 0, position = 0;
  std::vector<std::pair<Round, std::uint64_t>> epochs;
  SharedMap<std::int64_t> issued_ms;  // of the rounds that wait
  RetriesKept retries;
  Told told;
  FrozenModel model;
  DeferredRounds deferred;
  std::string champion, first_spec;
  std::vector<FrozenChallenger> challengers;

  // What HostedModel::load reads; `hash` is the model's.
  void save(ByteWriter& out, const std::string& hash) const;
};

}  // namespace tarry::hosting
