#include "tarry/service/server.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/base/version.h"
#include "tarry/service/dashboard/metrics.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/routes/openapi.h"
#include "tarry/service/watch_log.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::service {
namespace {

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

}  // namespace

Server::Server(const ServerOptions& options, hosting::JsonLog& log, std::function<void()> log_broken)
    : options_(options), log_(log), disk_(store::real_disk()) {
  check_reach(options_.front);
  check_tokens(options_.front, *disk_, options_.data);
  folder_ = std::make_unique<store::Folder>(*disk_, options_.data);
  ServiceSetting setting{.epoch = hosting::random_number(),
                         .limits = options_.limits,
                         .workers = options_.workers,
                         .watches = options_.watches};
  setting.broken = [this, log_broken = std::move(log_broken)](const std::string& why) {
    if (!broken_.exchange(true)) log_.error("the log failed: the service ends", {{"why", {why}}});
    log_broken();
  };
  setting.full = [this](const std::string& why) {
    log_.warning("the log has no room: writes are refused until it has", {{"why", {why}}});
  };
  setting.room_again = [this] { log_.info("the log has room again"); };
  hosting::Models models;
  open_log(models, setting);
  service_ = std::make_unique<Service>(*journal_, models, time_->clock(), std::move(setting));
  service_->look_for_room();
  time_->tick(*service_);
  open_http();
}

// What is there. That somebody writes again is written before the first of it, when there is room.
void Server::open_log(hosting::Models& models, ServiceSetting& setting) {
  const std::uint64_t epoch = setting.epoch;
  journal_ = std::make_unique<store::Journal>(
      *disk_, folder_->journal(),
      store::JournalOptions{
          .epoch = epoch, .salt = static_cast<std::uint32_t>(hosting::random_number()), .broken = setting.broken});
  snapshots_ = std::make_unique<store::Snapshots>(*disk_, folder_->snapshots(), journal_->identity());
  recover(models);
  time_ = std::make_unique<TimeKeeping>(*disk_, folder_->path(), log_, models.head().at_ms, options_.expiry_hold_ms);
  setting.key = read_or_make_key();
  setting.opening = [this, epoch] {
    return hosting::entry_bytes(hosting::Opened{
        .epoch = epoch, .at_ms = time_->clock().now_ms(), .engine = std::string(kVersion), .arithmetic = kArithmetic});
  };
}

void Server::open_http() {
  history_ = std::make_unique<WatchKeeping>(*disk_, folder_->path(), *service_);
  dashboard_ = std::make_unique<Dashboard>(*service_, [this] { return bytes_below(folder_->path()); });
  RoutesSetting routes;
  routes.not_ready = [this]() -> std::optional<std::string> {
    if (!ready_ || broken_) return "the service is starting or stopping";
    return service_->cannot_write();
  };
  routes.pages = {{"/", {std::nullopt, Dashboard::page}},
                  {"/v1/live", {Scope::kRead, [this](const Request& request) { return dashboard_->live(request); }}},
                  {"/openapi.json", {std::nullopt, [](const Request&) { return Response{.body = openapi_json()}; }}},
                  {"/metrics", {Scope::kRead, [this](const Request&) {
                                  return Response{.body = metrics_text(*service_, front_->http()),
                                                  .content_type = kMetricsType};
                                }}}};
  if (options_.read_table) {
    tables_ = std::make_unique<TableModels>(*service_, options_.read_table);
    routes.from_table = [this](const Request& request, const Respond& respond) { tables_->make(request, respond); };
  }
  routes.answered = [this](const std::string& path, const Response& response) { dashboard_->answered(path, response); };
  front_ = std::make_unique<Front>(options_.front, *service_, log_, *disk_, folder_->path(), std::move(routes));
}

Server::~Server() { stop(); }

hosting::SecretKey Server::read_or_make_key() {
  if (const auto file = store::read_key(*disk_, folder_->path())) {
    if (!file->checked) add_checksum(file->key);
    return file->key;
  }
  if (journal_->last() > 0)
    throw Error(Code::kCorrupt, folder_->key() + ": is missing, and without it no ticket is known again: restore it");
  const hosting::SecretKey key = hosting::random_key();
  store::write_key(*disk_, folder_->path(), key);
  return key;
}

