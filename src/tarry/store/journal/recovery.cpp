#include "tarry/store/journal/recovery.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::store {
namespace {

constexpr std::string_view kFirstName = "first";
constexpr std::string_view kFirstMagic = "TARRYFST";

[[noreturn]] void corrupt(const std::string& file, std::uint64_t offset, const std::string& what) {
  throw Error(Code::kCorrupt, fmt::format("{}: offset {}: {}", file, offset, what));
}

std::optional<Position> read_first(Disk& disk, const std::string& folder) {
  const std::string path = fmt::format("{}/{}", folder, kFirstName);
  if (!disk.exists(path)) return std::nullopt;
  const std::string bytes = read_whole(disk, path);
  if (bytes.size() != 24 || !bytes.starts_with(kFirstMagic)) corrupt(path, 0, "is not as it was written");
  ByteReader in(std::string_view(bytes).substr(8));
  const Position first = in.u64();
  if (in.u64() != crc32c(std::string_view(bytes).substr(0, 16))) corrupt(path, 16, "its checksum does not match");
  return first;
}

// Reads a journal from its beginning to where it ends or breaks.
class Examination {
 public:
  Examination(Disk& disk, const std::string& folder, const Visit& visit)
      : disk_(disk), folder_(folder), visit_(visit) {}

  Findings run() {
    list();
    if (firsts_.empty()) {
      if (found_.marked) corrupt(path(found_.first), 0, "is missing, and with it the whole journal");
      return found_;
    }
    if (firsts_.front() > found_.first)
      corrupt(path(found_.first), 0, fmt::format("is missing: the journal begins at {}", firsts_.front()));
    found_.first = firsts_.front();
    found_.last = found_.first - 1;
    while (next_ < firsts_.size() && !found_.torn) read_segment();
    if (found_.torn) judge();
    if (found_.named > found_.last)
      corrupt(path(found_.last + 1), 0,
              fmt::format("is missing: position {} was durable, the journal ends at {}", found_.named, found_.last));
    return found_;
  }

 private:
  std::string path(Position first) const { return folder_ + "/" + segment_name(first); }

  // Segments in order; of those that were pruned some may have come back.
  void list() {
    const std::optional<Position> first = read_first(disk_, folder_);
    found_.marked = first.has_value();
    found_.first = first.value_or(1);
    for (const std::string& name : disk_.list(folder_)) {
      if (const std::optional<Position> position = segment_first(name))
        firsts_.push_back(*position);
      else if (name.ends_with(kUnfinished))
        found_.leftovers.push_back(name);
    }
    std::sort(firsts_.begin(), firsts_.end());
    while (firsts_.size() > 1 && firsts_[1] <= found_.first) {
      found_.leftovers.push_back(segment_name(firsts_.front()));
      firsts_.erase(firsts_.begin());
    }
  }

  void read_segment() {
    const Position first = firsts_[next_];
    const std::string bytes = read_whole(disk_, path(first));
    const std::optional<SegmentHead> head = read_segment_head(bytes);
    if (!head) {
      if (next_ == 0) corrupt(path(first), 0, "the head of the journal's first segment is damaged");
      return tear(first, 0, bytes);
    }
    check_head(*head, first, bytes.size());
    found_.named = std::max(found_.named, head->synced);
    if (next_ == 0 && head->epoch_before != 0) found_.epochs.push_back({first - 1, head->epoch_before});
    const Followed done = follow(bytes, kSegmentHead, found_.last, found_.salt,
                                 [this](const Record& record, std::uint64_t offset) { return take(record, offset); });
    for (const std::uint64_t offset : done.damaged_seals) found_.damaged_seals.push_back({path(first), offset});
    found_.segments.push_back({first, head->size, done.end, done.last, done.named});
    found_.last = done.last;
    found_.named = std::max(found_.named, done.named);
    ++next_;
    // Behind the last record of a segment there is at most half of a seal.
    const bool continued = next_ < firsts_.size() && firsts_[next_] == found_.last + 1;
    const bool ended = next_ == firsts_.size() && end_of_content(bytes) <= done.end;
    if (!continued && !ended) tear(first, done.end, bytes);
    if (continued && end_of_content(bytes) > done.end) found_.damaged_seals.push_back({path(first), done.end});
  }

  bool take(const Record& record, std::uint64_t offset) {
    if (visit_ && !visit_(record, offset)) return false;
    const bool same = !found_.epochs.empty() && found_.epochs.back().epoch == record.epoch;
    if (record.kind == RecordKind::kData && !same) found_.epochs.push_back({record.position, record.epoch});
    return true;
  }

  void check_head(const SegmentHead& head, Position first, std::uint64_t size) {
    if (head.first != first) corrupt(path(first), 16, fmt::format("says that it begins at position {}", head.first));
    if (head.size != size)
      corrupt(path(first), std::min(size, head.size), fmt::format("has {} bytes, and had {}", size, head.size));
    if (next_ == 0) found_.salt = head.salt;
    if (head.salt != found_.salt) corrupt(path(first), 32, "belongs to another journal");
  }

