// The log's home on a local disk: a folder of segments (segment.h), written in order, synced in groups.
//
// Room is got before it is needed: the next segment is ready, filled with zeros, while the current one is written, so
// that an append changes no more than bytes that the disk has promised. A sync that fails is final: nobody knows what
// is on the disk then, and asking again would be answered wrongly.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/store/journal/log_identity.h"
#include "tarry/store/journal/recovery.h"

namespace tarry::store {

struct JournalOptions {
  std::uint64_t epoch = 0;  // of this opening: drawn at random by the caller
  std::uint32_t salt = 0;   // for the checksums of a new journal: drawn at random by the caller, told to nobody
  std::uint64_t segment_bytes = std::uint64_t{16} << 20;
  // A thread of the journal's own gets the next segment ready, and writes a seal when the log has rested for `idle`.
  // Without it, callers do so: prepare(), seal().
  bool background = true;
  std::chrono::milliseconds idle{20};
  // Called once, from the thread that found it, when the journal can take no writes any more and will not again: also
  // where nobody is asking, on the way to the next segment. It must not call the journal.
  std::function<void(const std::string& why)> broken = {};
};

class Journal final : public hosting::Log {
 public:
  // Opens or makes the journal in a folder that exists; recovers what is there (recovery.h). Throws Error{kCorrupt}
  // with file and offset. The disk must outlive it; its opener has the store's lock. Where there is no room to
  // make it ready for writing, it can be read, and is made ready by the first reservation that finds room.
  Journal(Disk& disk, std::string folder, const JournalOptions& options);
  ~Journal() override;  // leaves a seal, if it can
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  Position last() const override { return last_; }
  Position synced() const override { return synced_; }
  void reserve(std::size_t records, std::size_t bytes) override;
  Position append(std::span<const std::string_view> payloads) override;
  Position sync() override;
  void read(Position after, const std::function<bool(Position, std::string_view)>& visit) const override;

  const Findings& found() const { return found_; }  // when it was opened
  Position first() const;                           // of the first record that is kept; last() + 1: there is none
  std::uint64_t epoch() const { return options_.epoch; }
  LogIdentity identity() const;  // for as long as the journal lives

  // Gets the next segment ready, if it is not. Throws Error{kFull}.
  void prepare() { prepare(0); }
  // Leaves a record of what is durable, durably, where the last record does not say it. False: there is no room here.
  bool seal();
  // Removes the segments whose records all lie at or below a position.
  void prune(Position upto);
  // Throws Error{kIo} where what is written is no longer the store at this path: it was moved, replaced or written
  // over. The journal must not be used any more then. Every sync asks the same before it says that anything is durable.
  void check_in_place();

 private:
  using Guard = std::unique_lock<std::mutex>;

  struct Current {  // the segment that is written
    std::shared_ptr<File> file;
    Position first = 1;
    std::uint64_t size = 0;
    std::uint64_t end = 0;
    std::uint64_t written_at = 0;  // where the last write began
    std::string written = {};      // and how
  };
  struct Spare {  // the one to come
    std::shared_ptr<File> file;
    std::string path;
    std::uint64_t size = 0;
  };
  struct Retired {  // one behind it that has something to sync
    Current segment;
    Position last = 0;
    bool sealed = false;
  };

  std::string path(Position first) const { return folder_ + "/" + segment_name(first); }
  void make_ready();
  void start();
  void check() const;
  [[noreturn]] void break_down(const Error& error);
  void prepare(std::uint64_t room);
  Spare make_spare(std::uint64_t size);
  void get_room(Guard& state, std::uint64_t bytes);
  bool fits(std::uint64_t bytes) const { return current_.end + bytes + kSegmentTail <= current_.size; }
  void roll();
  void write(std::string_view bytes);
  void look_in_place() const;
  void check_last_write() const;
  void seal_retired();
  void sync_names();
  void work();
  bool wants_spare() const;
  bool wants_seal() const;

  Disk& disk_;
  const std::string folder_;
  const JournalOptions options_;
  Findings found_;
  std::uint32_t salt_ = 0;

  // Taken in this order.
  mutable std::mutex preparing_;  // of:
  std::uint64_t spares_ = 0;      // so far
  mutable std::mutex syncing_;
  mutable std::mutex state_;  // of all below

  bool ready_ = false;  // to be written
  Current current_;
  std::vector<Position> firsts_;  // of all segments
  std::vector<Retired> retired_;
  Spare spare_;
  bool spare_refused_ = false;
  bool folder_changed_ = false;  // since it was last synced
  std::uint64_t reserved_ = 0;
  std::uint64_t writes_ = 0;   // so far
  std::uint64_t flushed_ = 0;  // of them, those known to be durable
  Position named_ = 0;         // by a record of the current segment, or when that began
  Position seal_refused_ = 0;  // at this position there was no room for one
  std::atomic<Position> last_ = 0;
  std::atomic<Position> synced_ = 0;
  std::string broken_;  // why it must not be used any more

  bool stop_ = false;
  bool resting_ = false;  // the thread waits to be woken
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace tarry::store
