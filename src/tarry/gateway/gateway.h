// The service in front of Kafka: requests become events, workers fold them, and their outcomes become the answers. It
// keeps no model and no state that another gateway would need.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/gateway/waiting.h"
#include "tarry/hosting/crypto.h"
#include "tarry/kafka/outcome.h"
#include "tarry/service/host/host.h"

namespace tarry::gateway {

struct GatewaySetting {
  hosting::SecretKey secret{};  // that tickets are signed with: all gateways have the same
  service::ServiceLimits limits = {};
  int partitions = 1;
  std::int64_t wait_ms = 10'000;  // for an outcome
  std::function<std::int64_t()> now_ms = {};
  std::function<bool()> ready = {};  // outcomes are being read: before, nobody would hear of them
  std::function<int(std::string_view model)> partition_of = {};
  // Sends an event under a number of ours; `waiting` hears what becomes of it.
  std::function<void(int partition, std::string_view model, std::string_view event, Waiting::Id id)> send = {};
};

class Gateway : public service::Host {
 public:
  Gateway(GatewaySetting setting, Waiting& waiting) : setting_(std::move(setting)), waiting_(waiting) {}

  void create(const std::string& name, spec::Value spec, hosting::ReplyTo reply_to) override;
  void remove(const std::string& name, hosting::ReplyTo reply_to) override;
  void decide(const std::string& name, service::DecideRequest request, hosting::ReplyTo reply_to) override;
  void feedback(service::FeedbackRequest request, hosting::ReplyTo reply_to) override;
  void challenge(const std::string& name, const std::string& challenger, spec::Value given,
                 hosting::ReplyTo reply_to) override;
  void dismiss(const std::string& name, const std::string& challenger, hosting::ReplyTo reply_to) override;
  void promote(const std::string& name, const std::string& challenger, hosting::ReplyTo reply_to) override;
  void activate(const std::string& name, const std::string& key, hosting::ReplyTo reply_to) override;
  std::optional<RoundName> open_ticket(std::string_view text, service::FeedbackItem& item) const override;
  service::Keeper& keeper(service::Keeper::Call call) override;  // throws: a gateway keeps no model
  const service::ServiceLimits& limits() const override { return setting_.limits; }
  service::Counters& counters() override { return counters_; }

 private:
  struct Deciding;
  // Calls `done` once with what became of it. Throws Rejection where it cannot be sent now; nothing is called then.
  void post(const std::string& model, const std::string& event, bool for_outcome, Waiting::Done done);
  // The outcome in the news. Throws Rejection where there is none, and where it is one.
  kafka::RecordOutcome outcome_in(const News& news) const;
  hosting::Decided decided(const std::string& model, const Play& play, bool chosen_key, bool async, const News& news);
  std::variant<hosting::Accepted, hosting::Queued, hosting::Rejection> fed(const service::FeedbackItem& item,
                                                                           bool async, const News& news);
  void change(hosting::ChallengerChanged change, const std::string& record, hosting::ReplyTo reply_to);
  hosting::Queued queued(const std::string& model, Offset offset) const;

  GatewaySetting setting_;
  Waiting& waiting_;
  service::Counters counters_;
};

}  // namespace tarry::gateway
