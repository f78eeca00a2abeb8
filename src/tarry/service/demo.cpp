#include "tarry/service/demo.h"

#include <array>
#include <chrono>
#include <future>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

constexpr const char* kSpec = R"({"task": "binary", "expiry": {"seconds": 300}})";
constexpr auto kBetween = std::chrono::milliseconds(100);

struct Word {
  const char* name;
  double weight;
};
constexpr std::array<Word, 4> kCouriers{{{"Adler", -0.7}, {"Biene", 0.1}, {"Condor", 0.9}, {"Dachs", 0.2}}};
constexpr std::array<Word, 3> kWeather{{{"dry", -0.3}, {"rain", 0.4}, {"snow", 1.5}}};

template <class F>
Reply answer_of(F ask) {
  std::promise<Reply> answer;
  ask([&](Reply reply) {
    return [&answer, reply = std::move(reply)]() mutable { answer.set_value(std::move(reply)); };
  });
  return answer.get_future().get();
}

}  // namespace

Demo::Demo(Service& service) : service_(service) {
  answer_of([&](ReplyTo to) { service_.create(std::string(kDemoModel), spec::parse_json(kSpec), std::move(to)); });
  thread_ = std::thread([this] { play(); });
}

Demo::~Demo() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

bool Demo::rest() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, kBetween, [this] { return stopping_; });
}

void Demo::play() {
  for (std::uint64_t parcel = 0; rest(); ++parcel) {
    ask(parcel);
    tell_due();
  }
}

void Demo::ask(std::uint64_t parcel) {
  RandomSequence draw(5, parcel);
  const double distance = tarry::exp(2 + 0.6 * draw.gaussian());
  const Word& courier = kCouriers[draw.below(kCouriers.size())];
  const Word& weather = kWeather[draw.below(kWeather.size())];
  const double score = -1.2 + 0.9 * tarry::log(distance / 7) + courier.weight + weather.weight;
  const bool late = draw.uniform() < 1 / (1 + tarry::exp(-1.5 * score));
  const double seconds = draw.uniform(1, 20) + (late ? 20 : 0);
  const bool lost = draw.uniform() < 0.02, twice = draw.uniform() < 0.05;

  NamedFeatures features{
      {"distance_km", distance}, {"courier", std::string(courier.name)}, {"weather", std::string(weather.name)}};
  DecideRequest request;
  request.plays.emplace_back();
  request.plays.back().features.emplace(std::move(features));
  const Reply reply =
      answer_of([&](ReplyTo to) { service_.decide(std::string(kDemoModel), std::move(request), std::move(to)); });
  const auto* made = std::get_if<hosting::Decisions>(&reply);
  if (made == nullptr || lost) return;
  FeedbackItem item;
  const auto round = service_.open_ticket(std::get<hosting::Decided>(made->items.at(0)).ticket, item);
  item.event = Label{round.value(), late};
  const std::int64_t known = service_.clock().now_ms() + static_cast<std::int64_t>(seconds * 1000);
  if (twice) labels_.emplace(known + 1000, item);
  labels_.emplace(known, std::move(item));
}

void Demo::tell_due() {
  std::vector<FeedbackItem> due;
  const auto end = labels_.upper_bound(service_.clock().now_ms());
  for (auto label = labels_.begin(); label != end; ++label) due.push_back(std::move(label->second));
  labels_.erase(labels_.begin(), end);
  if (!due.empty())
    answer_of([&](ReplyTo to) { service_.feedback({.items = std::move(due), .batch = true}, std::move(to)); });
}

}  // namespace tarry::service