  void tear(Position first, std::uint64_t offset, std::string_view segment) {
    found_.torn = TornTail{path(first), offset, {}};
    if (const auto named = find_named_above(segment.substr(offset), found_.last, found_.salt))
      found_.named = std::max(found_.named, *named);
    if (offset == 0) found_.beyond.push_back(segment_name(firsts_[next_++]));
  }

  // Is the damage below something that was durable?
  void judge() {
    for (std::size_t i = next_; i < firsts_.size(); ++i) {
      found_.beyond.push_back(segment_name(firsts_[i]));
      if (found_.named > found_.last) continue;
      const std::string bytes = read_whole(disk_, path(firsts_[i]));
      if (const std::optional<SegmentHead> head = read_segment_head(bytes))
        found_.named = std::max(found_.named, head->synced);
      if (const auto named = find_named_above(bytes, found_.last, found_.salt))
        found_.named = std::max(found_.named, *named);
    }
    if (found_.named > found_.last)
      corrupt(found_.torn->file, found_.torn->offset,
              fmt::format("damaged: position {} should be here; a later record says that {} was durable",
                          found_.last + 1, found_.named));
  }

  Disk& disk_;
  const std::string& folder_;
  const Visit& visit_;
  std::vector<Position> firsts_;
  std::size_t next_ = 0;  // the segment to be read next
  Findings found_;
};

// The bytes behind the last record: to a file of their own, then zeros in their place.
void cut(Disk& disk, const std::string& folder, Findings& found, const std::string& mark) {
  const SegmentFile& segment = found.segments.back();
  const std::unique_ptr<File> file = disk.open(folder + "/" + segment_name(segment.first), Open::kWrite);
  std::string tail = file->read(segment.end, segment.size - segment.end);
  tail.resize(end_of_content(tail));
  if (tail.empty()) return;
  const std::string name = fmt::format("torn-{}-{}.bytes", found.last + 1, mark);
  write_whole(disk, folder, name, tail);
  found.torn->aside.push_back(folder + "/" + name);
  file->write(segment.end, std::string(tail.size(), '\0'));
}

// A process that was killed leaves records that are in memory only; one whose sync failed leaves some that the system
// no longer means to write. So all of it is written again, then synced.
void make_durable(Disk& disk, const std::string& folder, const SegmentFile& segment) {
  const std::unique_ptr<File> file = disk.open(folder + "/" + segment_name(segment.first), Open::kWrite);
  file->write(0, file->read(0, segment.end));
  file->sync();
}

}  // namespace

std::optional<std::uint64_t> Findings::epoch_of(Position position) const {
  const auto after = std::upper_bound(epochs.begin(), epochs.end(), position,
                                      [](Position p, const EpochFrom& from) { return p < from.first; });
  if (position > last || after == epochs.begin()) return std::nullopt;
  return std::prev(after)->epoch;
}

LogIdentity Findings::identity() const {
  Findings known;
  known.last = last;
  known.epochs = epochs;
  return {salt, [known = std::move(known)](Position position) { return known.epoch_of(position); }};
}

Findings examine(Disk& disk, const std::string& folder, const Visit& visit) {
  return Examination(disk, folder, visit).run();
}

void repair(Disk& disk, const std::string& folder, Findings& found, std::uint64_t epoch) {
  if (!found.leftovers.empty()) disk.sync_folder(folder);  // the mark that allows it, before segments go
  for (const std::string& name : found.leftovers) disk.remove(folder + "/" + name);
  if (found.segments.empty()) return;
  const std::string mark = fmt::format("{:016x}", epoch);
  if (found.torn) {
    // From the end, so that what is left has no gap.
    for (auto name = found.beyond.rbegin(); name != found.beyond.rend(); ++name) {
      const std::string aside = fmt::format("{}/torn-{}-{}.segment", folder, *segment_first(*name), mark);
      disk.rename(folder + "/" + *name, aside);
      found.torn->aside.push_back(aside);
    }
    cut(disk, folder, found, mark);
  }
  make_durable(disk, folder, found);
  if (!found.marked) write_first(disk, folder, found.first);
}

// A seal behind a segment's records is durable once a later position is.
void make_durable(Disk& disk, const std::string& folder, const Findings& found) {
  for (const SegmentFile& segment : found.segments)
    if (segment.last > found.named || segment.named >= found.named || segment.first == found.segments.back().first)
      make_durable(disk, folder, segment);
  disk.sync_folder(folder);
}

void write_first(Disk& disk, const std::string& folder, Position first) {
  ByteWriter out;
  out.raw(kFirstMagic);
  out.u64(first);
  out.u64(crc32c(out.bytes()));
  write_whole(disk, folder, std::string(kFirstName), out.bytes());
}

}  // namespace tarry::store
