// All models of one partition of the events: a pure fold of its records. The same records give the same outcomes and
// the same state, to the bit, whoever folds them; that is what makes a repeat harmless and a takeover safe.
//
// A record's key is the model's name, its value an event as JSON: a line of tarry-replay/2, {"create": SPEC} or
// {"delete": true}. docs/distributed.md states records and outcomes.
#pragma once

#include <string>
#include <string_view>

#include "tarry/kafka/client.h"
#include "tarry/spec/json.h"
#include "tarry/store/models.h"

namespace tarry::kafka {

// Part of the fold: every worker has the same.
inline constexpr std::size_t kLargestOutcome = std::size_t{900} << 10;  // bytes; a broker takes a million
inline constexpr std::int64_t kLargestDimension = 10'000'000;           // of a model's decision

class Partition {
 public:
  // The outcome of the next record, as JSON. What is wrong with a record is its outcome: no record stops a partition.
  // Anything thrown is about this process (its memory is at an end), and the state is of no use then.
  std::string apply(const Record& record);

  Offset next() const { return next_; }  // of the first record that is not in this state
  const store::Models& models() const { return models_; }

  std::string save() const;
  void load(std::string_view bytes);  // throws Error{kCorrupt}; on error it must not be used further

 private:
  std::string fold(const Record& record);
  std::string create(const std::string& name, const spec::Value& spec, const Record& record);
  std::string feed(const store::HostedModel& model, const spec::Value& value, const Record& record);

  Offset next_ = 0;
  store::Models models_;
  spec::JsonReader json_;
};

// A record's event, without what is for the partition alone. Throws Error{kBadInput}.
Event event_of(const spec::Value& value);

// The input offset that an outcome answers; nothing: it is no outcome.
std::optional<Offset> answered_offset(std::string_view outcome);

}  // namespace tarry::kafka
