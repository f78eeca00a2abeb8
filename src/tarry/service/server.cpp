#include "tarry/service/server.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/base/version.h"
#include "tarry/service/metrics.h"
#include "tarry/service/openapi.h"
#include "tarry/store/real_disk.h"

namespace tarry::service {
namespace {

std::int64_t wall_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

// Files that come or go meanwhile count or not.
double bytes_below(const std::string& folder) {
  double sum = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto size = at->is_regular_file(error) ? at->file_size(error) : 0;
    if (!error) sum += static_cast<double>(size);
    error.clear();
  }
  return sum;
}

// Of states that another version folds, bits may differ: it must have saved its own.
class SameEngine {
 public:
  explicit SameEngine(std::string engine) : engine_(std::move(engine)) {}

  void check(store::Position position, const store::Entry& entry, const std::string& data) {
    if (const auto* opened = std::get_if<store::Opened>(&entry)) {
      engine_ = opened->engine;
    } else if (engine_ != kVersion) {
      throw Error(
          Code::kUnsupported,
          fmt::format("the log from entry {} on was written by tarry {} and is in no snapshot: run tarry {} serve "
                      "--data {} once and stop it, which saves its state; this is tarry {}",
                      position, engine_, engine_, data, kVersion));
    }
  }

 private:
  std::string engine_;
};

}  // namespace

Server::Server(const ServerOptions& options, JsonLog& log, std::function<void()> log_broken)
    : options_(options), log_(log), disk_(store::real_disk()) {
  check_reach(options_.front);
  folder_ = std::make_unique<store::Folder>(*disk_, options_.data);
  snapshots_ = std::make_unique<store::Snapshots>(*disk_, folder_->snapshots());
  ServiceSetting setting{.epoch = random_number(), .limits = options_.limits, .workers = options_.workers};
  setting.broken = [this, log_broken = std::move(log_broken)](const std::string& why) {
    log_.error("the log failed: the service ends", {{"why", {why}}});
    log_broken();
  };
  store::Models models;
  open_log(models, setting.epoch, setting.key);
  service_ = std::make_unique<Service>(*journal_, models, *clock_, std::move(setting));
  open_http();
}

// What is there, and then a word that somebody writes again.
void Server::open_log(store::Models& models, std::uint64_t epoch, SecretKey& key) {
  journal_ = std::make_unique<store::Journal>(
      *disk_, folder_->journal(),
      store::JournalOptions{.epoch = epoch, .salt = static_cast<std::uint32_t>(random_number())});
  recover(models);
  clock_.emplace(wall_ms(), models.head().at_ms);
  if (clock_->complaint()) log_.warning("clock", {{"why", {*clock_->complaint()}}});
  key = read_or_make_key();
  const std::string opened =
      store::entry_bytes(store::Opened{.epoch = epoch, .at_ms = clock_->now_ms(), .engine = std::string(kVersion)});
  const std::string_view payload = opened;
  journal_->reserve(1, opened.size());
  journal_->append({&payload, 1});
  journal_->sync();
}

void Server::open_http() {
  dashboard_ = std::make_unique<Dashboard>(*service_, [this] { return bytes_below(folder_->path()); });
  RoutesSetting routes;
  routes.not_ready = [this]() -> std::optional<std::string> {
    if (ready_) return std::nullopt;
    return "the service is starting or stopping";
  };
  routes.pages = {{"/", {std::nullopt, Dashboard::page}},
                  {"/v1/live", {Scope::kRead, [this](const Request& request) { return dashboard_->live(request); }}},
                  {"/openapi.json", {std::nullopt, [](const Request&) { return Response{.body = openapi_json()}; }}},
                  {"/metrics", {Scope::kRead, [this](const Request&) {
                                  return Response{.body = metrics_text(*service_, front_->http()),
                                                  .content_type = kMetricsType};
                                }}}};
  routes.answered = [this](const std::string& path, const Response& response) { dashboard_->answered(path, response); };
  front_ = std::make_unique<Front>(options_.front, *service_, log_, *disk_, folder_->path(), std::move(routes));
}

Server::~Server() { stop(); }

