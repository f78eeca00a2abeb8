// Rounds whose time has passed.
#include <algorithm>
#include <limits>
#include <mutex>
#include <new>

#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;

void Service::expire_overdue() {
  for (const ServedPointer& served : models_.all()) {
    const std::int64_t since = served->numbers.oldest_since_ms;
    const double seconds = served->expires_after;
    if (seconds <= 0 || since == 0) continue;
    const std::int64_t before = clock_.overdue_before(static_cast<std::int64_t>(seconds * 1000));
    if (since >= before) continue;
    served->lane->submit([this, served, before] {
      if (!served->gone) expire_now(*served, before);
    });
  }
}

bool Service::gives_up_by_time() const {
  const std::vector<ServedPointer> all = models_.all();
  return std::any_of(all.begin(), all.end(), [](const ServedPointer& served) {
    return served->expires_after > 0 && served->numbers.oldest_since_ms != 0;
  });
}

void Service::count_overdue(std::int64_t later_ms, std::function<void(spec::Object)> then) {
  struct Counted {
    std::mutex mutex;
    spec::Object by_model;
    std::function<void(spec::Object)> then;
    ~Counted() {  // once every lane has let go of it
      try {
        then(std::move(by_model));
      } catch (const std::bad_alloc&) {  // it is a warning
      }
    }
  };
  const auto counted = std::make_shared<Counted>();
  counted->then = std::move(then);
  for (const ServedPointer& served : models_.all()) {
    const double seconds = served->expires_after;
    if (seconds <= 0) continue;
    const std::int64_t before = clock_.overdue_before(static_cast<std::int64_t>(seconds * 1000) - later_ms);
    served->lane->submit_always([served, counted, before] {
      const std::size_t count =
          served->model->waiting_since_before(before, std::numeric_limits<std::size_t>::max()).size();
      const std::lock_guard lock(counted->mutex);
      if (count > 0) counted->by_model.push_back({served->name, {static_cast<std::int64_t>(count)}});
    });
  }
}

void Service::expire_now(Served& served, std::int64_t before_ms) {
  constexpr std::size_t kAtATime = 1000;
  try {
    for (const Round round : served.model->waiting_since_before(before_ms, kAtATime)) {
      const bool unseen = served.model->is_deferred(round);  // of what nobody saw nothing is learnt
      const Apply apply{.incarnation = served.model->incarnation(),
                        .at_ms = clock_.now_ms(),
                        .event = unseen ? Event(Void{round}) : Event(Expire{round})};
      const std::string entry = entry_bytes(apply);
      Committer::Room room = reserve(1, entry.size());
      if (fold(served, apply).fate != Fate::kApplied) continue;
      if (!unseen) ++counters_.expired;
      append(served, std::move(room), {entry});
    }
  } catch (const Error&) {           // a full disk: at the next tick
  } catch (const std::bad_alloc&) {  // or a full memory
  }
}

}  // namespace tarry::service
