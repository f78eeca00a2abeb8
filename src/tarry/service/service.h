// The live service behind HTTP: requests become events, events are folded into models and written to the log, and an
// answer is given once all it rests on is durable. Every member may be called from any thread; replies come from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarry/model/model_spec.h"
#include "tarry/service/clock.h"
#include "tarry/service/committer.h"
#include "tarry/service/counters.h"
#include "tarry/service/errors.h"
#include "tarry/service/http.h"
#include "tarry/service/lanes.h"
#include "tarry/service/served.h"
#include "tarry/service/ticket.h"
#include "tarry/service/watch.h"
#include "tarry/spec/value.h"

namespace tarry::service {

struct ServiceLimits {
  std::size_t models = 1000;
  std::int64_t dimension = 10'000'000;     // of a model's decision
  std::uint64_t outstanding = 10'000'000;  // rounds of a model that wait
  std::size_t batch = 10'000;              // decisions or labels in one request
  Lane::Limits lane = {};
};

struct ServiceSetting {
  SecretKey key{};
  std::uint64_t epoch = 0;  // of this opening: its record is in the log already
  ServiceLimits limits = {};
  std::size_t workers = 4;
  std::function<void(const std::string& why)> broken = {};  // the log failed: must end the process
};

struct DecideRequest {
  std::vector<Play> plays;
  bool batch = false;  // answered with a list
  std::optional<store::Once> once;
};

struct FeedbackItem {
  std::optional<Ticket> ticket = std::nullopt;
  std::string model = {};  // where there is no ticket: the event names the round by its key
  Event event = Void{Round{1}};
  std::optional<Refusal> refused = std::nullopt;  // what was wrong with its form
};

class Service {
 public:
  Service(store::Log& log, const store::Models& recovered, const Clock& clock, ServiceSetting setting);
  ~Service();  // after stop()

  void create(const std::string& name, spec::Value spec, Reply reply);
  // A model that goes on from a state, as snapshot_of gives it.
  void create_from(const std::string& name, std::string state, Reply reply);
  void remove(const std::string& name, Reply reply);
  void list(const Reply& reply) const;
  void describe(const std::string& name, Reply reply);
  void view(const std::string& name, Reply reply);  // what its page shows
  void snapshot_of(const std::string& name, Reply reply);
  void decide(const std::string& name, DecideRequest request, Reply reply);
  void predict(const std::string& name, std::vector<Features> features, bool batch, Reply reply);
  void feedback(std::vector<FeedbackItem> items, bool batch, Reply reply);

  // Where the disk was full, sees whether it still is: nobody may be asking.
  void look_for_room();
  // Gives up the rounds whose time has passed.
  void expire_overdue();
  // What a snapshot of now begins with, and the models in it; then the whole of it, piece by piece. A model may be
  // saved later than the others, at its own position; save returns once the log is durable up to there.
  struct Saving {
    store::StateHead head;
    std::vector<ServedPointer> models;
  };
  Saving begin_save();
  void save(const Saving& saving, const std::function<void(std::string_view piece)>& sink);
  // No task runs any more, and all that was appended is durable.
  void stop();

  const SecretKey& key() const { return setting_.key; }
  Counters& counters() { return counters_; }
  Watch& watch() { return watch_; }
  const Committer& committer() const { return committer_; }
  const ServedModels& models() const { return models_; }
  const ServiceLimits& limits() const { return setting_.limits; }
  const Clock& clock() const { return clock_; }
  bool full() const { return full_; }

 private:
  using Work = std::function<Response(Served&)>;
  struct Batch;
  // Runs `work` on the model's lane and answers when the model's state is durable.
  void on_lane(const ServedPointer& served, Reply reply, Work work, bool when_durable = true);
  void on_lane(const std::string& name, Reply reply, Work work, bool when_durable = true);
  Refusal overloaded();
  Committer::Room reserve(std::size_t records, std::size_t bytes);
  store::Folded fold(Served& served, const store::Apply& entry);
  void append(Served& served, Committer::Room room, const std::vector<std::string>& entries);
  Response create_now(const std::string& name, const spec::Value& spec);
  void restore_now(const std::string& name, const std::string& state, const Reply& reply);
  Position add_model(const store::Create& create, const ModelSpec& spec);
  Response decide_now(Served& served, const DecideRequest& request);
  std::string decision_json(const Served& served, const store::Folded& folded) const;
  void check_in_flight(Served& served, const std::string& key) const;
  void feed_now(Served& served, const std::vector<std::size_t>& which, Batch& batch);
  std::string feedback_json(const store::Folded& folded);
  void check_ticket(const Served& served, const FeedbackItem& item);
  void expire_now(Served& served, std::int64_t before_ms);

  const Clock& clock_;
  ServiceSetting setting_;
  Counters counters_;
  Watch watch_;
  std::atomic<bool> full_ = false;  // the last reservation failed
  Committer committer_;
  ServedModels models_;
  Workers workers_;
  std::shared_ptr<Lane> creation_;  // one model is made at a time
};

}  // namespace tarry::service
