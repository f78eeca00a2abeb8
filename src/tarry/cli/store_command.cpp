#include <fmt/format.h>

#include <iterator>
#include <random>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/wall_clock.h"
#include "tarry/service/stored_round.h"
#include "tarry/store/checks/inspect.h"
#include "tarry/store/copies/backup.h"
#include "tarry/store/copies/compact.h"
#include "tarry/store/copies/dump.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::cli {
namespace {

using hosting::Position;

// A store that no service has open, and none opens meanwhile.
struct Closed {
  explicit Closed(const std::string& path) : disk(store::real_disk()) {
    store::check_is_store(*disk, path);
    locks = store::lock_store(*disk, path);
  }
  std::unique_ptr<store::Disk> disk;
  std::vector<std::unique_ptr<store::Lock>> locks;
};

std::string plural(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string quoted(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void print_models(const store::Inspection& seen, std::string& text) {
  for (const store::ModelInLog& model : seen.models)
    fmt::format_to(std::back_inserter(text), "model      {}: {}{}, created at {}{}\n",
                   model.name.empty() ? "(named before the log begins)" : model.name,
                   plural(model.entries, "entry", "entries"),
                   model.entries == 0 ? "" : fmt::format(" up to {}", model.last), model.incarnation,
                   model.deleted ? ", deleted" : "");
}

void print_snapshot(const store::SnapshotThere& each, std::string& text) {
  const std::string number = each.arithmetic == 0 ? std::string("unknown") : std::to_string(each.arithmetic);
  fmt::format_to(std::back_inserter(text), "snapshot   at {}, {}, {} bytes, by tarry {}, arithmetic {}{}{}\n",
                 each.position, plural(each.models, "model", "models"), each.bytes, each.engine, number,
                 each.why_not.empty() ? "" : ", not compared: ", each.why_not);
}

void print_depth(const store::Inspection& seen, std::string& text) {
  if (!seen.folded) {
    text += "checked    the structure alone: nothing was folded\n";
    return;
  }
  std::size_t compared = 0;
  for (const store::SnapshotThere& each : seen.snapshots) compared += each.compared;
  fmt::format_to(std::back_inserter(text), "checked    the structure and the fold of the log; {} of {} compared\n",
                 compared, plural(seen.snapshots.size(), "snapshot", "snapshots"));
}

// A file that is written beside its place and takes it when it is finished.
class NewFile {
 public:
  NewFile(store::Disk& disk, std::string path)
      : disk_(disk), path_(std::move(path)), file_(disk.open(path_ + ".part", store::Open::kCreate)) {}

  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > (1 << 16)) write();
  }
  void finish() {
    write();
    file_->sync();
    disk_.rename(path_ + ".part", path_);
  }

 private:
  void write() {
    file_->write(size_, buffer_);
    size_ += buffer_.size();
    buffer_.clear();
  }
  store::Disk& disk_;
  std::string path_;
  std::unique_ptr<store::File> file_;
  std::uint64_t size_ = 0;
  std::string buffer_;
};

// What could be read of a store that is damaged elsewhere is given, and the status says so.
void refuse_damage(store::Disk& disk, const std::string& path) {
  const store::Inspection seen = store::inspect(disk, path, store::Depth::kFolds);
  if (!seen.damage.empty()) throw Error(Code::kCorrupt, seen.damage.front());
}

}  // namespace

