// What watching models takes: memory after more and more simulated days, and the time of an event, of a review and of a
// model's part of /metrics. All watched models are told of the same decisions of one model, whose own memory and time
// are left out. Usage: watch_bench [MODELS [DAYS [DECISIONS A DAY]]]
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/watch/kept_watch.h"
#include "tarry/service/watch/watch.h"

namespace {

using namespace tarry;
using namespace tarry::service;
using Time = std::chrono::steady_clock;

constexpr std::int64_t kDay = 86'400'000, kFirst = 1'794'009'600'000;
constexpr int kFeatures = 12, kReports = 8;

double heap() { return static_cast<double>(mallinfo2().uordblks); }

class Days {
 public:
  explicit Days(std::size_t models) : model_("m", ModelSpec::parse(R"({"task": "binary"})").json()) {
    const double before = heap();
    for (std::size_t k = 0; k < models; ++k) watched_.push_back(std::make_unique<WatchedModel>());
    empty_ = (heap() - before) / static_cast<double>(models);
  }

  // Labels come after six hours on average.
  void play(std::int64_t from, std::int64_t to, int a_day) {
    for (std::int64_t now = from; now < to; now += kDay / a_day) {
      NamedFeatures row;
      for (int k = 0; k < kFeatures; ++k) row.emplace_back(fmt::format("x{}", k), draw_.uniform());
      const double x = std::get<double>(row.front().value);
      const Round round = apply(Play{.features = Features(row)}, now);
      const double wait = -6 * 3'600'000 * std::log(1 - draw_.uniform());
      waiting_.push_back({now + static_cast<std::int64_t>(wait), round, draw_.uniform() < x});
      std::erase_if(waiting_, [&](const Late& late) {
        if (late.at > now) return false;
        apply(Label{late.round, late.yes}, now);
        return true;
      });
      const auto start = Time::now();
      for (auto& one : watched_) Watch::gauge(*one, now, waiting_.size(), 0, 0);
      reviewing_ += Time::now() - start;
      ++reviews_;
    }
  }

  void report(double days, double own_heap) {
    const auto models = static_cast<double>(watched_.size());
    const auto start = Time::now();
    double sum = 0;
    const std::int64_t now = kFirst + static_cast<std::int64_t>(days * kDay);
    for (auto& one : watched_) {
      sum += one->quality.maturing().lately(now).decisions + one->quality.maturing().arrivals(now).came +
             one->quality.maturing().matured(kDay, now).value_or(0);
    }
    const auto us = [](Time::duration d, double of) {
      return std::chrono::duration<double, std::micro>(d).count() / of;
    };
    const double metrics = us(Time::now() - start, models);
    fmt::print("{:>6.0f}{:>16.1f}{:>14.1f}{:>14.2f}{:>14.2f}{:>14.1f}{}\n", days, (own_heap / models + empty_) / 1000,
               static_cast<double>(kept_bytes(*watched_.front()).size()) / 1000, us(telling_, told_ * models),
               us(reviewing_, reviews_ * models), metrics, sum < 0 ? " " : "");
    telling_ = reviewing_ = {};
    told_ = reviews_ = 0;
  }

  double model_heap() const { return model_heap_; }

 private:
  struct Late {
    std::int64_t at;
    Round round;
    bool yes;
  };

  Round apply(Event event, std::int64_t now) {
    const double before = heap();
    const hosting::Apply entry{.incarnation = 1, .at_ms = now, .event = std::move(event)};
    const hosting::Folded folded = model_.apply(entry, 1);
    model_heap_ += heap() - before;
    const auto start = Time::now();
    for (auto& one : watched_) watch_.folded(*one, {model_, entry.event, folded, 0, now});
    telling_ += Time::now() - start;
    ++told_;
    return folded.round;
  }

  hosting::HostedModel model_;
  Watch watch_;
  RandomSequence draw_{7};
  std::vector<std::unique_ptr<WatchedModel>> watched_;
  std::deque<Late> waiting_;
  double empty_ = 0, model_heap_ = 0, told_ = 0, reviews_ = 0;
  Time::duration telling_{}, reviewing_{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t models = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  const double days = argc > 2 ? std::strtod(argv[2], nullptr) : 80;
  const int a_day = argc > 3 ? std::atoi(argv[3]) : 500;
  Days played(models);
  const double before = heap();
  fmt::print("{:>6}{:>16}{:>14}{:>14}{:>14}{:>14}\n", "days", "kB a model", "kB kept", "us an event", "us a tick",
             "us /metrics");
  double done = 0;
  for (int k = 1; k <= kReports; ++k) {
    const double next = days * k / kReports;
    played.play(kFirst + static_cast<std::int64_t>(done * kDay), kFirst + static_cast<std::int64_t>(next * kDay),
                a_day);
    done = next;
    played.report(done, heap() - before - played.model_heap());
  }
}
