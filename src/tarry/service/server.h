// The whole service: a store's directory, its models, and HTTP in front of them. The outermost shell: it reads clocks
// and files, and has threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tarry/hosting/json_log.h"
#include "tarry/service/backoff.h"
#include "tarry/service/dashboard/dashboard.h"
#include "tarry/service/models/service.h"
#include "tarry/service/routes/front.h"
#include "tarry/service/table_models.h"
#include "tarry/service/time_keeping.h"
#include "tarry/service/watch_keeping.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/journal/journal.h"
#include "tarry/store/snapshots/snapshots.h"

namespace tarry::service {

struct ServerOptions {
  std::string data;  // the store's directory
  FrontOptions front = {};
  ServiceLimits limits = {};
  std::size_t workers = 4;
  std::uint64_t snapshot_every = 100'000;                 // entries; 0: only at the end
  std::int64_t expiry_hold_ms = hosting::Clock::kHourMs;  // after a jump of the wall clock
  bool watches = true;                                    // keeps history for dashboards
  std::size_t keep = 0;       // snapshots, and the log behind the oldest of them; 0: everything
  ReadTable read_table = {};  // empty: no models are made of tables
};

class Server {
 public:
  // Recovers what is in the directory and listens; requests wait until start(). Throws Error. `log_broken` must end the
  // process: nobody knows what is on the disk then.
  Server(const ServerOptions& options, hosting::JsonLog& log, std::function<void()> log_broken);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();
  // Answers what came, saves the state, and lets go of the directory.
  void stop();

  // Somebody looked at the wall clock after a jump and says that it is right.
  void go_on() { time_->go_on(); }

  std::string address() const { return front_->address(); }
  Service& service() { return *service_; }

 private:
  hosting::SecretKey read_or_make_key();
  void add_checksum(const hosting::SecretKey& key);
  void recover(hosting::Models& models);
  void open_log(hosting::Models& models, ServiceSetting& setting);
  void open_http();
  void tick();
  void save_snapshot();
  void save_beside();

  ServerOptions options_;
  hosting::JsonLog& log_;
  std::unique_ptr<store::Disk> disk_;
  std::unique_ptr<store::Folder> folder_;
  std::unique_ptr<store::Snapshots> snapshots_;
  std::unique_ptr<store::Journal> journal_;
  std::unique_ptr<TimeKeeping> time_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<WatchKeeping> history_;
  std::unique_ptr<Dashboard> dashboard_;
  std::unique_ptr<TableModels> tables_;  // empty: none are read
  std::unique_ptr<Front> front_;
  std::atomic<bool> ready_ = false;
  std::atomic<bool> broken_ = false;  // and said so
  hosting::Position saved_at_ = 0;
  Backoff saving_;
  hosting::Position folded_from_ = 0;  // with this program's arithmetic

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread ticker_;
};

}  // namespace tarry::service
