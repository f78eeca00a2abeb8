// The live service behind HTTP: requests become events, events are folded into models and written to the log, and an
// answer is given once all it depends on is durable. Every member may be called from any thread; replies come from any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/hosting/clock.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/host/host.h"
#include "tarry/service/lanes/committer.h"
#include "tarry/service/models/served.h"
#include "tarry/service/watch/watch.h"

namespace tarry::service {

struct FeedbackBatch;

struct ServiceSetting {
  hosting::SecretKey key{};
  std::uint64_t epoch = 0;                    // of this opening
  std::function<std::string()> opening = {};  // its entry, which the log gets first; nothing: it is there already
  ServiceLimits limits = {};
  std::size_t workers = 4;
  bool watches = true;                                      // keeps history for dashboards
  std::function<void(const std::string& why)> broken = {};  // the log failed: must end the process
  // The log has no room, after it had; and again after it had none.
  std::function<void(const std::string& why)> full = {};
  std::function<void()> room_again = {};
};

// The log and the clock must outlive it. It takes over the models that were recovered: nobody else may touch them from
// then on. A reply's way is kept until it was called, once; names and requests are copied or moved in.
class Service : public Host, public Keeper {
 public:
  Service(hosting::Log& log, const hosting::Models& recovered, const hosting::Clock& clock, ServiceSetting setting);
  ~Service() override;  // after stop()

  void create(const std::string& name, spec::Value spec, ReplyTo reply_to) override;
  void remove(const std::string& name, ReplyTo reply_to) override;
  void decide(const std::string& name, DecideRequest request, ReplyTo reply_to) override;
  void feedback(FeedbackRequest request, ReplyTo reply_to) override;
  void activate(const std::string& name, const std::string& key, ReplyTo reply_to) override;
  void challenge(const std::string& name, const std::string& challenger, spec::Value given, ReplyTo reply_to) override;
  void dismiss(const std::string& name, const std::string& challenger, ReplyTo reply_to) override;
  void promote(const std::string& name, const std::string& challenger, ReplyTo reply_to) override;
  void challengers(const std::string& name, ReplyTo reply_to) override;
  void rounds(const std::string& name, RoundsRequest request, ReplyTo reply_to) override;
  std::optional<RoundName> open_ticket(std::string_view text, FeedbackItem& item) const override;
  Keeper& keeper(Call) override { return *this; }
  void list(const ReplyTo& reply_to) const override;
  void describe(const std::string& name, ReplyTo reply_to) override;
  void view(const std::string& name, ReplyTo reply_to) override;
  void quality(const std::string& name, ReplyTo reply_to) override;
  void snapshot_of(const std::string& name, ReplyTo reply_to) override;
  void create_from(const std::string& name, std::string state, ReplyTo reply_to) override;
  void predict(const std::string& name, PredictRequest request, ReplyTo reply_to) override;
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
    hosting::StateHead head;
    std::vector<ServedPointer> models;
  };
  Saving begin_save();
  void save(const Saving& saving, const std::function<void(std::string_view piece)>& sink);
  // No task runs any more, and all that was appended is durable.
  void stop();

  Watch& watch() { return watch_; }
  const Committer& committer() const { return committer_; }
  const ServedModels& models() const { return models_; }
  const hosting::Clock& clock() const { return clock_; }
  bool full() const { return full_; }
  // Why nothing can be written now; nothing: it can.
  std::optional<std::string> cannot_write() const;

 private:
  using Work = std::function<Reply(Served&)>;
  // Runs `work` on the model's lane and answers when the model's state is durable.
  void on_lane(const ServedPointer& served, ReplyTo reply_to, Work work, bool when_durable = true);
  void on_lane(const std::string& name, ReplyTo reply_to, Work work, bool when_durable = true);
  // What a frozen copy of a model is answered with: `look` is called on the model's lane, what it gives beside it.
  using CopyAnswer = std::function<Reply(const FrozenModel& copy)>;
  void answer_from_copy(const ServedPointer& served, const std::shared_ptr<Lane>& beside, ReplyTo reply_to,
                        std::function<CopyAnswer(Served&)> look);
  Rejection overloaded();
  Committer::Room reserve(std::size_t records, std::size_t bytes);
  void check_memory() const;  // throws Rejection where the limit is reached
  hosting::Folded fold(Served& served, const hosting::Apply& entry);
  template <class F>
  auto changing(Served& served, F change);
  void change(Served& served, const std::function<void()>& change);  // the same from other sources
  hosting::ChallengerChanged challenge_now(Served& served, const std::string& challenger, const spec::Value& given);
  hosting::ChallengerChanged dismiss_now(Served& served, const std::string& challenger);
  hosting::ChallengerChanged promote_now(Served& served, const std::string& challenger);
  hosting::FeedbackReplies activate_now(Served& served, const std::string& key);
  void append(Served& served, Committer::Room room, const std::vector<std::string>& entries);
  hosting::Created create_now(const std::string& name, const spec::Value& spec);
  void restore_now(const std::string& name, const std::string& state, const ReplyTo& reply_to);
  Position add_model(const hosting::Create& create, const ModelSpec& spec);
  hosting::Decisions decide_now(Served& served, DecideRequest& request);  // once: its plays are taken
  hosting::Decided decided(const Served& served, hosting::Folded folded) const;
  void check_in_flight(const Served& served, const std::string& key) const;
  void feed_now(Served& served, const std::vector<std::size_t>& which, FeedbackBatch& batch);
  void check_ticket(const Served& served, const FeedbackItem& item);
  void expire_now(Served& served, std::int64_t before_ms);
  hosting::FrozenHosted freeze(Served& served);

  const hosting::Log& log_;  // to look things up
  const hosting::Clock& clock_;
  ServiceSetting setting_;
  Counters counters_;
  Watch watch_{setting_.watches};
  std::atomic<bool> full_ = false;               // a reservation failed, and none of its size was granted since
  std::atomic<bool> lacks_descriptors_ = false;  // and this is why
  std::atomic<std::size_t> wanted_ = 0;          // the largest that failed
  Committer committer_;
  ServedModels models_;
  Workers workers_;
  std::shared_ptr<Lane> creation_;  // one model is made at a time
  std::shared_ptr<Lane> copies_;    // and one snapshot is written for a client at a time
  std::shared_ptr<Lane> hashes_;    // and one model is hashed for a client at a time
  std::shared_ptr<Lane> searches_;  // and the log is searched for one client at a time
};

}  // namespace tarry::service
