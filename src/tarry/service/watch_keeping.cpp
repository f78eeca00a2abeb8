#include "tarry/service/watch_keeping.h"

#include <new>

#include "tarry/base/error.h"
#include "tarry/service/watch/kept_watch.h"
#include "tarry/store/disk/kept_file.h"

namespace tarry::service {
namespace {

constexpr std::uint64_t kKeepEvery = 300;  // ticks
}  // namespace

WatchKeeping::WatchKeeping(store::Disk& disk, const std::string& store, Service& service)
    : disk_(disk), folder_(store + "/watch"), service_(service) {
  try {
    disk_.make_folder(folder_);
    if (const auto bytes = store::read_kept(disk_, folder_, store::kKeptOfAll)) service_.watch().keep_on(*bytes);
    for (const ServedPointer& served : service_.models().all())
      if (const auto bytes = store::read_kept(disk_, folder_, store::kept_name(served->model->incarnation())))
        keep_on(served->watched, *bytes);
    forget_deleted();
  } catch (const Error&) {  // a full disk, or one that may not be written: there is no history then
  } catch (const std::bad_alloc&) {
  }
}

void WatchKeeping::keep(Served& served) {
  std::uint64_t revision = 0;
  {
    const std::lock_guard lock(served.watched.mutex);
    revision = served.watched.timeline.revision();
  }
  std::uint64_t& kept = kept_[served.model->incarnation()];
  if (kept == revision) return;
  store::write_kept(disk_, folder_, store::kept_name(served.model->incarnation()), kept_bytes(served.watched));
  kept = revision;
}

void WatchKeeping::keep_total() { store::write_kept(disk_, folder_, store::kKeptOfAll, service_.watch().kept_bytes()); }

// Of a model that was deleted nothing must stay.
void WatchKeeping::forget_deleted() {
  for (const std::string& name : disk_.list(folder_)) {
    if (name == store::kKeptOfAll) continue;
    hosting::Position incarnation = 0;
    for (const char c : name) {
      if (c < '0' || c > '9') break;
      incarnation = 10 * incarnation + static_cast<hosting::Position>(c - '0');
    }
    if (name == store::kept_name(incarnation) && service_.models().find(incarnation)) continue;
    kept_.erase(incarnation);
    disk_.remove(folder_ + "/" + name);
  }
}

// A three hundredth of the models at each tick, so that a thousand of them are no burst.
void WatchKeeping::tick() {
  const std::uint64_t turn = ++ticks_ % kKeepEvery;
  try {
    for (const ServedPointer& served : service_.models().all())
      if (served->model->incarnation() % kKeepEvery == turn) keep(*served);
    if (turn != 0) return;
    keep_total();
    forget_deleted();
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
}

void WatchKeeping::keep_all() {
  try {
    for (const ServedPointer& served : service_.models().all()) keep(*served);
    keep_total();
    forget_deleted();
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace tarry::service