// To a key that was written before there was one. On a full disk the next start does it.
void Server::add_checksum(const hosting::SecretKey& key) {
  try {
    store::write_key(*disk_, folder_->path(), key);
  } catch (const Error& error) {
    if (error.code() != Code::kFull) throw;
  }
}

void Server::recover(hosting::Models& models) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::string> told;
  const auto saved = snapshots_->newest(journal_->first(), journal_->last(), told, [&](const store::Saved& found) {
    models = store::load_models(*snapshots_, found);
  });
  for (const std::string& one : told) log_.warning("a snapshot is damaged: an older one is used", {{"why", {one}}});
  for (const hosting::ModelPointer& model : models.all())
    if (model->position() > journal_->last())
      throw Error(Code::kCorrupt, fmt::format("the newest snapshot has entry {} of model {}, and the log ends at {}",
                                              model->position(), model->name(), journal_->last()));
  saved_at_ = models.head().position;
  store::ArithmeticWatch arithmetic(saved ? &saved->head : nullptr);
  journal_->read(saved_at_, [&](hosting::Position position, std::string_view payload) {
    const hosting::Entry entry = hosting::entry_from_bytes(payload);
    arithmetic.see(position, entry);
    try {
      models.apply(position, entry);
    } catch (const Error& error) {
      throw Error(Code::kCorrupt, fmt::format("entry {} of the log cannot be applied: {}", position, error.what()));
    }
    return true;
  });
  folded_from_ = arithmetic.folded_from();
  if (const auto other = arithmetic.told()) log_.warning("other arithmetic", {{"why", {*other}}});
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
  fill_reserve();
  ready_ = true;
  front_->start();
  ticker_ = std::thread([this] { tick(); });
}

// Once a second: rounds whose time has passed, tokens that were added, a snapshot when it is due.
void Server::tick() {
  std::string said;  // what lasts is said once
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) return;
    }
    try {
      journal_->check_in_place();
    } catch (const Error&) {  // it was reported where it was found
      return;
    }
    try {
      service_->look_for_room();
      time_->tick(*service_);
      dashboard_->tick();
      log_watch_news(*service_, log_);
      history_->tick();
      front_->look_for_tokens();
      if (options_.snapshot_every > 0 && !service_->full() && saving_.may_try(Backoff::Time::clock::now()) &&
          service_->committer().appended() >= saved_at_ + options_.snapshot_every)
        save_beside();
      said.clear();
    } catch (const std::exception& error) {  // no memory, too: at the next tick
      if (said != error.what()) log_.error("tick", {{"why", {std::string(error.what())}}});
      said = error.what();
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
  if (!service_->committer().opened()) return;  // nothing was written since the start: there was no room
  try {
    const store::SavedHead head = snapshots_->save([this](const store::Snapshots::Sink& sink) {
      const Service::Saving saving = service_->begin_save();
      Sha256 hash;
      service_->save(saving, [&](std::string_view piece) {
        hash.add(piece);
        sink(piece);
      });
      return store::SavedHead{.position = saving.head.position,
                              .engine = std::string(kVersion),
                              .hash = hash.hex(),
                              .arithmetic = kArithmetic,
                              .folded_from = folded_from_,
                              .origin = store::LogOrigin{journal_->identity().salt, saving.head.epoch}};
    });
    saved_at_ = head.position;
    saving_.succeeded();
    ++service_->counters().snapshots;
    if (options_.keep > 0) journal_->prune(snapshots_->keep(options_.keep));
  } catch (const std::exception& error) {  // no memory, too
    ++service_->counters().failed_snapshots;
    saving_.failed(Backoff::Time::clock::now());
    spec::Object line{{"why", {std::string(error.what())}}};
    if (ready_) line.push_back({"again_in_seconds", {std::int64_t{saving_.pause().count()}}});
    log_.error("a snapshot could not be saved", std::move(line));
  }
}

void Server::stop() {
  if (!ready_.exchange(false)) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (ticker_.joinable()) ticker_.join();
  log_.info("stopping");
  if (tables_) tables_->stop();
  front_->stop(std::chrono::seconds(5));
  save_snapshot();
  history_->keep_all();
  time_->record();
  service_->stop();
  service_.reset();
  journal_.reset();
  folder_.reset();
  log_.info("stopped");
}

}  // namespace tarry::service