void store_check(const StoreOptions& options, Output& out) {
  const Closed closed(options.data);
  const store::Inspection seen =
      store::inspect(*closed.disk, options.data, options.quick ? store::Depth::kStructure : store::Depth::kFolds);
  std::string text;
  const auto to = std::back_inserter(text);
  if (seen.last + 1 > seen.first)
    fmt::format_to(to, "log        positions {} to {}, {}, opened {}\n", seen.first, seen.last,
                   plural(seen.segments, "segment", "segments"), plural(seen.openings, "time", "times"));
  else
    fmt::format_to(to, "log        empty\n");
  if (seen.torn)
    fmt::format_to(to,
                   "torn end   {} at offset {}: entry {} is not whole there. Nothing says that it was durable: it was "
                   "never acknowledged, or its bytes were changed since; which of the two cannot be known. The next "
                   "opening puts it aside\n",
                   seen.torn->file, seen.torn->offset, seen.last + 1);
  for (const store::DamagedSeal& each : seen.damaged_seals)
    fmt::format_to(to, "seal       {} at offset {}: is damaged; the entries around it are whole\n", each.file,
                   each.offset);
  print_models(seen, text);
  for (const store::SnapshotThere& each : seen.snapshots) print_snapshot(each, text);
  for (const std::string& each : seen.aside) fmt::format_to(to, "aside      {}\n", each);
  fmt::format_to(to, "key        {}\n", seen.key ? "there" : "none");
  print_depth(seen, text);
  for (const std::string& each : seen.damage) fmt::format_to(to, "damaged    {}\n", each);
  out.print(text);
  if (!seen.damage.empty()) throw Error(Code::kCorrupt, seen.damage.front());
}

void store_dump(const StoreOptions& options, Output& out) {
  const Closed closed(options.data);
  if (options.out.empty()) {
    store::dump_model(*closed.disk, options.data, options.model, false, [&](std::string_view line) {
      out.buffer().append(line).append("\n");
      out.written();
    });
    return refuse_damage(*closed.disk, options.data);
  }
  NewFile file(*closed.disk, options.out);
  const store::Dumped dumped =
      store::dump_model(*closed.disk, options.data, options.model, true, [&](std::string_view line) {
        file.add(line);
        file.add("\n");
      });
  std::string load;
  if (!dumped.state.empty()) {
    NewFile state(*closed.disk, options.out + ".state");
    state.add(dumped.state);
    state.finish();
    load = fmt::format(" --load {}", quoted(options.out + ".state"));
  }
  file.finish();
  out.print(fmt::format("{} of {} written; hash {}\ntarry replay {}{} --hash\n",
                        plural(dumped.events, "event", "events"), options.model, dumped.hash, quoted(options.out),
                        load));
  refuse_damage(*closed.disk, options.data);
}

void store_round(const StoreOptions& options, Output& out) {
  if (options.key.empty() && options.ticket.empty() && options.number == 0)
    throw Error(Code::kBadInput, "store round: one of --key, --ticket and --round says which one");
  const Closed closed(options.data);
  const service::StoredRound asked{.key = options.key, .ticket = options.ticket, .number = options.number};
  out.print(service::stored_round(*closed.disk, options.data, options.model, asked, now_ms()) + "\n");
}

void store_backup(const StoreOptions& options, Output& out) {
  const auto disk = store::real_disk();
  const store::Copied copied = store::copy_store(*disk, options.data, options.to);
  out.print(fmt::format("copied positions {} to {}, {}{} to {}\n", copied.first, copied.last,
                        plural(copied.snapshots.size(), "snapshot", "snapshots"), copied.key ? " and the key" : "",
                        options.to));
}

void store_restore(const StoreOptions& options, Output& out) {
  const auto disk = store::real_disk();
  const store::Copied copied = store::copy_store(*disk, options.data, options.to);
  out.print(fmt::format("restored positions {} to {}, {}{} in {}\n", copied.first, copied.last,
                        plural(copied.snapshots.size(), "snapshot", "snapshots"), copied.key ? " and the key" : "",
                        options.to));
}

void store_compact(const StoreOptions& options, Output& out) {
  const auto disk = store::real_disk();
  store::check_is_store(*disk, options.data);
  const store::Folder folder(*disk, options.data);
  std::random_device draw;
  const std::uint64_t epoch = (std::uint64_t{draw()} << 32) | draw();
  const store::Compacted done = store::compact(*disk, folder, epoch);
  out.print(fmt::format("{} of {} emptied, {} rewritten, {} removed\n", plural(done.entries, "entry", "entries"),
                        plural(done.models.size(), "deleted model", "deleted models"),
                        plural(done.snapshots.size(), "snapshot", "snapshots"),
                        plural(done.removed.size(), "torn end", "torn ends")));
}

}  // namespace tarry::cli
