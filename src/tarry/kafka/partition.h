// All models of one partition of the events: a pure fold of its records. The same records give the same outcomes and
// the same state, to the bit, on any worker; that is what makes a repeat harmless and a takeover safe.
//
// A record's key is the model's name, its value an event as JSON: a line of tarry-replay/2, {"create": SPEC},
// {"delete": true}, or {"challenge": NAME, "with": SPEC}, {"dismiss": NAME}, {"promote": NAME}. docs/distributed.md
// states records and outcomes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/models.h"
#include "tarry/kafka/client.h"
#include "tarry/kafka/outcome.h"
#include "tarry/spec/json.h"

namespace tarry::kafka {

// Part of the fold: every worker has the same.
inline constexpr std::int64_t kLargestDimension = 10'000'000;  // of a model's decision

class Partition {
 public:
  // The outcome of the next record. What is wrong with a record is its outcome: no record stops a partition. Anything
  // thrown is about this process (its memory is at an end), and the state is of no use then.
  RecordOutcome apply(const Record& record);

  Offset next() const { return next_; }  // of the first record that is not in this state
  const hosting::Models& models() const { return models_; }

  std::string save() const;
  void load(std::string_view bytes);  // throws Error{kCorrupt}; on error it must not be used further

 private:
  RecordOutcome fold(const Record& record);
  RecordOutcome create(const std::string& name, const spec::Value& spec, const Record& record);
  std::optional<RecordOutcome> challengers(const hosting::HostedModel& model, const spec::Value& value,
                                           const Record& record);
  RecordOutcome feed(const hosting::HostedModel& model, const spec::Value& value, const Record& record);

  Offset next_ = 0;
  hosting::Models models_;
  spec::JsonReader json_;
};

// A record's event, without what is for the partition alone. Throws Error{kBadInput}.
Event event_of(const spec::Value& value);
// The value of such a record. `since`: an event that the model must have been there at, not a later one of its name.
std::string event_record(const Event& event, std::optional<Offset> since);

}  // namespace tarry::kafka
