// Something to look at: made-up parcels ask whether they will be late, and say later whether they were. Some say it
// twice, and some are never heard of again. Beside them a shop chooses what to offer its visitors, who buy later or not
// at all.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tarry/service/models/service.h"

namespace tarry::service {

inline constexpr std::string_view kDemoModel = "parcels";
inline constexpr std::string_view kDemoChoices = "offers";

// Who asks and answers. One thread at a time; the service must outlive it.
class DemoPeople {
 public:
  using Labels = std::multimap<std::int64_t, FeedbackItem>;  // by when they are known

  explicit DemoPeople(Service& service, Labels labels = {}) : service_(service), labels_(std::move(labels)) {}
  void make_models();
  void act(std::uint64_t number);  // one parcel and one visitor, and what is known by now of those before
  Labels take() { return std::move(labels_); }

 private:
  void ask(std::uint64_t parcel);
  void offer(std::uint64_t visitor);
  // Makes the decision, and the item that its feedback comes in; nothing: it was refused.
  std::optional<FeedbackItem> decide(std::string_view model, Play play, hosting::Decided& decided);
  void tell_after(double seconds, FeedbackItem item);
  void tell_due();

  Service& service_;
  Labels labels_;
};

// What an hour before left to be told.
struct DemoPast {
  std::uint64_t next = 0;  // parcel
  DemoPeople::Labels labels = {};
};

// Makes a store in which an hour was played already, so that there is something to see. One that has a log is left as
// it is. `now_ms`: the wall clock.
DemoPast play_demo_hour(const std::string& data, std::int64_t now_ms);

class Demo {
 public:
  explicit Demo(Service& service, DemoPast past = {});
  ~Demo();
  Demo(const Demo&) = delete;
  Demo& operator=(const Demo&) = delete;

 private:
  void play();
  bool rest();

  DemoPeople people_;
  std::uint64_t next_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tarry::service