SecretKey Server::read_or_make_key() {
  SecretKey key{};
  const std::string path = folder_->key();
  if (disk_->exists(path)) {
    const std::string bytes = store::read_whole(*disk_, path);
    if (bytes.size() != key.size())
      throw Error(Code::kCorrupt, fmt::format("{}: must have {} bytes (has {})", path, key.size(), bytes.size()));
    std::copy(bytes.begin(), bytes.end(), key.begin());
    return key;
  }
  if (journal_->last() > 0)
    throw Error(Code::kCorrupt, path + ": is missing, and without it no ticket is known again: restore it");
  key = random_key();
  store::write_whole(*disk_, folder_->path(), "key", {reinterpret_cast<const char*>(key.data()), key.size()});
  return key;
}

void Server::recover(store::Models& models) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> told;
  const auto saved = snapshots_->newest(journal_->first(), journal_->last(), told);
  for (const std::string& one : told) log_.warning("a snapshot is damaged: an older one is used", {{"why", {one}}});
  if (saved) {
    ByteReader in(saved->state);
    models.load(in);
    in.expect_end();
  }
  for (const store::ModelPointer& model : models.all())
    if (model->position() > journal_->last())
      throw Error(Code::kCorrupt, fmt::format("the newest snapshot has entry {} of model {}, and the log ends at {}",
                                              model->position(), model->name(), journal_->last()));
  saved_at_ = models.head().position;
  SameEngine engine(saved ? saved->head.engine : std::string(kVersion));
  journal_->read(saved_at_, [&](store::Position position, std::string_view payload) {
    const store::Entry entry = store::entry_from_bytes(payload);
    engine.check(position, entry, options_.data);
    try {
      models.apply(position, entry);
    } catch (const Error& error) {
      throw Error(Code::kCorrupt, fmt::format("entry {} of the log cannot be applied: {}", position, error.what()));
    }
    return true;
  });
  if (const auto& torn = journal_->found().torn)
    log_.warning("the log had a torn end, which was put aside",
                 {{"file", {torn->file}}, {"last_position", {static_cast<std::int64_t>(journal_->last())}}});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  log_.info("recovered", {{"models", {static_cast<std::int64_t>(models.all().size())}},
                          {"position", {static_cast<std::int64_t>(models.head().position)}},
                          {"from_snapshot", {static_cast<std::int64_t>(saved_at_)}},
                          {"seconds", {seconds}}});
}

void Server::start() {
  ready_ = true;
  front_->start();
  ticker_ = std::thread([this] { tick(); });
}

// Once a second: rounds whose time has passed, tokens that were added, a snapshot when it is due.
void Server::tick() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) return;
    }
    try {
      service_->look_for_room();
      service_->expire_overdue();
      dashboard_->tick();
      front_->look_for_tokens();
      if (options_.snapshot_every > 0 && service_->committer().appended() >= saved_at_ + options_.snapshot_every)
        save_beside();
    } catch (const Error& error) {
      log_.error("tick", {{"why", {std::string(error.what())}}});
    }
  }
}

// Nobody waits for it: where processors are short, answers come first. A thread of its own, since only a privileged
// one could raise its priority again.
void Server::save_beside() {
  std::thread([this] {
    constexpr int kLower = 10;
    ::setpriority(PRIO_PROCESS, 0, kLower);  // of this thread alone, on Linux; a wish
    save_snapshot();
  }).join();
}

void Server::save_snapshot() {
  try {
    const store::SavedHead head = snapshots_->save([this](const store::Snapshots::Sink& sink) {
      const Service::Saving saving = service_->begin_save();
      Sha256 hash;
      service_->save(saving, [&](std::string_view piece) {
        hash.add(piece);
        sink(piece);
      });
      return store::SavedHead{.position = saving.head.position, .engine = std::string(kVersion), .hash = hash.hex()};
    });
    saved_at_ = head.position;
    ++service_->counters().snapshots;
    if (options_.keep > 0) journal_->prune(snapshots_->keep(options_.keep));
  } catch (const Error& error) {
    ++service_->counters().failed_snapshots;
    log_.error("a snapshot could not be saved", {{"why", {std::string(error.what())}}});
  }
}

void Server::stop() {
  if (!ready_.exchange(false)) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  ticker_.join();
  log_.info("stopping");
  front_->stop(std::chrono::seconds(5));
  save_snapshot();
  service_->stop();
  service_.reset();
  journal_.reset();
  folder_.reset();
  log_.info("stopped");
}

}  // namespace tarry::service
