// An hour of the demo, played in a moment on a log in memory by a clock that is turned by hand, then written to disk.
#include <atomic>
#include <limits>

#include "tarry/base/version.h"
#include "tarry/hosting/crypto.h"
#include "tarry/hosting/memory_log.h"
#include "tarry/service/dashboard/dashboard.h"
#include "tarry/service/demo.h"
#include "tarry/service/watch_keeping.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kPastMs = 3'600'000, kPastStepMs = 500, kPastTickMs = 5'000;

void copy_log(const hosting::Log& from, store::Journal& to) {
  std::vector<std::string> entries;
  std::size_t bytes = 0;
  from.read(0, [&](hosting::Position, std::string_view payload) {
    entries.emplace_back(payload);
    bytes += payload.size();
    return true;
  });
  to.reserve(entries.size(), bytes);
  const std::vector<std::string_view> payloads(entries.begin(), entries.end());
  to.append(payloads);
  to.sync();
}

}  // namespace

DemoPast play_demo_hour(const std::string& data, std::int64_t now_ms) {
  const auto disk = store::real_disk();
  if (disk->exists(data) && !disk->list(data).empty()) return {};
  const store::Folder folder(*disk, data);
  const std::uint64_t epoch = hosting::random_number();
  store::Journal journal(
      *disk, folder.journal(),
      store::JournalOptions{.epoch = epoch, .salt = static_cast<std::uint32_t>(hosting::random_number())});
  hosting::MemoryLog log;
  std::atomic<std::int64_t> turned = 0;
  const hosting::Clock clock(now_ms - kPastMs, 0, {}, [&turned] { return turned.load(); });
  ServiceSetting setting{.key = hosting::random_key(), .epoch = epoch, .workers = 2};
  setting.broken = [](const std::string&) {};
  setting.opening = [&] {
    return hosting::entry_bytes(hosting::Opened{
        .epoch = epoch, .at_ms = clock.now_ms(), .engine = std::string(kVersion), .arithmetic = kArithmetic});
  };
  const hosting::SecretKey key = setting.key;
  DemoPast past;
  Service service(log, hosting::Models(), clock, std::move(setting));
  service.look_for_room();
  DemoPeople people(service);
  Dashboard dashboard(service, [] { return std::numeric_limits<double>::quiet_NaN(); });
  people.make_models();
  for (; turned < kPastMs; turned += kPastStepMs) {
    people.act(past.next++);
    if (turned % kPastTickMs != 0) continue;
    service.expire_overdue();
    dashboard.tick();
  }
  WatchKeeping(*disk, folder.path(), service).keep_all();
  service.stop();
  copy_log(log, journal);
  store::write_key(*disk, folder.path(), key);
  past.labels = people.take();
  return past;
}

}  // namespace tarry::service
