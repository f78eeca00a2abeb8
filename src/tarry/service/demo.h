// Something to look at: made-up parcels ask whether they will be late, and say later whether they were. Some say it
// twice, and some are never heard of again. Beside them a shop chooses what to offer its visitors, who buy later or not
// at all.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "tarry/service/models/service.h"

namespace tarry::service {

inline constexpr std::string_view kDemoModel = "parcels";
inline constexpr std::string_view kDemoChoices = "offers";

class Demo {
 public:
  explicit Demo(Service& service);
  ~Demo();
  Demo(const Demo&) = delete;
  Demo& operator=(const Demo&) = delete;

 private:
  void play();
  void ask(std::uint64_t parcel);
  void offer(std::uint64_t visitor);
  // Makes the decision, and the item that its feedback comes in; nothing: it was refused.
  std::optional<FeedbackItem> decide(std::string_view model, Play play, hosting::Decided& decided);
  void tell_after(double seconds, FeedbackItem item);
  void tell_due();
  bool rest();

  Service& service_;
  std::multimap<std::int64_t, FeedbackItem> labels_;  // by when they are known
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace tarry::service
