// A service in memory whose clock is turned by hand, with what looks after it once a second in a real one.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tarry/hosting/json_log.h"
#include "tarry/hosting/memory_log.h"
#include "tarry/service/dashboard/dashboard.h"
#include "tarry/service/dashboard/metrics.h"
#include "tarry/service/models/service.h"
#include "tarry/service/watch_log.h"
#include "tarry/spec/json.h"

namespace tarry::service {

class TurnedService {
 public:
  static constexpr std::int64_t kFirst = 1'794'009'600'000;  // a Monday, 0:00 UTC

  void turn(std::int64_t ms) { turned_ += ms; }
  std::int64_t now_ms() const { return clock_.now_ms(); }
  void tick() {
    service_.expire_overdue();
    dashboard_.tick();
    log_watch_news(service_, json_);
  }

  void create(const std::string& name, const std::string& spec) {
    answer_of([&](ReplyTo to) { service_.create(name, spec::parse_json(spec), std::move(to)); });
  }
  // A ticket for each.
  std::vector<std::string> decide(const std::string& model, std::vector<NamedFeatures> rows) {
    DecideRequest request;
    for (NamedFeatures& row : rows) request.plays.push_back(Play{.features = Features(std::move(row))});
    const Reply reply = answer_of([&](ReplyTo to) { service_.decide(model, std::move(request), std::move(to)); });
    std::vector<std::string> tickets;
    for (const auto& item : std::get<hosting::Decisions>(reply).items)
      tickets.push_back(std::get<hosting::Decided>(item).ticket);
    return tickets;
  }
  void label(const std::vector<std::pair<std::string, LabelValue>>& labels) {
    std::vector<FeedbackItem> items;
    for (const auto& [ticket, label] : labels) {
      FeedbackItem item;
      const RoundName round = service_.open_ticket(ticket, item).value();
      item.event = Label{round, label};
      items.push_back(std::move(item));
    }
    if (!items.empty())
      answer_of([&](ReplyTo to) { service_.feedback({.items = std::move(items), .batch = true}, std::move(to)); });
  }

  std::string metrics() { return metrics_text(service_, http_); }
  Service& service() { return service_; }
  // Lines of its log since the last time.
  std::vector<std::string> said() { return std::exchange(said_, {}); }

 private:
  template <class F>
  static Reply answer_of(F ask) {
    std::promise<Reply> answer;
    ask([&](Reply reply) {
      return [&answer, reply = std::move(reply)]() mutable { answer.set_value(std::move(reply)); };
    });
    return answer.get_future().get();
  }
  static ServiceSetting setting() {
    ServiceSetting setting{.epoch = 7, .workers = 1};
    setting.broken = [](const std::string&) { std::abort(); };
    return setting;
  }

  std::atomic<std::int64_t> turned_ = 0;
  hosting::MemoryLog log_;
  const hosting::Clock clock_{kFirst, 0, {}, [this] { return turned_.load(); }};
  Service service_{log_, hosting::Models(), clock_, setting()};
  Dashboard dashboard_{service_, [] { return std::numeric_limits<double>::quiet_NaN(); }};
  HttpServer http_{{}, [](const Request&) { return Admission(); }, [](Request, Respond) {}};
  std::vector<std::string> said_;
  hosting::JsonLog json_{[this] { return now_ms(); }, [this](std::string_view line) { said_.emplace_back(line); }};
};

}  // namespace tarry::service
