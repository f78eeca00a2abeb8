// The live service behind HTTP: requests become events, events are folded into models and written to the log, and an
// answer is given once all it rests on is durable. Every member may be called from any thread; replies come from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/model/model_spec.h"
#include "tarry/service/clock.h"
#include "tarry/service/committer.h"
#include "tarry/service/host.h"
#include "tarry/service/served.h"
#include "tarry/service/watch.h"

namespace tarry::service {

struct FeedbackBatch;

struct ServiceSetting {
  SecretKey key{};
  std::uint64_t epoch = 0;                    // of this opening
  std::function<std::string()> opening = {};  // its entry, which the log gets first; nothing: it is there already
  ServiceLimits limits = {};
  std::size_t workers = 4;
  std::function<void(const std::string& why)> broken = {};  // the log failed: must end the process
  // The log has no room, after it had; and again after it had none.
  std::function<void(const std::string& why)> full = {};
  std::function<void()> room_again = {};
};

// The log and the clock must outlive it. It takes over the models that were recovered: nobody else may touch them from
// then on. A Reply is kept until it was called, once; names and requests are copied or moved in.
class Service : public Host {
 public:
  Service(store::Log& log, const store::Models& recovered, const Clock& clock, ServiceSetting setting);
  ~Service() override;  // after stop()

  void create(const std::string& name, spec::Value spec, Reply reply) override;
  void create_from(const std::string& name, std::string state, Reply reply) override;
  void remove(const std::string& name, Reply reply) override;
  void list(const Reply& reply) const override;
  void describe(const std::string& name, Reply reply) override;
  void view(const std::string& name, Reply reply) override;
  void snapshot_of(const std::string& name, Reply reply) override;
  void decide(const std::string& name, DecideRequest request, Reply reply) override;
  void predict(const std::string& name, std::vector<Features> features, bool batch, Reply reply) override;
  void feedback(FeedbackRequest request, Reply reply) override;
  std::optional<RoundName> open_ticket(std::string_view text, FeedbackItem& item) const override;
  const ServiceLimits& limits() const override { return setting_.limits; }
  Counters& counters() override { return counters_; }

  // Where the disk was full, sees whether it still is: nobody may be asking.
  void look_for_room();
  // Gives up the rounds whose time has passed.
  void expire_overdue();
  bool gives_up_by_time() const;  // a round waits whose time will pass
  // How many rounds of each model would be overdue if it were so much later; `then` is called from any thread.
  void count_overdue(std::int64_t later_ms, std::function<void(spec::Object by_model)> then);
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

  Watch& watch() { return watch_; }
  const Committer& committer() const { return committer_; }
  const ServedModels& models() const { return models_; }
  const Clock& clock() const { return clock_; }
  bool full() const { return full_; }
  // Why nothing can be written now; nothing: it can.
  std::optional<std::string> cannot_write() const;

 private:
  using Work = std::function<Response(Served&)>;
  // Runs `work` on the model's lane and answers when the model's state is durable.
  void on_lane(const ServedPointer& served, Reply reply, Work work, bool when_durable = true);
  void on_lane(const std::string& name, Reply reply, Work work, bool when_durable = true);
  Refusal overloaded();
  Committer::Room reserve(std::size_t records, std::size_t bytes);
  void check_memory() const;  // throws Refusal where the limit is reached
  store::Folded fold(Served& served, const store::Apply& entry);
  void append(Served& served, Committer::Room room, const std::vector<std::string>& entries);
  Response create_now(const std::string& name, const spec::Value& spec);
  void restore_now(const std::string& name, const std::string& state, const Reply& reply);
  Position add_model(const store::Create& create, const ModelSpec& spec);
  Response decide_now(Served& served, DecideRequest& request);  // once: its plays are taken
  std::string decision_json(const Served& served, const store::Folded& folded) const;
  void check_in_flight(Served& served, const std::string& key) const;
  void feed_now(Served& served, const std::vector<std::size_t>& which, FeedbackBatch& batch);
  void check_ticket(const Served& served, const FeedbackItem& item);
  void expire_now(Served& served, std::int64_t before_ms);
  store::FrozenHosted freeze(Served& served);

  const Clock& clock_;
  ServiceSetting setting_;
  Counters counters_;
  Watch watch_;
  std::atomic<bool> full_ = false;               // a reservation failed, and none of its size was granted since
  std::atomic<bool> lacks_descriptors_ = false;  // and this is why
  std::atomic<std::size_t> wanted_ = 0;          // the largest that failed
  Committer committer_;
  ServedModels models_;
  Workers workers_;
  std::shared_ptr<Lane> creation_;  // one model is made at a time
  std::shared_ptr<Lane> copies_;    // and one snapshot is written for a client at a time
};

}  // namespace tarry::service
