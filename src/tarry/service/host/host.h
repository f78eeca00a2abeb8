// What is behind the HTTP routes: a service with its own log, or a gateway to Kafka. Every member may be called
// from any thread; replies come from any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/hosting/entry.h"
#include "tarry/hosting/reply.h"
#include "tarry/hosting/ticket.h"
#include "tarry/model/event.h"
#include "tarry/service/host/counters.h"
#include "tarry/service/lanes/lanes.h"
#include "tarry/spec/value.h"

namespace tarry::service {

using hosting::Rejection;
using hosting::Reply;
using hosting::ReplyTo;

struct ServiceLimits {
  std::size_t models = 1000;
  std::int64_t dimension = 10'000'000;     // of a model's decision
  std::uint64_t outstanding = 10'000'000;  // rounds of a model that wait
  std::size_t batch = 10'000;              // decisions or labels in one request
  std::uint64_t memory = 0;                // bytes of the whole process beyond which nothing is opened; 0: no limit
  Lane::Limits lane = {};
};

struct DecideRequest {
  std::vector<Play> plays;
  bool batch = false;  // answered with a list
  std::optional<hosting::Once> once;
  bool no_wait = false;   // Prefer: respond-async
  bool explain = false;   // also say what each feature adds
  bool deferred = false;  // nothing is learnt of it until it is activated
};

struct PredictRequest {
  std::vector<Features> features;
  bool batch = false;    // answered with a list
  bool explain = false;  // also say what each feature adds
};

struct FeedbackItem {
  std::optional<hosting::Ticket> ticket = std::nullopt;
  std::string model = {};  // where there is no ticket: the event names the round by its key
  Event event = Void{Round{1}};
  std::optional<Rejection> refused = std::nullopt;   // what was wrong with its form
  std::optional<std::int64_t> since = std::nullopt;  // of a gateway's ticket: an event that the model was there at
  bool names_no_part = false;                        // where the model adds labels up, this one is a part of its own
};

struct FeedbackRequest {
  std::vector<FeedbackItem> items;
  bool batch = false;    // answered with a list
  bool no_wait = false;  // Prefer: respond-async
};

struct RoundsRequest {
  RoundName round = Round{0};                            // by its number or its key,
  std::optional<hosting::Ticket> ticket = std::nullopt;  // or by its ticket,
  std::optional<std::uint64_t> alarm = std::nullopt;     // or those behind this one
};

// What only a host that has its models at hand can do.
class Keeper {
 public:
  enum class Call : std::uint8_t {
    kList,
    kDescribe,
    kView,
    kSnapshot,
    kRestore,
    kPredict,
    kChallengers,
    kRounds,
    kQuality
  };
  virtual ~Keeper() = default;

  virtual void list(const ReplyTo& reply_to) const = 0;
  virtual void describe(const std::string& name, ReplyTo reply_to) = 0;
  virtual void view(const std::string& name, ReplyTo reply_to) = 0;     // what its page shows
  virtual void quality(const std::string& name, ReplyTo reply_to) = 0;  // how good it is, as far as is known
  virtual void snapshot_of(const std::string& name, ReplyTo reply_to) = 0;
  // A model that goes on from a state, as snapshot_of gives it.
  virtual void create_from(const std::string& name, std::string state, ReplyTo reply_to) = 0;
  virtual void predict(const std::string& name, PredictRequest request, ReplyTo reply_to) = 0;
  virtual void challengers(const std::string& name, ReplyTo reply_to) = 0;
  // All that is known of one round, or the rounds behind an alarm.
  virtual void rounds(const std::string& name, RoundsRequest request, ReplyTo reply_to) = 0;
};

// What every host can do.
class Host {
 public:
  virtual ~Host() = default;

  virtual void create(const std::string& name, spec::Value spec, ReplyTo reply_to) = 0;
  virtual void remove(const std::string& name, ReplyTo reply_to) = 0;
  // `given`: a specification, or what is to be different in the model's.
  virtual void challenge(const std::string& name, const std::string& challenger, spec::Value given,
                         ReplyTo reply_to) = 0;
  virtual void dismiss(const std::string& name, const std::string& challenger, ReplyTo reply_to) = 0;
  virtual void promote(const std::string& name, const std::string& challenger, ReplyTo reply_to) = 0;
  virtual void decide(const std::string& name, DecideRequest request, ReplyTo reply_to) = 0;
  virtual void feedback(FeedbackRequest request, ReplyTo reply_to) = 0;
  // What was decided under this key, and deferred, was shown. Answered as feedback is.
  virtual void activate(const std::string& name, const std::string& key, ReplyTo reply_to) = 0;

  // The round that a ticket names; whose it is goes into the item. Nothing: the ticket was not made here.
  virtual std::optional<RoundName> open_ticket(std::string_view text, FeedbackItem& item) const = 0;

  // Who has the models at hand. Throws Rejection where nobody here has: it says what does this call's work instead.
  virtual Keeper& keeper(Keeper::Call call) = 0;

  virtual const ServiceLimits& limits() const = 0;
  virtual Counters& counters() = 0;
};

}  // namespace tarry::service
