#include "tarry/service/demo.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>

#include "tarry/base/elementary.h"
#include "tarry/base/random.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

constexpr const char* kSpec = R"({"task": "binary", "expiry": {"seconds": 300}})";
constexpr const char* kChoices =
    R"({"task": "choose", "explore": {"floor": 0.05}, "actions": ["free delivery", "ten percent", "gift card"], "expiry": {"seconds": 60, "then": {"label": false}}})";
constexpr auto kBetween = std::chrono::milliseconds(100);

struct Word {
  const char* name;
  double weight;
};
constexpr std::array<Word, 4> kCouriers{{{"Adler", -0.7}, {"Biene", 0.1}, {"Condor", 0.9}, {"Dachs", 0.2}}};
constexpr std::array<std::string_view, 2> kDevices{"phone", "desktop"}, kHours{"day", "evening"};
constexpr std::array<std::string_view, 3> kOffers{"free delivery", "ten percent", "gift card"};
constexpr double kBuys[2][3] = {{0.35, 0.15, 0.1}, {0.1, 0.3, 0.12}};  // by device and offer
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

void DemoPeople::make_models() {
  answer_of([&](ReplyTo to) { service_.create(std::string(kDemoModel), spec::parse_json(kSpec), std::move(to)); });
  answer_of([&](ReplyTo to) { service_.create(std::string(kDemoChoices), spec::parse_json(kChoices), std::move(to)); });
}

void DemoPeople::act(std::uint64_t number) {
  ask(number);
  offer(number);
  tell_due();
}

Demo::Demo(Service& service, DemoPast past) : people_(service, std::move(past.labels)), next_(past.next) {
  people_.make_models();
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
  while (rest()) people_.act(next_++);
}

void DemoPeople::ask(std::uint64_t parcel) {
  RandomSequence draw(5, parcel);
  const double distance = tarry::exp(2 + 0.6 * draw.gaussian());
  const Word& courier = kCouriers[draw.below(kCouriers.size())];
  const Word& weather = kWeather[draw.below(kWeather.size())];
  const double score = -1.2 + 0.9 * tarry::log(distance / 7) + courier.weight + weather.weight;
  const bool late = draw.uniform() < 1 / (1 + tarry::exp(-1.5 * score));
  const double seconds = draw.uniform(1, 20) + (late ? 20 : 0);
  const bool lost = draw.uniform() < 0.02, twice = draw.uniform() < 0.05;

  Play play;
  play.features.emplace(NamedFeatures{
      {"distance_km", distance}, {"courier", std::string(courier.name)}, {"weather", std::string(weather.name)}});
  hosting::Decided decided;
  std::optional<FeedbackItem> item = decide(kDemoModel, std::move(play), decided);
  if (!item || lost) return;
  item->event = Label{RoundName(service_.open_ticket(decided.ticket, *item).value()), late};
  if (twice) tell_after(seconds + 1, *item);
  tell_after(seconds, *std::move(item));
}

// Who buys does so soon; that somebody did not is known later, when the visit is over. Of some nothing is heard.
void DemoPeople::offer(std::uint64_t visitor) {
  RandomSequence draw(6, visitor);
  const std::size_t device = draw.below(kDevices.size()), hour = draw.below(kHours.size());
  Play play;
  play.choosing.emplace();
  play.choosing->context = {{"device", std::string(kDevices[device])}, {"hour", std::string(kHours[hour])}};
  hosting::Decided decided;
  std::optional<FeedbackItem> item = decide(kDemoChoices, std::move(play), decided);
  const auto* reply = item ? std::get_if<PlayReply>(&decided.what) : nullptr;
  if (reply == nullptr || !reply->choice) return;
  const auto shown = std::find(kOffers.begin(), kOffers.end(), reply->choice->action) - kOffers.begin();
  const bool buys = draw.uniform() < kBuys[device][static_cast<std::size_t>(shown)] * (hour == 1 ? 1.5 : 1);
  const double seconds = buys ? draw.uniform(1, 25) : draw.uniform(15, 50);
  if (draw.uniform() < 0.03) return;
  item->event = Label{RoundName(service_.open_ticket(decided.ticket, *item).value()), buys};
  tell_after(seconds, *std::move(item));
}

std::optional<FeedbackItem> DemoPeople::decide(std::string_view model, Play play, hosting::Decided& decided) {
  DecideRequest request;
  request.plays.push_back(std::move(play));
  Reply reply = answer_of([&](ReplyTo to) { service_.decide(std::string(model), std::move(request), std::move(to)); });
  auto* made = std::get_if<hosting::Decisions>(&reply);
  if (made == nullptr || !std::holds_alternative<hosting::Decided>(made->items.at(0))) return std::nullopt;
  decided = std::get<hosting::Decided>(std::move(made->items[0]));
  return FeedbackItem{};
}

void DemoPeople::tell_after(double seconds, FeedbackItem item) {
  labels_.emplace(service_.clock().now_ms() + static_cast<std::int64_t>(seconds * 1000), std::move(item));
}

void DemoPeople::tell_due() {
  std::vector<FeedbackItem> due;
  const auto end = labels_.upper_bound(service_.clock().now_ms());
  for (auto label = labels_.begin(); label != end; ++label) due.push_back(std::move(label->second));
  labels_.erase(labels_.begin(), end);
  if (!due.empty())
    answer_of([&](ReplyTo to) { service_.feedback({.items = std::move(due), .batch = true}, std::move(to)); });
}

}  // namespace tarry::service
