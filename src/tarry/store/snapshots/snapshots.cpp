#include "tarry/store/snapshots/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::store {
namespace {

constexpr std::string_view kMagic = "TARRYSNP";
constexpr std::string_view kEnding = ".snapshot";
constexpr std::size_t kDigits = 20;
constexpr std::size_t kBefore = 8 + 8;  // magic, format
constexpr std::size_t kTail = 8 + 8;    // the state's length, the checksum
// A file is synced as it grows: a disk that has to keep hundreds of megabytes at once lets the log wait meanwhile.
constexpr std::uint64_t kSyncedAtOnce = std::uint64_t{4} << 20;

[[noreturn]] void corrupt(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

std::optional<Position> position_of(std::string_view name) {
  if (name.size() != kDigits + kEnding.size() || !name.ends_with(kEnding)) return std::nullopt;
  Position position = 0;
  const char* end = name.data() + kDigits;
  const auto [stop, error] = std::from_chars(name.data(), end, position);
  if (stop != end || error != std::errc()) return std::nullopt;
  return position;
}

void take_origin(ByteReader& in, SavedHead& head) {
  head.arithmetic = in.u64();
  head.folded_from = in.u64();
  const std::uint8_t has_origin = in.u8();
  if (has_origin > 1) corrupt("a flag is neither 0 nor 1");
  if (has_origin == 0) return;
  const std::uint64_t salt = in.u64();
  if (salt > UINT32_MAX) corrupt("its salt is too large");
  head.origin = LogOrigin{static_cast<std::uint32_t>(salt), in.u64()};
}

void put_origin(ByteWriter& out, const SavedHead& head) {
  out.u64(head.arithmetic);
  out.u64(head.folded_from);
  out.u8(head.origin.has_value());
  if (!head.origin) return;
  out.u64(head.origin->salt);
  out.u64(head.origin->epoch);
}

}  // namespace

Saved read_saved(std::string_view file) {
  if (!file.starts_with(kMagic)) corrupt("does not begin with TARRYSNP");
  if (file.size() < kBefore + kTail) corrupt("ends early");
  ByteReader tail(file.substr(file.size() - kTail));
  const std::uint64_t length = tail.u64();
  if (tail.u64() != crc32c(file.substr(0, file.size() - 8))) corrupt("its checksum does not match");
  const std::uint64_t format = ByteReader(file.substr(kMagic.size(), 8)).u64();
  if (format == 0 || format > kSavedFormat)
    corrupt(fmt::format("format {} is not one this program reads (1 to {})", format, kSavedFormat));
  file = file.substr(kBefore, file.size() - kBefore - kTail);
  if (length > file.size()) corrupt("its state is not as long as it says");
  ByteReader in(file.substr(length));
  Saved saved;
  saved.head.position = in.u64();
  saved.head.engine = in.text();
  saved.head.hash = in.text();
  saved.head.extra = in.text();
  if (format > 1) take_origin(in, saved.head);
  in.expect_end();
  saved.state = file.substr(0, length);
  return saved;
}

Snapshots::Snapshots(Disk& disk, std::string folder, std::optional<LogIdentity> log)
    : disk_(disk), folder_(std::move(folder)), log_(std::move(log)) {}

std::string Snapshots::path(Position position) const { return fmt::format("{}/{:020}{}", folder_, position, kEnding); }

void Snapshots::remove_unfinished() {
  for (const std::string& name : disk_.list(folder_))
    if (name.ends_with(kUnfinished)) disk_.remove(folder_ + "/" + name);
}

SavedHead Snapshots::save(const std::function<SavedHead(const Sink& sink)>& write) {
  remove_unfinished();
  const std::string part = folder_ + "/next" + std::string(kUnfinished);
  SavedHead head;
  try {
    const std::unique_ptr<File> file = disk_.open(part, Open::kCreate);
    std::uint64_t end = 0, synced = 0;
    std::uint32_t crc = 0;
    ByteWriter out([&](std::string_view piece) {
      crc = crc32c(piece, crc);
      file->write(end, piece);
      end += piece.size();
      if (end - synced < kSyncedAtOnce) return;
      file->sync();
      synced = end;
    });
    out.raw(kMagic);
    out.u64(kSavedFormat);
    head = write([&](std::string_view piece) { out.raw(piece); });
    const std::uint64_t length = out.size() - kBefore;
    out.u64(head.position);
    out.text(head.engine);
    out.text(head.hash);
    out.text(head.extra);
    put_origin(out, head);
    out.u64(length);
    out.flush();
    out.u64(crc);
    out.flush();
    file->sync();
  } catch (const Error& error) {
    if (error.code() == Code::kFull) disk_.remove(part);
    throw;
  }
  disk_.rename(part, path(head.position));
  disk_.sync_folder(folder_);
  return head;
}

std::vector<Position> Snapshots::positions() const {
  std::vector<Position> found;
  for (const std::string& name : disk_.list(folder_))
    if (const std::optional<Position> position = position_of(name)) found.push_back(*position);
  std::sort(found.rbegin(), found.rend());
  return found;
}

Saved Snapshots::read(Position position) const {
  const std::string file = path(position);
  try {
    Saved saved = read_saved(read_whole(disk_, file));
    if (saved.head.position != position) corrupt(fmt::format("is of position {}", saved.head.position));
    check_origin(saved.head);
    return saved;
  } catch (const Error& error) {
    throw Error(error.code(), error.code() == Code::kCorrupt ? file + ": " + error.what() : error.what());
  }
}

void Snapshots::check_origin(const SavedHead& head) const {
  if (!log_ || !head.origin) return;
  if (head.origin->salt != log_->salt)
    throw Error(Code::kConflict, path(head.position) + ": is a snapshot of another store: move it away");
  check_epoch(head.position, head.origin->epoch);
}

void Snapshots::check_epoch(Position position, std::uint64_t epoch) const {
  if (!log_) return;
  const std::optional<std::uint64_t> here = log_->epoch_of(position);
  if (here && *here != epoch)
    throw Error(Code::kConflict, fmt::format("{}: is a snapshot of this store's past before it was restored: entry {} "
                                             "was written again since; move it away",
                                             path(position), position));
}

std::optional<Saved> Snapshots::newest(Position first, Position last, std::vector<std::string>& told,
                                       const std::function<void(const Saved&)>& accept) const {
  std::optional<Saved> found;
  for (const Position position : positions()) {
    try {
      Saved saved = read(position);
      if (accept) accept(saved);
      found = std::move(saved);
      break;
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      told.emplace_back(error.what());
    }
  }
  const Position reached = found ? found->head.position : 0;
  if (reached > last)
    throw Error(Code::kCorrupt,
                fmt::format("{}: is of position {}, and the log ends at {}: it has lost what was durable",
                            path(reached), reached, last));
  if (reached + 1 < first)
    throw Error(Code::kCorrupt, fmt::format("{}: no snapshot is whole from which the log, which begins at {}, goes on",
                                            folder_, first));
  return found;
}

Position Snapshots::keep(std::size_t count) {
  count = std::max(count, kFewestKept);
  std::vector<Position> whole, others;
  for (const Position position : positions()) {
    if (whole.size() == count) {
      others.push_back(position);
      continue;
    }
    try {
      read(position);
      whole.push_back(position);
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
    }
  }
  if (whole.size() < count) return 0;
  for (const Position position : others) disk_.remove(path(position));
  disk_.sync_folder(folder_);
  return whole.back();
}

void Snapshots::remove(Position position) {
  disk_.remove(path(position));
  disk_.sync_folder(folder_);
}

}  // namespace tarry::store
