#include "tarry/store/copies/backup.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/disk/kept_file.h"
#include "tarry/store/snapshots/snapshots.h"

namespace tarry::store {
namespace {

constexpr int kTries = 5;

// The bytes of a segment with the entries up to `last`, as they are or with other payloads. Seals between entries stay,
// one behind them goes: it may name what the copy does not have.
std::string remade(const std::string& segment, const SegmentHead& head, Position last, const Rewrite& rewrite,
                   std::uint64_t& changed) {
  std::string out = segment.substr(0, kSegmentHead);
  std::size_t entries = out.size();  // the end of the last one
  follow(segment, kSegmentHead, head.first - 1, head.salt, [&](const Record& record, std::uint64_t /*offset*/) {
    if (record.position > last) return false;
    Record copy = record;
    std::optional<std::string> other;
    if (rewrite && record.kind == RecordKind::kData) other = rewrite(record.position, record.payload);
    if (other && *other != record.payload) {
      if (other->size() > record.payload.size())
        throw Error(Code::kInternal, fmt::format("journal: record {} would become longer", record.position));
      copy.payload = *other;
      ++changed;
    }
    add_record(out, copy, head.salt);
    if (record.kind == RecordKind::kData) entries = out.size();
    return true;
  });
  out.resize(entries);
  return out;
}

SegmentHead head_of(const std::string& bytes, const std::string& path) {
  const std::optional<SegmentHead> head = read_segment_head(bytes);
  if (!head) throw Error(Code::kCorrupt, path + ": offset 0: its head is damaged");
  return *head;
}

// In room for one more, since every segment keeps that.
void add_seal(std::string& segment, const SegmentHead& head, Position last, std::uint64_t epoch, Position durable) {
  add_record(segment, {RecordKind::kSeal, last, epoch, durable, {}}, head.salt);
}

void finish(std::string& segment, const SegmentHead& head) { segment.resize(head.size); }

Findings copy_journal(Disk& disk, const std::string& from, const std::string& to) {
  Findings found = examine(disk, from);
  std::uint64_t changed = 0;
  for (const SegmentFile& segment : found.segments) {
    const std::string name = segment_name(segment.first);
    const std::string bytes = read_whole(disk, from + "/" + name);
    const SegmentHead head = head_of(bytes, from + "/" + name);
    std::string copy = remade(bytes, head, found.last, {}, changed);
    add_seal(copy, head, segment.last, 0, found.last);
    finish(copy, head);
    write_whole(disk, to, name, copy);
  }
  if (!found.segments.empty()) write_first(disk, to, found.first);
  return found;
}

// What the dashboard remembers is good to have and can be lost: a file that cannot be read, or goes meanwhile, is left
// out. Before the journal, which then reaches at least as far as the positions that it names.
void copy_watch(Disk& disk, const std::string& from, const std::string& to) {
  constexpr std::size_t kLargest = std::size_t{8} << 20;
  if (!disk.exists(from)) return;
  disk.make_folder(to);
  for (const std::string& name : disk.list(from)) {
    std::string bytes;
    try {
      bytes = read_whole(disk, from + "/" + name);
    } catch (const Error&) {
      continue;
    }
    if (bytes.size() <= kLargest && read_kept_bytes(bytes)) write_whole(disk, to, name, bytes);
  }
}

Copied copy_once(Disk& disk, const std::string& from, const std::string& to) {
  Copied copied;
  copy_watch(disk, from + "/watch", to + "/watch");
  const Snapshots snapshots(disk, from + "/snapshots");
  std::vector<SavedHead> heads;
  // Snapshots first: the journal then reaches at least as far.
  for (const Position position : snapshots.positions()) {
    try {
      heads.push_back(snapshots.read(position).head);
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
      continue;
    }
    const std::string path = snapshots.path(position);
    write_whole(disk, to + "/snapshots", path.substr(path.rfind('/') + 1), read_whole(disk, path));
    copied.snapshots.push_back(position);
  }
  const Findings found = copy_journal(disk, from + "/journal", to + "/journal");
  const Snapshots of_this_log(disk, from + "/snapshots", found.identity());
  for (const SavedHead& head : heads) of_this_log.check_origin(head);
  copied.first = found.first;
  copied.last = found.last;
  const Position oldest = copied.snapshots.empty() ? 0 : copied.snapshots.back();
  const Position newest = copied.snapshots.empty() ? 0 : copied.snapshots.front();
  if (newest > found.last || oldest + 1 < found.first)
    throw Error(Code::kCorrupt, fmt::format("{}: the log holds {} to {}, the snapshots {} to {}", from, found.first,
                                            found.last, oldest, newest));
  for (const char* name : {"key", "tokens"})
    if (disk.exists(fmt::format("{}/{}", from, name)))
      write_whole(disk, to, name, read_whole(disk, fmt::format("{}/{}", from, name)));
  copied.key = disk.exists(to + "/key");
  return copied;
}

void empty(Disk& disk, const std::string& folder) {
  for (const std::string& name : disk.list(folder)) disk.remove(folder + "/" + name);
}

}  // namespace

Copied copy_store(Disk& disk, const std::string& from, const std::string& to_path) {
  check_is_store(disk, from);
  const std::string to = without_slash(to_path);
  const std::vector<std::unique_ptr<Lock>> locks = begin_copy(disk, to);
  for (const char* inner : {"/journal", "/snapshots"}) disk.make_folder(to + inner);
  disk.sync_folder(to);
  for (int left = kTries;;) {
    try {
      empty(disk, to + "/journal");
      empty(disk, to + "/snapshots");
      const Copied copied = copy_once(disk, from, to);
      finish_copy(disk, to);
      return copied;
    } catch (const Error& error) {
      // A store in use may roll or prune between two looks at it; what is really damaged still is at the next.
      if (--left == 0 || (error.code() != Code::kCorrupt && error.code() != Code::kIo)) throw;
    }
  }
}

std::uint64_t rewrite_journal(Disk& disk, const std::string& folder, const Rewrite& rewrite) {
  const Findings found = examine(disk, folder);
  if (found.torn)
    throw Error(Code::kCorrupt, fmt::format("{}: offset {}: has a torn tail; open the store once, to have it cut off",
                                            found.torn->file, found.torn->offset));
  std::uint64_t all = 0;
  for (const SegmentFile& segment : found.segments) {
    const std::string name = segment_name(segment.first);
    const std::string bytes = read_whole(disk, folder + "/" + name);
    const SegmentHead head = head_of(bytes, folder + "/" + name);
    std::uint64_t changed = 0;
    std::string copy = remade(bytes, head, segment.last, rewrite, changed);
    if (changed == 0) continue;
    add_seal(copy, head, segment.last, 0, found.last);
    finish(copy, head);
    write_whole(disk, folder, name, copy);
    all += changed;
  }
  return all;
}

}  // namespace tarry::store
