#include "tarry/store/journal/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tarry/base/contract.h"

namespace tarry::store {
namespace {

void check_length(std::uint64_t bytes) {
  if (bytes <= kLongestPayload) return;
  throw Error(Code::kBadInput,
              fmt::format("journal: {} bytes at once are too many (at most {})", bytes, kLongestPayload));
}

}  // namespace

Journal::Journal(Disk& disk, std::string folder, const JournalOptions& options)
    : disk_(disk), folder_(std::move(folder)), options_(options), found_(examine(disk, folder_)), salt_(found_.salt) {
  if (options_.segment_bytes < kSmallestSegment)
    throw Error(Code::kBadInput, fmt::format("journal: segment_bytes must be at least {} (segment_bytes = {})",
                                             kSmallestSegment, options_.segment_bytes));
  try {
    repair(disk_, folder_, found_, options_.epoch);
    start();
  } catch (const Error& error) {
    if (error.code() != Code::kFull || found_.segments.empty()) throw;
    for (const std::string& name : disk_.list(folder_))
      if (name.ends_with(kUnfinished)) disk_.remove(folder_ + "/" + name);
    make_durable(disk_, folder_, found_);
    firsts_.clear();
    for (const SegmentFile& segment : found_.segments) firsts_.push_back(segment.first);
    last_ = synced_ = named_ = found_.last;
  }
  if (options_.background) thread_ = std::thread([this] { work(); });
}

Journal::~Journal() {
  if (thread_.joinable()) {
    {
      const Guard state(state_);
      stop_ = true;
      wake_.notify_all();
    }
    thread_.join();
  }
  try {
    reserved_ = 0;
    if (!ready_) make_ready();
    sync();
    seal();
    if (spare_.file) disk_.remove(spare_.path);
  } catch (const Error&) {  // as if the power had failed: the next opening finds what is there
  }
}

// What a lack of room has left undone. All of the journal is read again, so there must be hope.
void Journal::make_ready() {
  if (disk_.free_bytes(folder_) < options_.segment_bytes)
    throw Error(Code::kFull, folder_ + ": there is no room for the log");
  try {
    Findings found = examine(disk_, folder_);
    if (found.last != found_.last)
      throw Error(Code::kIo, fmt::format("{}: ended at {}, and now at {}", folder_, found_.last, found.last));
    repair(disk_, folder_, found, options_.epoch);
    found_ = std::move(found);
    start();
  } catch (const Error& error) {
    if (error.code() == Code::kFull) throw;
    break_down(error);
  }
}

// Goes on where the last segment ends, or makes the first.
void Journal::start() {
  if (found_.segments.empty()) {
    salt_ = options_.salt;
    const Spare made = make_spare(options_.segment_bytes);
    current_ = {made.file, 1, made.size, kSegmentHead};
    current_.file->write(0, segment_head_bytes({1, made.size, salt_, 0}));
    current_.file->sync();
    disk_.rename(made.path, path(1));
    disk_.sync_folder(folder_);
    write_first(disk_, folder_, 1);
    firsts_ = {1};
    ready_ = true;
    return;
  }
  const SegmentFile& last = found_.segments.back();
  firsts_.clear();
  retired_.clear();
  current_ = {disk_.open(path(last.first), Open::kWrite), last.first, last.size, last.end};
  for (const SegmentFile& segment : found_.segments) firsts_.push_back(segment.first);
  last_ = found_.last;
  synced_ = found_.last;
  named_ = last.named;
  // A segment whose seal was lost gets it now.
  for (const SegmentFile& segment : found_.segments)
    if (segment.first != last.first && segment.named <= segment.last)
      retired_.push_back(
          {{disk_.open(path(segment.first), Open::kWrite), segment.first, segment.size, segment.end}, segment.last});
  seal_retired();
  ready_ = true;
}

LogIdentity Journal::identity() const {
  return {salt_, [this, before = found_.last, epoch_of = found_.identity().epoch_of](Position position) {
            if (position > before && position <= last_) return std::optional(options_.epoch);
            return epoch_of(position);
          }};
}

Position Journal::first() const {
  const Guard state(state_);
  return firsts_.front();
}

void Journal::check() const {
  if (!broken_.empty()) throw Error(Code::kIo, "journal: must not be used any more: " + broken_);
}

void Journal::break_down(const Error& error) {
  const bool first = broken_.empty();
  broken_ = error.what();
  if (first && options_.broken) options_.broken(broken_);
  throw Error(Code::kIo, error.what());
}

void Journal::reserve(std::size_t records, std::size_t bytes) {
  Guard state(state_);
  check();
  check_length(bytes);
  get_room(state, records * record_bytes(kRecordUnit - 1) + bytes);
}

void Journal::get_room(Guard& state, std::uint64_t bytes) {
  if (!ready_) make_ready();
  if (!fits(bytes)) {
    const std::uint64_t size = kSegmentHead + bytes + kSegmentTail;
    while (!spare_.file || spare_.size < size) {
      state.unlock();
      prepare(size);
      state.lock();
    }
  }
  reserved_ = bytes;
}

Position Journal::append(std::span<const std::string_view> payloads) {
  std::uint64_t size = 0;
  for (const std::string_view payload : payloads) {
    check_length(payload.size());
    size += record_bytes(payload.size());
  }
  Guard state(state_);
  check();
  if (!ready_ || size > reserved_) get_room(state, size);
  try {
    if (!fits(size)) roll();
    std::string bytes;
    bytes.reserve(size);
    Position position = last_;
    for (const std::string_view payload : payloads)
      add_record(bytes, {RecordKind::kData, ++position, options_.epoch, synced_, payload}, salt_);
    ensure(bytes.size() == size && fits(size), "records fit into the room that was got for them");
    write(bytes);
    reserved_ -= std::min(reserved_, size);  // what is left keeps seals away until the next reservation
    if (!payloads.empty()) named_ = synced_;
    last_ = position;
  } catch (const Error& error) {
    break_down(error);
  }
  return last_;
}

void Journal::write(std::string_view bytes) {
  check_last_write();  // nothing is written behind a hole
  current_.file->write(current_.end, bytes);
  current_.written_at = current_.end;
  current_.written = bytes.substr(0, kRecordHead);
  current_.end += bytes.size();
  ++writes_;
}

// The spare becomes the segment that is written. Its name is durable after the next sync.
void Journal::roll() {
  const Position first = last_ + 1;
  const bool replaces = current_.first == first;  // one without records, too small for what comes
  const std::uint64_t before = last_ > found_.last ? options_.epoch : found_.epoch_of(last_).value_or(0);
  spare_.file->write(0, segment_head_bytes({first, spare_.size, salt_, synced_, before}));
  if (replaces) spare_.file->sync();  // it may be the journal's first, whose head is always whole
  disk_.rename(spare_.path, path(first));
  folder_changed_ = true;
  if (!replaces) {
    retired_.push_back({std::move(current_), last_});
    firsts_.push_back(first);
  }
  current_ = {spare_.file, first, spare_.size, kSegmentHead};
  spare_ = {};
}

Position Journal::sync() {
  const Guard one_at_a_time(syncing_);
  Guard state(state_);
  check();
  const Position target = last_;
  const std::uint64_t writes = writes_;
  if (writes == flushed_) return synced_;
  std::vector<std::shared_ptr<File>> files;
  for (const Retired& each : retired_) files.push_back(each.segment.file);
  files.push_back(current_.file);
  const bool folder = std::exchange(folder_changed_, false);
  std::erase_if(retired_, [](const Retired& each) { return each.sealed; });
  state.unlock();
  try {
    for (const std::shared_ptr<File>& file : files) file->sync();
    if (folder) sync_names();
    disk_.check_held();
    state.lock();
    look_in_place();
    ensure(target >= synced_ && target <= last_, "what is durable was appended, and stays durable");
    synced_ = target;
    flushed_ = writes;
    seal_retired();
  } catch (const Error& error) {
    if (!state.owns_lock()) state.lock();
    break_down(error);
  }
  if (resting_) wake_.notify_all();
  return target;
}

// The sync was not tried where there is no descriptor for it, so that trying again hides nothing.
void Journal::sync_names() {
  constexpr auto kPatience = std::chrono::seconds(10);
  for (const auto end = std::chrono::steady_clock::now() + kPatience;;) {
    try {
      return disk_.sync_folder(folder_);
    } catch (const OutOfDescriptors&) {
      if (std::chrono::steady_clock::now() > end) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

void Journal::check_in_place() {
  const Guard state(state_);
  check();
  try {
    disk_.check_held();
    look_in_place();
  } catch (const Error& error) {
    break_down(error);
  }
}

void Journal::look_in_place() const {
  if (!current_.file) return;
  disk_.check_named(path(current_.first), *current_.file);
  check_last_write();
}

void Journal::check_last_write() const {
  if (current_.file->read(current_.written_at, current_.written.size()) != current_.written)
    throw Error(Code::kIo, path(current_.first) + ": was written over while it was in use");
}

// A last record in each segment behind the current one, now that the next is durable: losing that one is noticed.
void Journal::seal_retired() {
  for (Retired& each : retired_) {
    if (each.sealed || each.last >= synced_) continue;
    std::string bytes;
    add_record(bytes, {RecordKind::kSeal, each.last, options_.epoch, synced_, {}}, salt_);
    each.segment.file->write(each.segment.end, bytes);
    each.sealed = true;
    ++writes_;
  }
}

bool Journal::seal() {
  {
    const Guard state(state_);
    check();
    if (named_ >= synced_) return true;
    // What is reserved stays free. The last place for a seal is for one that names all there is.
    if (!fits(reserved_ + kRecordHead) && !(reserved_ == 0 && synced_ == last_ && fits(0))) {
      seal_refused_ = last_;
      return false;
    }
    std::string bytes;
    add_record(bytes, {RecordKind::kSeal, last_, options_.epoch, synced_, {}}, salt_);
    try {
      write(bytes);
    } catch (const Error& error) {
      break_down(error);
    }
    named_ = synced_;
  }
  sync();
  return true;
}

void Journal::read(Position after, const std::function<bool(Position, std::string_view)>& visit) const {
  std::vector<Position> firsts;
  Position last = 0;
  {
    const Guard state(state_);
    check();
    firsts = firsts_;
    last = last_;
  }
  if (after + 1 < firsts.front())
    throw Error(Code::kBadInput,
                fmt::format("journal: position {} was pruned; it begins at {}", after + 1, firsts.front()));
  bool wanted = true;
  for (std::size_t i = 0; i < firsts.size() && wanted && firsts[i] <= last; ++i) {
    const Position end = i + 1 < firsts.size() ? firsts[i + 1] - 1 : last;  // of what this segment must hold
    if (end <= after) continue;
    const std::string bytes = read_whole(disk_, path(firsts[i]));
    const Followed done =
        follow(bytes, kSegmentHead, firsts[i] - 1, salt_, [&](const Record& record, std::uint64_t /*offset*/) {
          if (record.position > end) return false;
          if (record.kind == RecordKind::kData && record.position > after)
            wanted = visit(record.position, record.payload);
          return wanted;
        });
    if (wanted && done.last < end)
      throw Error(Code::kCorrupt, fmt::format("{}: offset {}: damaged: position {} should be here", path(firsts[i]),
                                              done.end, done.last + 1));
  }
}

}  // namespace tarry::store
